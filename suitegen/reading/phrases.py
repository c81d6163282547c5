"""Values without a form of their own: the words of a statement that are not in the question's frame.

A run of words counts only where it stands as a value does: tied to a word of the target
by a verb of being (``my diet is vegan``), by a mark (``diet: vegan``), by a role (``coffee
as a long black``), by standing right before it (``on a vegan diet``), or after a subject
with nothing but small words and words of the target between (``I commute by tram``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from suitegen.reading.aim import Aim, foreign
from suitegen.reading.passages import Passage, Stretch
from suitegen.reading.sentences import is_cause, told
from suitegen.reading.spans import Span
from suitegen.reading.voices import Heard

_KEY = re.compile(r"[\"']\s*:|_")
"""What follows the key of a record."""
_CUES = (
    "change_cues", "switches", "hedges", "reports", "restores", "announcements", "retractions", "slips", "rejections",
    "dismissals",
)  # fmt: skip
"""Phrases whose words say what is done, and are no values."""
_LONGEST = 4
"""Words that can make a value."""
_MARK_REACH = 3
_NAME_REACH = 4
_REACH = 4
_WIDEST = 3
_LEAD = 5


def phrase_spans(aim: Aim, heard: Heard, sentence: Stretch) -> list[Span]:
    """The runs of words of a sentence that stand as a value.

    A span is sure where its place alone shows it: tied to a word of the target by a verb of
    being, a mark, 'as', or by touching it. Others can be values only because of what else is said.
    """
    found: list[Span] = []
    for clause in heard.said.clauses:
        if sentence.first <= clause.first and clause.last <= sentence.last:
            found.extend(_of_clause(aim, heard, clause, sentence))
    sure = [span for span in found if span.sure]
    return sure or found


def stated_plainly(aim: Aim, heard: Heard, sentence: Stretch) -> bool:
    """Whether some run of a sentence is surely a value."""
    return any(span.sure for span in phrase_spans(aim, heard, sentence))


def _of_clause(aim: Aim, heard: Heard, clause: Stretch, sentence: Stretch) -> Iterator[Span]:
    said = heard.said
    topics = [at for at in range(clause.first, clause.last) if said.stems[at] in aim.topic]
    if not topics and clause != sentence and is_cause(said, clause):
        return
    for first, last in _runs(aim, said, clause):
        if last < clause.last and said.words[last] in said.wording.talk.complementizers:
            continue  # it was clear that
        subject = _subject(aim, heard, clause, first)
        subject = None if subject == first - 1 == last - 2 else subject
        between = (
            subject is not None
            and subject + 1 < first
            and (
                _next(said, subject + 1, first) in topics
                or _ahead(aim, said, clause, subject)
                or _by_manner(said, topics, subject, first)
            )
        )
        named = bool(aim.named.intersection(said.stems[first:last])) and _alone(aim, said, clause, first, last)
        sure = (
            named
            or between
            or (
                (subject is not None or _owner_leads(aim, said, clause, first))
                and _touches(aim, said, clause, topics, last)
            )
            or (
                subject is not None
                and said.words[subject] in said.wording.talk.self_subjects
                and _object(aim, said, clause, last)
            )
            or _placed(aim, said, sentence, topics, first, last)
        )
        sure = sure or _by_mark(aim, heard, first, last, sentence) or _taken_up(aim, said, clause, sentence, first)
        if sure or subject is not None or (_moves(said, clause) and _beside(aim, said, clause, first, last)):
            yield Span("phrase", *_widened(aim, said, first, last, clause), said.stems[first:last], sure)


def _next(said: Passage, at: int, last: int) -> int:
    """The first word from one on that says something: allergic in I'm allergic."""
    return next((step for step in range(at, last) if _says(said, said.words[step])), last)


def _by_manner(said: Passage, topics: list[int], subject: int, first: int) -> bool:
    """Whether 'with' alone ties the run to a word of the target after the subject: I start every morning with yoga."""
    return first - 2 in topics and subject < first - 2 and said.words[first - 1] in said.wording.talk.manners


def _ahead(aim: Aim, said: Passage, clause: Stretch, subject: int) -> bool:
    """Whether words of the target, and no others, lead up to the subject: for breakfast I, when I get coffee, I."""
    lead = Stretch(clause.first, subject)
    if subject == clause.first and clause.first and said.words[subject] in said.wording.talk.self_subjects:
        before = said.clause(clause.first - 1)
        lead = before if said.sentence(subject).holds(before.first) else lead
    elif subject - clause.first > _LEAD:
        return False
    stems = said.stems[lead.first : lead.last]
    return bool(aim.topic.intersection(stems)) and not foreign(aim, said, lead, None)


def _placed(aim: Aim, said: Passage, sentence: Stretch, topics: list[int], first: int, last: int) -> bool:
    """Whether a run's place beside words of the target shows that it is a value, where the attribute is named."""
    if not aim.attribute.intersection(said.stems[sentence.first : sentence.last]):
        return False
    ways = (_by_verb, _by_role, _by_name, _by_level)
    return any(way(said, topics, first, last) for way in ways)


def _by_name(said: Passage, topics: list[int], first: int, last: int) -> bool:
    """Whether the run follows a word of the target as its name: the file format PDF."""
    return first - 1 in topics and said.gap(first - 1) == " " and said.capital(first) and not said.opens(first)


def _by_level(said: Passage, topics: list[int], first: int, last: int) -> bool:
    """Whether a word of the target stands at the run: the rollout stands at a pilot, the level is still at debug."""
    talk, at = said.wording.talk, first - 1
    while at > 0 and said.words[at] in talk.determiners:
        at -= 1
    if at < 1 or said.words[at] not in talk.levels:
        return False
    lead = range(at - 1, max(at - 1 - _WIDEST, -1), -1)
    near = next((step for step in lead if step in topics or _says(said, said.words[step])), -1)
    return near in topics and said.clause(near) == said.clause(first)


def _owner_leads(aim: Aim, said: Passage, clause: Stretch, first: int) -> bool:
    """Whether the owner is what the clause tells of: the parser is in the beta phase."""
    return aim.owns(said.stems[clause.first : first])


def _object(aim: Aim, said: Passage, clause: Stretch, last: int) -> bool:
    """Whether small words alone part the run from the attribute, which ends the clause: I take the bus to school."""
    rest = range(last, clause.last)
    small = next((at for at in rest if said.wording.topical(said.words[at])), clause.last)
    named = aim.names(said.stems[small : clause.last]) and not foreign(aim, said, Stretch(small, clause.last), None)
    return small > last and named


def _touches(aim: Aim, said: Passage, clause: Stretch, topics: list[int], last: int) -> bool:
    """Whether a word of the target follows the run and ends the phrase: a vegan diet, not a vegan diet plan."""
    if last not in topics or said.gap(last - 1) != " ":
        return False
    after = last + 1
    return after >= clause.last or said.gap(last) != " " or not _own(aim, said, after)


def _by_role(said: Passage, topics: list[int], first: int, last: int) -> bool:
    """Whether 'as', with small words, is what stands between a word of the target and the run."""
    for at in topics:
        words = said.words[at + 1 : first] if at < first else said.words[last:at]
        if set(said.wording.talk.roles).intersection(words) and not any(_says(said, word) for word in words):
            return True
    return False


def _taken_up(aim: Aim, said: Passage, clause: Stretch, sentence: Stretch, first: int) -> bool:
    """Whether the clause says what a pronoun is that stands for the target: if it's coffee, it's a long black."""
    stands = {*said.wording.talk.pronouns} - {*said.wording.talk.existentials}
    if clause.first == sentence.first or said.words[clause.first] not in stands or said.has("announcements", sentence):
        return False
    before = said.clause(clause.first - 1)
    spots = range(clause.first, first)
    ties = any(_is(said, at) for at in spots) and not any(_says(said, said.words[at]) for at in spots)
    return ties and bool(aim.topic.intersection(said.stems[before.first : before.last]))


def _runs(aim: Aim, said: Passage, clause: Stretch) -> list[tuple[int, int]]:
    """First and last (exclusive) of each run of words that are the statement's own."""
    cues = [found for name in _CUES for found in said.find(name, clause)]
    barred = {at for found in cues for at in range(found.first, found.last + 1)}
    runs: list[list[int]] = []
    for at in range(clause.first, clause.last):
        if at in barred or not _own(aim, said, at) or at in said.people or _suffix(aim, said, at):
            continue
        if not said.capital(at) and _cast_as(said, at):
            continue
        if runs and at == runs[-1][-1] + 1 and said.gap(at - 1) in (" ", "-", "'", "’", "/"):
            runs[-1].append(at)
        else:
            runs.append([at])
    return [(run[0], run[-1] + 1) for run in runs if len(run) <= _LONGEST and not _KEY.match(said.gap(run[-1]))]


def _own(aim: Aim, said: Passage, at: int) -> bool:
    word = said.words[at]
    plain = said.wording.topical(word) and word not in said.wording.plain
    return plain and said.stems[at] not in aim.topic and word not in said.wording.light and len(word) > 1


def _suffix(aim: Aim, said: Passage, at: int) -> bool:
    """Whether a word is joined to one of the target: wise in diet-wise."""
    return at > 0 and said.gap(at - 1) == "-" and said.stems[at - 1] in aim.topic


def _is(said: Passage, at: int) -> bool:
    """Whether a word is a verb of being, also as the end of a pronoun: it's."""
    talk = said.wording.talk
    short = said.words[at] == talk.possessive and at > 0 and said.words[at - 1] in talk.pronouns
    return short or said.words[at] in talk.copulas


def _by_verb(said: Passage, topics: list[int], first: int, last: int) -> bool:
    """Whether a verb of being, with small words, is all that stands between a word of the target and the run."""
    pronouns = said.wording.talk.pronouns
    for at in topics:
        between = range(at + 1, first) if at < first else range(last, at)
        spots = [step for step in between if step not in said.people]
        if at > first and any(said.words[step] in pronouns for step in spots):
            continue
        telling = [step for step in spots if _tells(said, step) and not _aside(said, step)]
        if any(_is(said, step) and not _meant(said, step) for step in spots) and not telling:
            return True
    return False


def _meant(said: Passage, at: int) -> bool:
    """Whether a verb of being only tells what is meant to be: coffee to be ready; not what used to be."""
    past = any(found.first <= at <= found.last for found in said.find("past_before"))
    return said.words[at - 1] in said.wording.talk.arrivals and not past


def _aside(said: Passage, at: int) -> bool:
    """Whether a word only adds to the one before: joined by a hyphen, of choice, what somebody does, used to be."""
    talk, before = said.wording.talk, said.words[at - 1]
    past = any(found.first <= at <= found.last for found in said.find("past_before"))
    return (
        past
        or said.gap(at - 1) == "-"
        or before in talk.genitives
        or before in (*talk.self_subjects, *talk.addressees)
        or _cast_as(said, at)
    )


def _cast_as(said: Passage, at: int) -> bool:
    """Whether a verb between 'is' and 'as' only says as what its subject serves: B is listed as the format."""
    talk = said.wording.talk
    following = said.words[at + 1] if at + 1 < len(said.words) else ""
    return at > 0 and said.words[at - 1] in talk.copulas and following in talk.roles


def _tells(said: Passage, at: int) -> bool:
    return _says(said, said.words[at]) and said.words[at] not in said.wording.plain


def _says(said: Passage, word: str) -> bool:
    return said.wording.topical(word) and word not in said.wording.light


def _by_mark(aim: Aim, heard: Heard, first: int, last: int, sentence: Stretch) -> bool:
    """Whether a mark stands between a word of the target and the run: a record's, or one before a value alone."""
    said = heard.said
    marks = said.text[said.ends[first - 1] : said.starts[first]] if first else ""
    reach = _MARK_REACH if heard.role == "tool" else 1
    near = said.stems[max(sentence.first, first - reach) : first]
    if not any(mark in marks for mark in ":=|") or not aim.attribute.intersection(near):
        return False
    rest = range(last, said.clause(first).last)
    return heard.role == "tool" or not any(said.wording.topical(said.words[at]) for at in rest)


def _subject(aim: Aim, heard: Heard, clause: Stretch, first: int) -> int | None:
    """The subject before the run in its clause, where only small words and words of the target follow it."""
    said, talk = heard.said, heard.said.wording.talk
    own = talk.addressees if heard.role == "assistant" else (*talk.self_subjects, *talk.self_objects)
    subjects = {*talk.others, *talk.links, *own}
    for at in range(first - 1, clause.first - 1, -1):
        if said.stems[at] in aim.owner and at + 1 < clause.last and _is(said, at + 1):
            return at
        linked = said.words[at] not in talk.links or (at > 0 and said.gap(at - 1) == " ")
        if (said.words[at] in subjects and linked) or at in said.people:
            return at
        named = said.capital(at) and not said.opens(at) and at < clause.first + _NAME_REACH
        if named and said.wording.topical(said.words[at]):
            return at
        if _own(aim, said, at):
            return None
    return None


def _moves(said: Passage, clause: Stretch) -> bool:
    """Whether a clause tells of a change, an idea or hearsay, so that less of it needs to say what the value is."""
    return any(said.has(name, clause) for name in ("change_cues", "hedges", "wishes", "hearsay", "reports"))


def _beside(aim: Aim, said: Passage, clause: Stretch, first: int, last: int) -> bool:
    """Whether a word of the target stands beside the run, with a few small words between."""
    moves = {at for found in said.find("change_cues", clause) for at in range(found.first, found.last + 1)}
    for step, bound in ((-1, clause.first - 1), (1, clause.last)):
        at = first - 1 if step < 0 else last
        while at != bound and abs(at - (first if step < 0 else last - 1)) <= _REACH:
            if said.stems[at] in aim.topic:
                return True
            if _says(said, said.words[at]) and at not in moves:
                break
            at += step
    return False


def _alone(aim: Aim, said: Passage, clause: Stretch, first: int, last: int) -> bool:
    """Whether the run is nearly all that the clause says, or the clause names the target."""
    begin = told(said, clause, first).first
    others = [at for at in range(begin, clause.last) if not first <= at < last and _own(aim, said, at)]
    named = aim.topic.intersection(said.stems[clause.first : clause.last])
    return bool(named) or len([at for at in others if at not in said.people]) <= 1


def _widened(aim: Aim, said: Passage, first: int, last: int, clause: Stretch) -> tuple[int, int]:
    """The run with words of the target that touch it, and the few small words before it."""
    talk = said.wording.talk
    bounds = {*talk.copulas, *talk.selves, *talk.subjects, *talk.addressees, *talk.others}
    found = [*said.find("past_before", clause), *said.find("clause_openers", clause)]
    cues = {at for each in found for at in range(each.first, each.last + 1)}
    while last < clause.last and said.stems[last] in aim.topic and said.gap(last - 1) in (" ", "-"):
        last += 1
    start = first
    while first > max(clause.first, start - _WIDEST) and said.gap(first - 1) == " ":
        word = said.words[first - 1]
        clipped = first > 1 and said.gap(first - 2) in ("'", "’")
        if said.wording.topical(word) or word in bounds or clipped or first - 1 in cues:
            break
        first -= 1
    return first, last
