"""Names of models: ``openai:NAME``, ``anthropic:NAME``, and either with ``@http://host:port/path`` behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, get_args
from urllib.parse import urlsplit

from suitegen.errors import ModelError, SuitegenError

Provider = Literal["openai", "anthropic"]
"""A wire format; ``openai`` is also what vLLM, llama.cpp, Ollama and LiteLLM speak."""

FORMS = "openai:NAME, anthropic:NAME or openai:NAME@http://host:port/v1"


@dataclass(frozen=True, slots=True)
class ModelName:
    """A model and where it is served; an empty ``url`` is the provider's own."""

    provider: Provider
    name: str
    url: str = ""

    def __str__(self) -> str:
        return f"{self.provider}:{self.name}" + (f"@{self.url}" if self.url else "")


def parse(text: str, environ: Mapping[str, str]) -> ModelName:
    """The model that a text names.

    Args:
        text: the name.
        environ: the environment, where the provider's usual variable may give an address that the name does not.

    Raises:
        SuitegenError: it names none; says what is wrong with it.
    """
    plain = text.strip()
    head, _, rest = plain.partition(":")
    provider = next((known for known in get_args(Provider) if known == head), None)
    if provider is None:
        raise SuitegenError(f"{_shown(plain)!r} names no provider of models", hint=f"write {FORMS}")
    name, url = _split(rest)
    url = url or environ.get(_OWN[provider].address, "").strip()
    if not name or any(char.isspace() for char in name):
        raise SuitegenError(f"{_shown(plain)!r} names no model", hint=f"write {FORMS}")
    return ModelName(provider, name, _checked(url) if url else "")


def _split(rest: str) -> tuple[str, str]:
    """Name and URL; the name may hold ``@`` and ``:`` itself."""
    for scheme in ("@http://", "@https://"):
        name, mark, url = rest.partition(scheme)
        if mark:
            return name, mark[1:] + url
    return rest, ""


def _checked(url: str) -> str:
    parts = urlsplit(url)
    if parts.username is not None or parts.query or parts.fragment:
        raise SuitegenError(
            f"the address of {_shown(url)!r} holds more than host, port and path",
            hint="a key belongs in an environment variable, never in a name",
        )
    try:
        port = parts.port
    except ValueError:
        port = 0
    if not parts.hostname or port == 0:
        raise SuitegenError(f"{url!r} is no address", hint="write http://host:port/v1")
    return url.rstrip("/")


def _shown(text: str) -> str:
    """The text without what stands before an ``@`` in its address: that may be a password."""
    head, mark, rest = text.partition("://")
    return head + mark + rest.rpartition("@")[2]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is asked, and with which key; the key is in no text about it."""

    url: str
    variable: str
    """The environment variable that holds the key."""
    key: str = field(default="", repr=False)

    def clean(self, text: str) -> str:
        """The text on one line without the key, wherever a server put it."""
        hidden = text.replace(self.key, "***") if self.key else text
        return " ".join(hidden.split())


class _Own(NamedTuple):
    """What a provider has: the variables of its key and of another address, and its own address."""

    key: str
    address: str
    url: str


_OWN = {
    "openai": _Own("OPENAI_API_KEY", "OPENAI_BASE_URL", "https://api.openai.com/v1"),
    "anthropic": _Own("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
}


def endpoint(model: ModelName, environ: Mapping[str, str], *, variable: str | None = None) -> Endpoint:
    """Where the model is asked.

    Args:
        model: the model.
        environ: the environment; a variable with nothing but blanks in it counts as unset.
        variable: the one that holds the key, where it is not the provider's usual one.

    Raises:
        ModelError: there is no key although the provider's own address needs one, or it cannot be one.
    """
    own = _OWN[model.provider]
    name = variable or own.key
    url = model.url or own.url
    if model.provider == "anthropic":
        url = url.removesuffix("/v1")  # Its SDK adds that itself.
    key = environ.get(name, "").strip()
    if not key and (variable or url == own.url):
        raise ModelError(f"no key for {model}: {name} is not set", hint=f"set {name}, in the environment or in .env")
    if not key.isascii() or any(char.isspace() for char in key):
        raise ModelError(f"what {name} holds cannot be a key", hint="a key is one word of ASCII characters")
    return Endpoint(url, name, key)
