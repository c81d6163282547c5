"""Messages that answer each other: a tree gives the one way through it that goes furthest."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from suitegen.filler.talk import ROLES, Fields, Said, Talk, Unfit

_IDS = ("message_id", "user_message_id", "id")
_PARENTS = ("parent_id", "parent_message_id")
_UNRANKED = float("inf")


@dataclass(frozen=True, slots=True)
class _Post:
    """A message with its place in the tree."""

    key: str
    parent: str | None
    record: Fields
    line: int

    @property
    def is_answer(self) -> bool:
        role = self.record.get("role")
        return isinstance(role, str) and ROLES.get(role.casefold()) == "assistant"

    @property
    def is_dropped(self) -> bool:
        """Whether its own project took it back."""
        return self.record.get("deleted") is True or self.record.get("review_result") is False

    @property
    def rank(self) -> float:
        rank = self.record.get("rank")
        return rank if isinstance(rank, (int, float)) else _UNRANKED


def as_post(value: object) -> Fields | None:
    """A record that is one message, since it names what it answers or holds its answers; None for others."""
    if isinstance(value, dict) and {"text", "role"} <= value.keys() and value.keys() & {*_PARENTS, "replies"}:
        return value
    return None


def thread(root: Fields) -> Talk:
    """The dialogue that starts with a message, which holds its answers."""
    first = {key: value for key, value in root.items() if key not in _PARENTS}
    ((_, talk),), _ = threads([(1, first)])
    return talk


def threads(records: Iterable[tuple[int, Fields]]) -> tuple[list[tuple[int, Talk]], tuple[int, ...]]:
    """A dialogue for each first message, and the lines of messages to which no first one leads.

    Of several ways the one with most answers is taken, then the one that was ranked best,
    then the first. What was deleted or failed its review is left out with all that follows it.

    Args:
        records: messages, each with its line.
    """
    posts: dict[str, _Post] = {}
    for post in _posts(records):
        posts.setdefault(post.key, post)
    children: dict[str | None, list[_Post]] = defaultdict(list)
    for post in posts.values():
        children[post.parent].append(post)
    reached: set[str] = set()
    talks = []
    for root in children[None]:
        tree = _below(root, children)
        reached |= {post.key for post in tree}
        talks.append((root.line, Talk(_dropped() if root.is_dropped else _way(tree, children), root.record)))
    lost = {post.line for post in posts.values() if post.key not in reached}
    return talks, tuple(sorted(lost))


def _posts(records: Iterable[tuple[int, Fields]]) -> Iterator[_Post]:
    """All messages, those inside of others too, each before its answers."""
    for line, first in records:
        waiting: list[tuple[str | None, Fields]] = [(None, first)]
        count = 0
        while waiting:
            above, record = waiting.pop()
            # What has no id of its own can have answers inside of it only.
            key = _first(record, _IDS) or f"{line} {count}"
            count += 1
            yield _Post(key, _first(record, _PARENTS) if above is None else above, record, line)
            replies = record.get("replies")
            if isinstance(replies, list):
                waiting += [(key, reply) for reply in reversed(replies) if isinstance(reply, dict)]


def _first(record: Fields, keys: Iterable[str]) -> str | None:
    return next((str(record[key]) for key in keys if isinstance(record.get(key), (str, int))), None)


def _below(root: _Post, children: Mapping[str | None, Sequence[_Post]]) -> list[_Post]:
    """The message and all that follow it, each after what it answers."""
    tree: list[_Post] = []
    waiting = deque([root])
    while waiting:
        tree.append(waiting.popleft())
        waiting += children.get(tree[-1].key, ())
    return tree


def _way(tree: Sequence[_Post], children: Mapping[str | None, Sequence[_Post]]) -> Iterator[Said]:
    best: dict[str, tuple[int, _Post | None]] = {}
    for post in reversed(tree):
        kept = [child for child in children.get(post.key, ()) if not child.is_dropped]
        ways = [(best[child.key][0], -child.rank, child) for child in kept]
        answers, _, onward = max(ways, key=lambda way: way[:2], default=(0, 0, None))
        best[post.key] = (answers + post.is_answer, onward)
    at: _Post | None = tree[0]
    while at is not None:
        yield Said(at.record.get("role"), at.record.get("text"))
        at = best[at.key][1]


def _dropped() -> Iterator[Said]:
    raise Unfit("its first message was deleted or failed its review")
    yield
