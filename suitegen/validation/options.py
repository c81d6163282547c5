"""Options of checks, as a gate file gives them: text, numbers or nothing."""

from __future__ import annotations

from suitegen.validation.protocol import Options

NOTHING = (None, "")


def limit(options: Options, name: str) -> float | None:
    """A threshold; None where the gate only wants the figure.

    Raises:
        ValueError: it is no number.
    """
    value = options[name]
    if value in NOTHING:
        return None
    try:
        return float(value)
    except ValueError:
        raise ValueError(f"option {name}: {value!r} is no number") from None


def number(options: Options, name: str) -> float:
    """A number that must be given.

    Raises:
        ValueError: it is missing or no number.
    """
    found = limit(options, name)
    if found is None:
        raise ValueError(f"option {name} needs a number")
    return found


def listed(options: Options, name: str) -> tuple[str, ...]:
    """Words separated by blanks."""
    return tuple(str(options[name] or "").split())
