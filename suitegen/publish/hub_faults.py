"""What goes wrong between here and the Hub: what passes is waited out, the rest becomes one error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from suitegen.errors import PublishError

Result = TypeVar("Result")

LOGIN = (
    "make a token that may write at https://huggingface.co/settings/tokens; set HF_TOKEN to it, or run `hf auth login`"
)
AGAIN = "run the same command again: it goes on where this one ended"

_PAUSES = (1.0, 4.0, 15.0)
"""Seconds before the second try and those after it, where the Hub does not say how long."""
_LONGEST = 900
"""Seconds that one pause may have."""
_BUSY = 429
_PASSING = frozenset({_BUSY, 502, 503, 504})
"""Statuses that pass by themselves."""
_WORDS = 300
"""Characters of another library's message that are passed on."""


class Patience:
    """Makes a call again after the pauses that the Hub asks for.

    Args:
        say: told of every pause.
        sleep: waits for so many seconds.
        once: whether calls may have an effect twice; then only one that was turned away is made again.
    """

    def __init__(self, say: Callable[[str], None], sleep: Callable[[float], None], *, once: bool) -> None:
        self._say = say
        self._sleep = sleep
        self._passing = frozenset({_BUSY}) if once else _PASSING

    def __call__(self, call: Callable[[], Result]) -> Result:
        """The call's result."""
        from huggingface_hub.errors import HfHubHTTPError

        for pause in _PAUSES:
            try:
                return call()
            except HfHubHTTPError as error:
                if error.response.status_code not in self._passing:
                    raise
                wait = _asked(error.response.headers.get("Retry-After"), pause)
                if wait > _LONGEST:
                    raise
                self._say(f"the Hub is busy ({error.response.status_code}); trying again in {wait:g} s")
                self._sleep(wait)
        return call()


@contextmanager
def asking(repo: str, token: str, state: str) -> Iterator[None]:
    """What the library raises becomes one error that says what stands on the Hub, and never the token.

    Raises:
        PublishError: something was raised.
    """
    from huggingface_hub.errors import HfHubHTTPError

    transport: type[Exception] = HfHubHTTPError.__bases__[0]  # of whichever HTTP library the client is built on
    try:
        yield
    except (OSError, ValueError, RuntimeError, transport) as error:
        message, hint = _worded(error, repo)
        # The cause is cut off: its request would carry the token into a traceback.
        raise PublishError(message.replace(token, "..."), where=repo, hint=f"{state}; {hint}") from None


def _asked(header: str | None, usual: float) -> float:
    """Seconds to wait."""
    return float(header) if header and header.isascii() and header.isdigit() else usual


def _status(error: BaseException) -> int | None:
    """The HTTP status behind an error: the library wraps those of single files."""
    response: Any = getattr(error, "response", None)
    if response is not None:
        return int(response.status_code)
    return _status(error.__cause__) if error.__cause__ else None


def _worded(error: Exception, repo: str) -> tuple[str, str]:
    """What went wrong, and what to do."""
    from huggingface_hub.errors import RepositoryNotFoundError

    status = _status(error)
    if status == 401 and not isinstance(error, RepositoryNotFoundError):
        return "the Hub does not take the token", LOGIN
    if status in (401, 403, 404):
        return f"the token may not do that: {_told(error)}", f"use one that may write to {repo.partition('/')[0]}"
    if status in (409, 412):
        return "somebody else changed the repository meanwhile", AGAIN
    if status == _BUSY:
        return "the Hub takes no more requests for now", f"wait some minutes, then {AGAIN}"
    if status is not None and status >= 500:
        return f"the Hub failed with status {status}", AGAIN
    if status is not None or isinstance(error, ValueError):
        return f"the Hub refused: {_told(error)}", "mend that and publish again"
    return f"the Hub is out of reach: {_told(error)}", f"see that the network is up, then {AGAIN}"


def _told(error: Exception) -> str:
    """What a library says, on one line."""
    return " ".join(str(error).split())[:_WORDS] or type(error).__name__
