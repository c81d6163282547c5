from __future__ import annotations

import io

from rich.console import Console

from suitegen.cli.bars import BarReporter
from suitegen.cli.progress import PlainReporter
from suitegen.pipeline.view import ProgressEvent


def write(done: int, note: str = "") -> ProgressEvent:
    return ProgressEvent("write", done, 10, done, 0, note)


def plain(times: list[float]) -> tuple[PlainReporter, list[str]]:
    said: list[str] = []
    return PlainReporter(said.append, iter(times).__next__, every=5.0), said


def test_plain_lines_come_at_the_start_and_then_every_few_seconds():
    report, said = plain([0.0, 1.0, 4.9, 5.0, 9.0, 10.5])
    for done in range(1, 7):
        report(write(done))
    assert said == [
        "write: 1/10, 1 accepted, 0 failed",
        "write: 4/10, 4 accepted, 0 failed",
        "write: 6/10, 6 accepted, 0 failed",
    ]


def test_a_stage_always_shows_its_end_and_the_next_its_start():
    report, said = plain([0.0, 0.1, 0.2])
    report(write(1))
    report(write(10))
    report(ProgressEvent("gates", 0, 1, 10, 0))
    assert said == [
        "write: 1/10, 1 accepted, 0 failed",
        "write: 10/10, 10 accepted, 0 failed",
        "gates: 0/1, 10 accepted, 0 failed",
    ]


def test_a_note_is_shown_on_the_same_line_and_clean():
    report, said = plain([0.0])
    report(write(1, "S201 a forbidden\nvalue\x1b[2J"))
    assert said == ["write: 1/10, 1 accepted, 0 failed (S201 a forbidden value[2J)"]


def test_bars_show_counts_and_take_no_markup_from_a_note():
    screen = io.StringIO()
    report = BarReporter(Console(file=screen, force_terminal=True, width=160, color_system=None))
    report(write(3, "[red]S201[/red]"))
    report.close()
    shown = screen.getvalue()
    assert "3/10" in shown
    assert "3 accepted, 0 failed" in shown
    assert "[red]S201[/red]" in shown
    assert shown.endswith("\x1b[?25h")
