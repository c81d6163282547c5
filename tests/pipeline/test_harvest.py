from __future__ import annotations

from suitegen.model import episodes as many
from suitegen.model.episode import CaseRecord
from suitegen.pipeline.harvest import harvest
from suitegen.pipeline.journal import Journal, text_of
from tests.publish.conftest import episode


def kept(path, *records):
    with Journal(path) as journal:
        for record in records:
            journal.add(record.case, text_of(record), "now")
    return Journal(path)


def case(number, *episodes, status="accepted"):
    return CaseRecord(case=f"case-{number}", status=status, draw=0, episodes=episodes)


def test_episodes_come_in_the_order_of_their_ids_whatever_the_order_of_the_cases(tmp_path):
    journal = kept(tmp_path / "journal", case(0, episode(5), episode(1)), case(1, episode(3)), case(2, status="failed"))
    made = harvest(journal, {"case-1": "now", "case-0": "now", "case-2": "now", "case-3": "now"})
    assert [each.case for each in made.cases] == ["case-1", "case-0", "case-2"]
    assert [each.episodes for each in made.cases] == [1, 2, 0]
    assert list(made.episodes) == [episode(1), episode(3), episode(5)]


def test_what_was_finished_under_another_spec_is_left_out(tmp_path):
    journal = kept(tmp_path / "journal", case(0, episode(0)), case(1, episode(1)))
    assert list(harvest(journal, {"case-0": "now", "case-1": "later"}).episodes) == [episode(0)]


def test_many_episodes_are_read_again_at_every_pass(tmp_path):
    number = many.KEPT + 1
    journal = kept(tmp_path / "journal", *(case(index, episode(index)) for index in reversed(range(number))))
    found = harvest(journal, {f"case-{index}": "now" for index in range(number)}).episodes
    first, again = iter(found), iter(found)
    assert next(first) == next(again) == episode(0)
    assert next(first) is not next(again)
    assert len(found) == len(list(found)) == number
    assert episode(number - 1) in found
    assert episode(number) not in found
