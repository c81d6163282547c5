from __future__ import annotations

import pytest

from suitegen.errors import ModelError, SuitegenError
from suitegen.llm.names import ModelName, endpoint, parse


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("openai:gpt-4o", ModelName("openai", "gpt-4o")),
        (" anthropic:claude ", ModelName("anthropic", "claude")),
        ("openai:org/model:free@http://h:8000/v1/", ModelName("openai", "org/model:free", "http://h:8000/v1")),
        ("openai:tuned@2@https://h/v1", ModelName("openai", "tuned@2", "https://h/v1")),
        ("openai:q@http://[::1]:80/v1", ModelName("openai", "q", "http://[::1]:80/v1")),
        ("anthropic:q@http://h:1", ModelName("anthropic", "q", "http://h:1")),
    ],
)
def test_names_are_read_and_written_alike(text: str, name: ModelName) -> None:
    assert parse(text, {}) == name
    assert parse(str(name), {}) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "gpt-4o",
        "mistral:x",
        "openai:",
        "openai:a b",
        "openai:@http://h/v1",
        "openai:m@http://",
        "openai:m@http://h:99999/v1",
        "OPENAI:m",
        "openai:m@http://h:port/v1",
        "scripted:x",
        "openai:m@http://h/v1?key=1",
        "openai:m@http://h/v1#x",
    ],
)
def test_what_names_no_model_is_a_mistake_with_a_hint(text: str) -> None:
    with pytest.raises(SuitegenError) as caught:
        parse(text, {})
    assert caught.value.exit_code == 2
    assert caught.value.hint


@pytest.mark.parametrize(
    "text", ["openai:m@http://me:sk-11@h/v1", "openai:m@https://sk-11@h", "x:m@http://me:sk-11@h/v1"]
)
def test_a_password_in_an_address_is_refused_and_not_shown(text: str) -> None:
    with pytest.raises(SuitegenError) as caught:
        parse(text, {})
    assert "sk-11" not in str(caught.value) + caught.value.hint


def test_the_key_comes_from_the_providers_variable_without_blanks_around_it() -> None:
    where = endpoint(parse("openai:m", {}), {"OPENAI_API_KEY": " sk-1\n"})
    assert (where.url, where.variable, where.key) == ("https://api.openai.com/v1", "OPENAI_API_KEY", "sk-1")
    assert "sk-1" not in repr(where)


@pytest.mark.parametrize("environ", [{}, {"OPENAI_API_KEY": ""}, {"OPENAI_API_KEY": " \n"}])
def test_a_providers_own_address_needs_a_key(environ: dict[str, str]) -> None:
    with pytest.raises(ModelError, match="OPENAI_API_KEY is not set") as caught:
        endpoint(parse("openai:m", {}), environ)
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("key", ["sk-1 sk-2", "sk-ключ"])
def test_what_cannot_be_a_key_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(ModelError) as caught:
        endpoint(parse("openai:m", {}), {"OPENAI_API_KEY": key})
    assert key not in str(caught.value) + caught.value.hint


def test_a_server_of_ones_own_needs_none_unless_its_variable_is_named() -> None:
    model = parse("openai:m@http://h:1/v1", {})
    assert endpoint(model, {}).key == ""
    with pytest.raises(ModelError, match="MY_KEY"):
        endpoint(model, {"OPENAI_API_KEY": "sk-1"}, variable="MY_KEY")
    assert endpoint(model, {"OPENAI_API_KEY": "sk-1", "MY_KEY": "mine"}, variable="MY_KEY").key == "mine"


def test_the_address_may_stand_in_the_environment() -> None:
    environ = {"OPENAI_BASE_URL": "http://h:1/v1/", "ANTHROPIC_BASE_URL": "http://h:2/v1"}
    assert parse("openai:m", environ) == ModelName("openai", "m", "http://h:1/v1")
    assert parse("openai:m@http://h:3/v1", environ).url == "http://h:3/v1"
    assert endpoint(parse("anthropic:m", environ), environ).url == "http://h:2"
