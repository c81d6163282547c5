"""A model that answers from a script: for tests, in place of a provider. No model name leads to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from suitegen.llm.faults import Fault
from suitegen.llm.protocol import ChatRequest, Reply

Line = Reply | Fault | str
"""What happens to one call: a reply, a fault, or the text of a whole reply."""
Rule = Callable[[ChatRequest], Line]


class Scripted:
    """Plays the lines of a list one by one, or asks a rule for each.

    Args:
        script: the lines in order, or the rule.
    """

    def __init__(self, script: Iterable[Line] | Rule) -> None:
        if callable(script):
            self._rule: Rule = script
        else:
            lines = iter(script)
            self._rule = lambda _: next(lines)
        self.asked: list[ChatRequest] = []
        """Every request, in the order in which they came."""

    async def ask(self, request: ChatRequest) -> Reply:
        """The next line.

        Raises:
            Fault: the script says so.
            LookupError: the script is at its end.
        """
        self.asked.append(request)
        # A provider always lets others go on meanwhile.
        await asyncio.sleep(0)
        try:
            line = self._rule(request)
        except StopIteration:
            raise LookupError(f"the script has no line for call {len(self.asked)}") from None
        if isinstance(line, Fault):
            raise line
        return Reply(line) if isinstance(line, str) else line

    async def close(self) -> None:
        """Nothing to let go of."""
