"""What is said on stderr, and how a text is made safe to show. Light: every start of the program loads it."""

from __future__ import annotations

import click

from suitegen.errors import AuthorError, SuitegenError, Unfit

INTERRUPTED = 130
"""The exit code of a process that Ctrl-C ended."""

_CONTROLS = [*range(0x20), *range(0x7F, 0xA0)]
_DIRECTION = [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_UNSAFE = dict.fromkeys({*_CONTROLS, *_DIRECTION} - {ord("\n"), ord("\t")})


def clean(text: str) -> str:
    """A text without the characters that steer a terminal or turn the reading direction; line breaks and tabs stay."""
    return text.translate(_UNSAFE)


def line(text: str) -> str:
    """A clean text on one line, so that no value can pass for a line of its own."""
    return clean(text.replace("\n", " ").replace("\t", " "))


def say(text: str) -> None:
    """Say something to the person at the terminal."""
    click.echo(text, err=True)


def say_error(message: str, hint: str = "") -> None:
    """Say what is wrong and, where it is known, what to do."""
    say(f"{click.style('error:', fg='red', bold=True)} {clean(message)}")
    if hint:
        say(f"{click.style('hint:', fg='cyan', bold=True)} {clean(hint)}")


def say_failure(error: SuitegenError) -> None:
    """Say an error of ours: every problem it carries, what it comes to, and the hint."""
    if isinstance(error, AuthorError | Unfit):
        for problem in error.problems:
            say(clean(problem))
    say_error(str(error), error.hint)
