"""Asks a server for so many replies, a few at a time: ``python -m tests.llm.worker ROOT FOLDER CALLS CONCURRENCY``."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from suitegen.llm.limits import Limits
from tests.llm.kit import client, named, request


async def main(root: str, folder: Path, calls: int, concurrency: int) -> None:
    model = named(root)
    async with client(model, folder, limits=Limits(concurrency=concurrency)) as made:
        await asyncio.gather(*[made.ask(request(model, f"{n}")) for n in range(calls)])


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])))
