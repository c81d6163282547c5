from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from suitegen.errors import SuiteError
from suitegen.llm.cache import Cache, Measured, fingerprint
from suitegen.llm.names import parse
from suitegen.llm.protocol import ChatRequest, Message, Parameters, Reply, Usage
from tests.llm.kit import request

MODEL = parse("openai:m", {})
URL = "http://h/v1"
ASKED = request(MODEL, "ask", schema="{}", temperature=0.5)


def store(path: Path) -> Cache:
    return Cache(path / "deep" / "replies.sqlite")


# -- keys -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda asked: replace(asked, messages=(Message("system", "be brief"), *asked.messages)),
        lambda asked: replace(asked, messages=(Message("user", "ask!"),)),
        lambda asked: replace(asked, messages=(Message("assistant", "ask"),)),
        lambda asked: replace(asked, template="t@2"),
        lambda asked: replace(asked, schema=None),
        lambda asked: replace(asked, schema="{ }"),
        lambda asked: replace(asked, attempt=1),
        lambda asked: replace(asked, model=parse("openai:m2", {})),
        lambda asked: replace(asked, model=parse("anthropic:m", {})),
        lambda asked: replace(asked, parameters=Parameters(temperature=0.6)),
        lambda asked: replace(asked, parameters=Parameters()),
        lambda asked: replace(asked, parameters=Parameters(temperature=0.5, max_tokens=9)),
        lambda asked: replace(asked, parameters=Parameters(temperature=0.5, extra_body={"seed": 1})),
    ],
)
def test_whatever_could_change_a_reply_changes_its_key(change: Callable[[ChatRequest], ChatRequest]) -> None:
    assert fingerprint(change(ASKED), URL) != fingerprint(ASKED, URL)


def test_the_address_changes_a_key() -> None:
    assert fingerprint(ASKED, URL) != fingerprint(ASKED, "http://other/v1")


@pytest.mark.parametrize(
    "change",
    [
        lambda asked: replace(asked, role="judge"),
        lambda asked: replace(asked, stage="check"),
        lambda asked: replace(asked, parameters=Parameters(temperature=0.5, max_tokens=None)),
    ],
)
def test_who_asks_does_not(change: Callable[[ChatRequest], ChatRequest]) -> None:
    assert fingerprint(change(ASKED), URL) == fingerprint(ASKED, URL)


def test_a_key_is_the_same_in_every_process() -> None:
    assert fingerprint(ASKED, URL) == "a1cd7c1b5ed4eda96cd4c87af16bf2bd2e7f0da649d777722af3d72565d41440"


def test_messages_do_not_run_into_each_other() -> None:
    one = replace(ASKED, messages=(Message("user", "a"), Message("user", "b")))
    other = replace(ASKED, messages=(Message("user", 'a"],["user","b'),))
    assert fingerprint(one, URL) != fingerprint(other, URL)


# -- the file ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        Reply("yes", "complete", "stop", usage=Usage(60, 40, 5, 1), served="m-2026"),
        Reply("", "refused", "stop", refusal="I can't."),
        Reply("Zoë \u2028 \ud83d \x00 ```", usage=Usage(None, None)),
    ],
)
def test_a_reply_is_kept_as_it_came(tmp_path: Path, reply: Reply) -> None:
    cache = store(tmp_path)
    assert cache.find("k") is None
    assert cache.keep("k", ASKED, reply) == reply
    cache.close()
    again = store(tmp_path)
    assert again.find("k") == reply
    kept = again.read("k")
    assert kept is not None
    assert (kept.model, kept.role, kept.stage, kept.attempt, kept.template) == ("openai:m", "writer", "write", 0, "t@1")
    assert (kept.messages, kept.reply) == (ASKED.messages, reply)
    assert again.read("other") is None
    again.close()


def test_the_first_reply_stays(tmp_path: Path) -> None:
    one, other = store(tmp_path), store(tmp_path)
    one.keep("k", ASKED, Reply("first"))
    assert other.keep("k", ASKED, Reply("second")) == Reply("first")
    assert one.find("k") == Reply("first")
    one.close()
    other.close()


def test_what_was_used_is_summed_by_stage_role_and_model(tmp_path: Path) -> None:
    cache = store(tmp_path)
    cache.keep("a", ASKED, Reply("x", usage=Usage(60, 40)))
    cache.keep("b", ASKED, Reply("x", usage=Usage(20, 10)))
    cache.keep("c", ASKED, Reply("x"))
    cache.keep("d", replace(ASKED, role="judge"), Reply("x", usage=Usage(1, 2)))
    assert cache.measured() == {
        ("write", "judge", "openai:m"): Measured(1, 1, 1, 2),
        ("write", "writer", "openai:m"): Measured(3, 2, 80, 50),
    }
    cache.close()


def test_many_threads_and_processes_share_one_file(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from suitegen.llm.cache import Cache\n"
        "from suitegen.llm.protocol import Reply; from tests.llm.test_cache import ASKED\n"
        "cache = Cache(Path(sys.argv[1]))\n"
        "for n in range(150): cache.keep(f'p{n}', ASKED, Reply(sys.argv[2] + str(n)))\n"
    )
    cache = store(tmp_path)
    others = [subprocess.Popen([sys.executable, "-c", program, str(cache.path), name]) for name in "ab"]
    threads = [
        threading.Thread(target=lambda t=t: [cache.keep(f"t{t}-{n}", ASKED, Reply(f"{n}")) for n in range(50)])
        for t in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [other.wait(60) for other in others] == [0, 0]
    assert [cache.find(f"t{t}-{n}") for t in range(4) for n in range(50)] == [
        Reply(f"{n}") for _ in range(4) for n in range(50)
    ]
    assert all(cache.find(f"p{n}") in (Reply(f"a{n}"), Reply(f"b{n}")) for n in range(150))
    cache.close()


def test_a_process_that_is_killed_has_lost_no_reply_it_kept(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from suitegen.llm.cache import Cache\n"
        "from suitegen.llm.protocol import Reply; from tests.llm.test_cache import ASKED\n"
        "cache = Cache(Path(sys.argv[1]))\n"
        "for n in range(100000): cache.keep(str(n), ASKED, Reply('x')); print(n, flush=True)\n"
    )
    cache = store(tmp_path)
    for _ in range(3):
        other = subprocess.Popen([sys.executable, "-c", program, str(cache.path)], stdout=subprocess.PIPE, text=True)
        assert other.stdout
        for _, line in zip(range(60), other.stdout, strict=False):
            last = int(line)
        other.kill()
        told = [int(line) for line in other.stdout.read().splitlines()[:-1]]
        other.wait()
        other.stdout.close()
        assert all(cache.find(str(n)) for n in range(max([last, *told]) + 1))
    cache.close()


def test_a_fork_has_a_connection_of_its_own(tmp_path: Path) -> None:
    import multiprocessing

    cache = store(tmp_path)
    cache.keep("a", ASKED, Reply("x"))
    inherited = cache._connection

    def work() -> None:
        cache.keep("b", ASKED, Reply("y"))
        assert cache._connection is not inherited

    child = multiprocessing.get_context("fork").Process(target=work)
    child.start()
    child.join()
    assert (child.exitcode, cache.find("b")) == (0, Reply("y"))
    cache.close()


def test_a_file_that_is_no_store_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "replies.sqlite"
    path.write_bytes(b"not a database, but somebody's work" * 99)
    before = path.read_bytes()
    with pytest.raises(SuiteError) as caught:
        Cache(path).find("k")
    assert str(path) in str(caught.value)
    assert path.read_bytes() == before


def test_a_store_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "replies.sqlite"
    other = sqlite3.connect(path)
    other.execute("PRAGMA user_version = 99")
    other.close()
    with pytest.raises(SuiteError, match="another version"):
        Cache(path).find("k")


def test_a_place_that_cannot_be_written_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(SuiteError) as caught:
        Cache(tmp_path / "file" / "replies.sqlite").find("k")
    assert str(tmp_path) in str(caught.value)
