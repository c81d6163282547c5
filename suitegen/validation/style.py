"""Style of a session: how it is said, with what it is about taken out.

Every word that is no function word becomes a bare ``w``, and with it values, names, attributes and kin.
What stays is function words, punctuation, case, lengths, roles and the hour; so two sessions about
different things look alike unless they are written in different ways.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from suitegen.model.episode import Episode
from suitegen.model.history import Turn
from suitegen.model.words import SessionKind
from suitegen.validation.protocol import Kit
from suitegen.values.normal import fold
from suitegen.values.tables import table
from suitegen.values.tokens import tokens, words

TRIGRAMS = 250
"""How many character 3-grams are looked at, the most frequent ones."""
SHORT = 200
"""Characters by which rates are taken at least: those of a few words alone would drown all others."""
_ROLES = ("user", "assistant", "tool")
_GRAM, _WORD = " 3-gram ", " word "


@dataclass(frozen=True, slots=True)
class Told:
    """A session with what it is in the design."""

    kind: SessionKind
    group: str
    """The case, so that nothing that matched episodes share is both learnt from and judged."""
    hour: int
    turns: tuple[Turn, ...]
    kept: frozenset[str]
    """Folded words that stay: function words, but those of values, names, attributes and kin."""
    hidden: frozenset[str]
    """Folded words of values, names, attributes and kin, of which not even the shape stays."""


def told(kit: Kit, episodes: Iterable[Episode], kinds: Collection[SessionKind]) -> Iterator[Told]:
    """The sessions of these kinds, in the order of the suite."""
    return (each for episode in episodes for each in _told(kit, episode, kinds))


def _told(kit: Kit, episode: Episode, kinds: Collection[SessionKind]) -> Iterator[Told]:
    hidden = _hidden(kit, episode)
    kept = frozenset(map(fold, table(episode.spec.language).function_words)) - hidden
    for session, plan in zip(episode.sessions, episode.spec.sessions, strict=True):
        if plan.kind in kinds:
            hour = datetime.fromisoformat(session.timestamp).hour
            yield Told(plan.kind, episode.spec.case, hour, session.turns, kept, hidden)


def _hidden(kit: Kit, episode: Episode) -> frozenset[str]:
    """The words of the values, entities, origins and attributes of the cast, and of kin."""
    spec, speech = episode.spec, table(episode.spec.language)
    texts = [text for member in spec.cast for text in (member.entity, member.attribute)]
    texts += [event.origin for event in spec.events if event.origin]
    for name in sorted({member.fact_type for member in spec.cast}):
        fact_type = kit.catalog.fact_types[name]
        texts += [spelling for value in fact_type.values for spelling in (value.value, *value.aliases)]
    return frozenset(word for text in (*texts, *speech.kinship_words) for word in words(text))


def masked(text: str, kept: frozenset[str], hidden: frozenset[str]) -> tuple[str, tuple[str, ...]]:
    """The text with every word outside of ``kept`` as ``w``, or by its shape ``W`` with a capital, ``#`` with a digit.

    What is ``hidden`` is ``w``, whatever its shape. With it the words that stay, folded.
    """
    pieces, stay, end = [], [], 0
    for token in tokens(text):
        pieces.append(text[end : token.start])
        if token.text in kept:
            stay.append(token.text)
            pieces.append(text[token.start : token.end])
        else:
            pieces.append("w" if token.text in hidden else _shape(text[token.start : token.end]))
        end = token.end
    return "".join((*pieces, text[end:])), tuple(stay)


def _shape(word: str) -> str:
    return "#" if any(map(str.isdigit, word)) else "W" if word[:1].isupper() else "w"


def style(session: Told) -> dict[str, float]:
    """The features of a session by name: rates of words and 3-grams, lengths, roles, hour."""
    found: dict[str, float] = {f"hour {session.hour}": 1.0}
    for role in _ROLES:
        contents = [turn.content for turn in session.turns if turn.role == role]
        found[f"turns {role}"] = len(contents)
        found[f"length {role}"] = sum(map(len, contents)) / max(len(contents), 1)
        if role != "tool":
            found.update(_rates(role, [masked(content, session.kept, session.hidden) for content in contents]))
    if session.turns:
        found["length first turn"] = len(session.turns[0].content)
        found["length last turn"] = len(session.turns[-1].content)
    return found


def _rates(role: str, texts: Sequence[tuple[str, tuple[str, ...]]]) -> dict[str, float]:
    """Function words and 3-grams per hundred characters; a turn has a line break at each end."""
    grams: Counter[str] = Counter()
    stay: Counter[str] = Counter()
    for text, spoken in texts:
        edged = f"\n{text}\n"
        grams.update(edged[at : at + 3] for at in range(len(edged) - 2))
        stay.update(spoken)
    rate = 100 / max(sum(len(text) for text, _ in texts), SHORT)
    found = {f"{role}{_GRAM}{gram!r}": rate * count for gram, count in grams.items()}
    return found | {f"{role}{_WORD}{word}": rate * count for word, count in stay.items()}


def columns(rows: Sequence[Mapping[str, float]]) -> tuple[str, ...]:
    """The names of the features that are looked at: of 3-grams the most frequent ones, in a fixed order."""
    spread = Counter(name for row in rows for name in row)
    grams = sorted((name for name in spread if _GRAM in name), key=lambda name: (-spread[name], name))
    return (*sorted(name for name in spread if _GRAM not in name), *grams[:TRIGRAMS])


def with_tell(session: Told) -> Told:
    """The session with a mark of style that no topic explains: its last turn trails off."""
    if not session.turns:
        return session
    last = session.turns[-1]
    return replace(session, turns=(*session.turns[:-1], last.model_copy(update={"content": f"{last.content} .."})))
