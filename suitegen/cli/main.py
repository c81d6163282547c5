"""The program ``suitegen``: its commands, and what becomes of their errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from suitegen import __version__
from suitegen.cli.lazy import LazyGroup
from suitegen.cli.talk import INTERRUPTED, say, say_error, say_failure
from suitegen.errors import SuitegenError


class Program(LazyGroup):
    """All commands; ends the process with the exit code that the error or the command names."""

    summaries = {
        "init": "Make a new project that lints and builds as it stands.",
        "add": "Add a file to the project.",
        "lint": "Check every file of the project and show every mistake.",
        "explain": "Say what a finding means, or how a gold answer follows.",
        "schema": "Print the JSON Schema of a kind of file.",
        "plan": "Show a suite's design and counts; nothing is written.",
        "preview": "Show whole episodes of a suite with their gold.",
        "build": "Build a suite; run again to go on.",
        "status": "Show how far a build is.",
        "failures": "Show what was rejected, and why.",
        "validate": "Run all gates on a built suite's files as they are.",
        "view": "Print the path of a built suite's report.",
        "stats": "Show counts, balance and diversity of a built suite.",
        "export": "Write a built suite in another format, with what is lost.",
        "diff": "Show what changed from one suite to another, gold first.",
        "publish": "Publish a built suite on the Hugging Face Hub.",
        "score": "Score the answers of a memory system, and show its profile.",
    }

    def main(  # type: ignore[override]  # ends the process in every case
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> None:
        """Run, and end the process."""
        try:
            code = super().main(args, prog_name, **{**extra, "standalone_mode": False})
        except (click.Abort, KeyboardInterrupt):
            say("interrupted")
            code = INTERRUPTED
        except click.ClickException as error:
            code = _usage(error)
        except SuitegenError as error:
            say_failure(error)
            code = error.exit_code
        except OSError as error:
            if error.filename is None and error.strerror is None:
                raise
            name = f": {os.fsdecode(error.filename)}" if error.filename else ""
            say_error(f"{error.strerror}{name}")
            code = 2
        sys.exit(code if isinstance(code, int) else 0)


def _usage(error: click.ClickException) -> int:
    """Say what click found wrong with the call; returns the exit code."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return error.exit_code
    context = error.ctx if isinstance(error, click.UsageError) else None
    say_error(error.format_message(), f"run '{context.command_path} --help'" if context else "")
    return error.exit_code


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, package_name="suitegen", message="%(prog)s %(version)s")
@click.pass_context
def program(ctx: click.Context) -> None:
    """Build diagnostic suites for the long-term memory of LLM agents.

    A suite is built from the fact types, paradigms, templates and gates of the project
    (the nearest folder with a suitegen.yaml) and of those that come with suitegen.

    Options come from the command line, else from variables SUITEGEN_NAME (also in the
    project's .env), else from suitegen.yaml. Exit codes: 0 fine, 1 findings, a failed
    gate or missing cases, 2 usage or bad files, 3 provider, 4 budget, 130 interrupted.
    """
    if os.environ.get("NO_COLOR"):
        ctx.color = False


def main() -> None:
    """Entry point of the script."""
    for stream in (sys.stdout, sys.stderr):
        # A text may hold characters that the terminal's encoding lacks.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    program.main(prog_name="suitegen")
