"""A group whose commands are imported only when one of them is called."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import click

from suitegen.library.nearest import nearest


class LazyGroup(click.Group):
    """A group that knows its commands by a summary and the module that holds them as ``command``.

    Its help is printed from the summaries alone, so it costs no import.
    """

    summaries: Mapping[str, str] = {}
    """Command to summary, in the order of the help."""
    package = "suitegen.cli.commands"

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names of the commands, in the order of the help."""
        return list(self.summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of that name, imported now; None if there is none."""
        if cmd_name not in self.summaries:
            return None
        module = import_module(f"{self.package}.{cmd_name.replace('-', '_')}")
        command = module.command
        if not isinstance(command, click.Command):
            raise TypeError(f"{module.__name__}.command is no command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, but a name that is nearly right is answered with the right one."""
        name = args[0]
        if name in self.summaries or name.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        near = nearest(name, self.summaries)
        meant = f"; did you mean {near!r}?" if near else ""
        raise click.UsageError(f"there is no command {name!r}{meant}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the commands with their summaries."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries.items()))
