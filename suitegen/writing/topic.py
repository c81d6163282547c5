"""What is talked about: a cast member, and how each speaker names it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from suitegen.library.templates import compile_line
from suitegen.model.catalog import Catalog
from suitegen.model.fact_type import Confusable, FactType
from suitegen.model.latent import LatentSpec, Member
from suitegen.model.surface import SmallWords
from suitegen.model.words import Source, Speaker

Voice = Literal["user", "assistant", "other", "tool", "document", "third_party"]


@dataclass(frozen=True, slots=True)
class Topic:
    """A cast member as a subject of talk."""

    member: Member
    fact_type: FactType
    words: SmallWords
    other: bool
    """Whether it is another entity than the one whose attribute the episode is about."""

    @property
    def confusable(self) -> Confusable | None:
        """The other attribute that it is, where it is not the fact type's own."""
        found = (c for c in self.fact_type.confusables if c.id == self.member.confusable)
        return next(found, None)

    @property
    def own(self) -> Topic:
        """The attribute of the episode's own entity, where the entity is only somebody around the user."""
        if self.other and self.fact_type.subject.is_self:
            member = self.member.model_copy(update={"entity": "user", "confusable": None})
            return Topic(member, self.fact_type, self.words, other=False)
        return Topic(self.member.model_copy(update={"confusable": None}), self.fact_type, self.words, self.other)

    def names(self, speaker: Speaker, source: Source | None = None) -> dict[str, str]:
        """``subject``, ``attribute`` and ``noun`` as a speaker says them, for a source's words where it quotes one."""
        attribute = self.confusable.attribute if self.confusable else self.fact_type.attribute
        names = {"subject": self._subject(speaker), "attribute": attribute}
        line, mine = self._noun(speaker, source)
        noun = compile_line(line, f"noun of fact type {self.fact_type.id}").render(names)
        return {**names, "noun": self._said_by(speaker, noun) if mine else noun}

    def _subject(self, speaker: Speaker) -> str:
        if self.fact_type.subject.is_self and not self.other:
            return self.words.me[speaker]
        return self._said_by(speaker, self.member.entity)

    def _noun(self, speaker: Speaker, source: Source | None) -> tuple[str, bool]:
        """The line of the noun, and whether it is written in the user's voice."""
        named, is_self = self.fact_type, self.fact_type.subject.is_self
        if speaker == "tool" and is_self and not self.other:
            return (self.words.written if source == "document" else "{{ attribute }}"), False
        if self.confusable:
            return self.confusable.noun, True
        if self.other and is_self:
            return named.noun_other or self.words.owned, False
        if self.other and named.noun_other:
            return named.noun_other, False
        if speaker == "assistant" and named.noun_you:
            return named.noun_you, False
        return named.noun, True

    def _said_by(self, speaker: Speaker, name: str) -> str:
        return turned(self.words, name) if speaker == "assistant" else name

    def voices(self, speaker: Speaker, source: Source) -> tuple[Voice, ...]:
        """Whose phrasings fit what a speaker says on a source's word, the best first."""
        if speaker == "tool":
            spoken: tuple[Voice, ...] = ("document",) if source == "document" else ("tool",)
        elif speaker == "assistant":
            spoken = ("assistant",)
        else:
            spoken = ("user",) if source in ("user", "assistant") else ("third_party", "user")
        if not self.other:
            return spoken
        # The phrasings of a pool's fact type name their subject, so they fit any entity of it.
        return ("other",) if self.fact_type.subject.is_self else ("other", *spoken)

    def tool(self, source: Source) -> str | None:
        """The name of the tool that tells of it: the fact type's own, where the tool itself is the source."""
        if source == "document":
            return self.words.tools.get("document")
        return self.fact_type.tool_name or self.words.tools.get("tool")


def turned(words: SmallWords, name: str) -> str:
    """A name in the user's words as the assistant says it: my brother is your brother."""
    return " ".join(words.yours.get(word, word) for word in name.split(" "))


def topics(spec: LatentSpec, catalog: Catalog) -> Mapping[str, Topic]:
    """The cast of a spec as topics, by name."""
    words = catalog.surfaces[spec.language].words
    return {
        member.name: Topic(member, catalog.fact_types[member.fact_type], words, _is_other(member, spec.cast))
        for member in spec.cast
    }


def topic_of(spec: LatentSpec, catalog: Catalog, name: str) -> Topic:
    """One member of the cast as a topic."""
    member, words = spec.member(name), catalog.surfaces[spec.language].words
    return Topic(member, catalog.fact_types[member.fact_type], words, _is_other(member, spec.cast))


def _is_other(member: Member, cast: Iterable[Member]) -> bool:
    """Whether a member's entity is not the first one that the cast has for its fact type."""
    first = next((m.entity for m in cast if m.fact_type == member.fact_type and m.confusable is None), member.entity)
    return member.entity != first
