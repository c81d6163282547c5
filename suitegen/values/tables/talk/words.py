"""What a language has to tell a reader of dialogues: how people place, report and take back what they say."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Talk:
    """Word lists for reading dialogues and short answers. Phrases are matched on folded tokens."""

    language: str

    # How a value stands in its clause.
    past_before: tuple[str, ...]
    """Stand before a value that no longer holds."""
    memories: tuple[str, ...]
    """Say that a whole sentence tells of the past."""
    past_after: tuple[str, ...]
    """Stand after a value that no longer holds."""
    tense_before: tuple[str, ...]
    """Weak signs of the past before a value; it is past beside a present one only."""
    leaving: tuple[str, ...]
    """Stand before the old value where the new one follows: from A to B."""
    present: tuple[str, ...]
    """Say that a value holds at present."""
    disputes: tuple[str, ...]
    """Say that several values stand against each other."""

    # Who says it.
    selves: tuple[str, ...]
    """Words of the first person."""
    self_subjects: tuple[str, ...]
    """Words of the first person that do something."""
    self_owners: tuple[str, ...]
    """Words of the first person that own something."""
    self_objects: tuple[str, ...]
    """Words of the first person for whom something is done: book me."""
    subjects: tuple[str, ...]
    """Pronouns that begin a clause."""
    links: tuple[str, ...]
    """Pronouns that carry a subject into a clause of its own: people who commute."""
    addressees: tuple[str, ...]
    """Words of the second person."""
    determiners: tuple[str, ...]
    """Words that make the next one a noun."""
    others: tuple[str, ...]
    """Pronouns of one other person."""
    pronouns: tuple[str, ...]
    """Words that stand for a thing that was named before."""
    existentials: tuple[str, ...]
    """Words that open a clause without standing for anything: there is."""
    reports: tuple[str, ...]
    """Verbs and phrases by which somebody's words are passed on."""
    hearsay: tuple[str, ...]
    """Phrases that pass on words of nobody in particular."""
    reporters: tuple[str, ...]
    """Stand before the name of whom or what one goes by: according to."""
    entries: tuple[str, ...]
    """Keys of a record before the name of whom it goes back to."""
    documents: tuple[str, ...]
    """Kinds of written sources."""
    shelves: tuple[str, ...]
    """Words in the names of tools that fetch documents."""
    document_verbs: tuple[str, ...]
    """What a written source does."""
    tools: tuple[str, ...]
    """Kinds of programs that report."""
    relatives: tuple[str, ...]
    """People around somebody, beside the kinship words of the language table."""

    # What a sentence does.
    questions: tuple[str, ...]
    """Words that open a question."""
    tags: tuple[str, ...]
    """Short questions that follow a statement."""
    requests: tuple[str, ...]
    """Openings of questions that ask for an action."""
    dismissals: tuple[str, ...]
    """Turn down what somebody else said, beside the rejections of the language table."""
    assents: tuple[str, ...]
    """Agree to what somebody proposed."""
    contradictions: tuple[str, ...]
    """Say that what the speaker has contradicts what was said before."""
    switches: tuple[str, ...]
    """Tell of a change with its new value, beside the change cues of the language table."""
    expiries: tuple[str, ...]
    """Say of a value that it holds no longer, or not for long."""
    announcements: tuple[str, ...]
    """Say that something changes or has changed, without its new value."""
    retractions: tuple[str, ...]
    """Say that what the speaker said was never right."""
    slips: tuple[str, ...]
    """Say the same where the speaker is their subject."""
    forgets: tuple[str, ...]
    """Ask that something be forgotten."""
    restores: tuple[str, ...]
    """Say that an earlier value holds again."""
    outdated: tuple[str, ...]
    """Say that a record is old."""
    guesses: tuple[str, ...]
    """Hedges beside those of the language table."""
    wishes: tuple[str, ...]
    """Stand before what is only considered."""
    conditions: tuple[str, ...]
    """Make what follows a wish or a case that may come."""
    complementizers: tuple[str, ...]
    """Open what somebody says or knows: I should say that."""
    effective: tuple[str, ...]
    """Stand before the date from which something holds."""
    reversals: tuple[str, ...]
    """Stand before a value that is turned down: not A, scratch A."""
    clause_openers: tuple[str, ...]
    """Words that open a new clause after a comma or within a sentence."""
    causes: tuple[str, ...]
    """Words that open a clause which tells why or when: since the night shift wrote its own."""
    results: tuple[str, ...]
    """Words that open a clause which tells what came of the one before."""
    particles: tuple[str, ...]
    """Short words that make one word with the verb before them: time out, timeout."""
    joiners: tuple[str, ...]
    """Words that open a new clause only where a subject follows."""

    # What a question asks.
    asks_previous: tuple[str, ...]
    asks_original: tuple[str, ...]
    kind_words: tuple[tuple[str, tuple[str, ...]], ...]
    """Kind of span, and phrases in a question that ask for it."""
    frame_words: tuple[str, ...]
    """Words of questions about any attribute, which name none."""
    heads: tuple[str, ...]
    """Words of questions that name an attribute where they follow one of its words: account number."""
    plain_words: tuple[str, ...]
    """Words of statements about any attribute, which name none."""
    owners: tuple[str, ...]
    """Prepositions between an attribute and whose it is."""
    roles: tuple[str, ...]
    """Stand between a value and the attribute it is given for: an aisle seat as my seat."""
    matters: tuple[str, ...]
    """Stand in a question between a value and the attribute it is asked about."""
    changes: tuple[str, ...]
    """Words of a question about a change."""
    purposes: tuple[str, ...]
    """Prepositions before what something is meant for: for the minutes."""
    arrivals: tuple[str, ...]
    """Prepositions before the new value of a change: from A to B."""
    levels: tuple[str, ...]
    """Prepositions before the value at which something stands: the rollout stands at B."""
    lasts: tuple[str, ...]
    """Stand before a word of change that only dates a record: last updated."""
    genitives: tuple[str, ...]
    """Prepositions before an owner's name rather than a value."""
    possessive: str
    """The ending of a possessive, as a word of its own."""
    copulas: tuple[str, ...]
    """Verbs that tie a value to what it is a value of."""
    auxiliaries: tuple[str, ...]
    """Other verbs that may follow a name at the start of a sentence."""
    verb_ending: str
    """The ending of a verb's third person."""
    light_verbs: tuple[str, ...]
    """Verbs that say little beside that something holds."""
    manners: tuple[str, ...]
    """Words that tell with what something is done."""
    name_links: tuple[str, ...]
    """Words that may stand inside a name."""
    titles: tuple[str, ...]
    """Short forms before a name that end with a full stop."""

    # Short answers.
    yes_words: tuple[str, ...]
    no_words: tuple[str, ...]
    zero_words: tuple[str, ...]
    times: tuple[tuple[str, int], ...]
    """Words that count occasions: once, twice."""

    # Word forms.
    endings: tuple[tuple[str, str], ...]
    """Endings with what takes their place in a stem, the first that fits."""
    irregular: tuple[tuple[str, str], ...]
    """Forms that no ending explains, with their stems' word."""
