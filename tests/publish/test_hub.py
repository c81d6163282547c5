"""Publishing to a hub on the loopback interface, and reading it back, with the real client libraries."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from suitegen import app
from suitegen.errors import SuiteError, Unfit
from suitegen.pipeline.view import RunOptions
from suitegen.publish.fitness import check_files, check_fit
from suitegen.publish.outgoing import outgoing
from suitegen.publish.package import read, write
from suitegen.publish.parquet import read_shards
from suitegen.publish.tables import CONFIGS
from tests.hub import Account, Hub, serving
from tests.publish.client import READ_ONLY, STRANGER, TOKEN, Client

SUITE = """\
id: standups
title: Standups and gyms
version: {version}
seed: {seed}
fact_types: [gym, standup_time]
reserves: 1
tiers: {{core: {{encoding: 2, before: 4, after: [1, 2]}}}}
cells:
  - {{paradigm: interference, condition: authoritative_update, count: {count}}}
gates: [session, episode, reading]
"""
Make = Callable[..., Path]


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Builds the suite in some version, once."""
    project = tmp_path_factory.mktemp("suite") / "project"
    app.init(project)

    def build(version: str = "0.1.0", seed: int = 5, count: int = 2) -> Path:
        out = project / f"out-{version}-{seed}-{count}"
        if not out.exists():
            text = SUITE.format(version=version, seed=seed, count=count)
            (project / "specs" / "suites" / "standups.yaml").write_text(text, "utf-8")
            assert app.build(project, "standups", out, RunOptions(), lambda event: None).packaged
        return out

    return build


@pytest.fixture
def hub() -> Iterator[Hub]:
    writer, reader = Account("ann", orgs=("acme",)), Account("ann", "read", orgs=("acme",))
    with serving(Hub({TOKEN: writer, READ_ONLY: reader, STRANGER: Account("bob")})) as served:
        yield served


@pytest.fixture
def ann(hub: Hub, tmp_path: Path) -> Client:
    return Client(hub.address, tmp_path)


def state(hub: Hub) -> object:
    """Everything that a publication may change."""
    return {
        name: (repo.private, repo.gated, dict(repo.branches), dict(repo.tags), len(repo.commits))
        for name, repo in hub.repos.items()
    }


def bytes_of(out: Path) -> dict[str, str]:
    files = (path for path in out.rglob("*") if path.is_file())
    return {str(path.relative_to(out)): sha256(path.read_bytes()).hexdigest() for path in files}


def held(hub: Hub, revision: str = "main") -> dict[str, bytes]:
    files = hub.repos["acme/standups"].at(revision).files
    return {name: file.data for name, file in files.items() if file.data is not None}


# -- what works -----------------------------------------------------------------------------------------------------


def test_a_suite_is_published_once_tagged_and_read_back_as_it_is(hub: Hub, ann: Client, make: Make) -> None:
    out, before = make(), bytes_of(make())
    told = ann.published(out, "--tag", "v0.1.0")
    repo = hub.repos["acme/standups"]
    assert repo.private
    assert list(repo.tags) == ["v0.1.0"]
    assert repo.tags["v0.1.0"] == repo.branches["main"] == told["commit"]
    assert len(repo.commits) == 2, "that of the hub itself, and one"
    order = [line.split("?")[0] for line in hub.seen]
    tag = order.index(f"POST /api/datasets/acme/standups/tag/{told['commit']}")
    assert tag > order.index("POST /api/datasets/acme/standups/commit/main")
    assert not any(line.startswith(("POST", "PUT")) for line in order[tag + 1 :]), "the tag is the last thing"
    assert ann.load("v0.1.0", *CONFIGS) == {config: read_shards(out, config) for config in CONFIGS}
    assert bytes_of(out) == before

    again, seen = state(hub), len(hub.seen)
    assert ann.published(out, "--tag", "v0.1.0")["commit"] == told["commit"]
    assert state(hub) == again
    assert not [line for line in hub.seen[seen:] if not line.startswith(("GET", "HEAD"))], "nothing was sent"


def test_what_is_published_holds_together_and_tells_how_to_load_it(
    hub: Hub, ann: Client, make: Make, tmp_path: Path
) -> None:
    out = make()
    told = ann.publish(out, "--tag", "v0.1.0").stdout
    assert told.splitlines()[-1] == (
        'datasets.load_dataset("acme/standups", "probes", split="test", revision="v0.1.0")'
    )
    files = held(hub)
    assert 'suite = "acme/standups"' in files["README.md"].decode()
    assert "inspect eval hf/acme/standups " in files["README.md"].decode()
    assert "ORG/NAME" not in files["README.md"].decode()
    assert json.loads(files["croissant.json"])["url"].endswith("/datasets/acme/standups")
    sums = dict(line.split("  ")[::-1] for line in files["checksums.sha256"].decode().splitlines())
    assert {name: sha256(data).hexdigest() for name, data in files.items() if name in sums} == sums
    assert set(files) - set(sums) == {"checksums.sha256", ".gitattributes"}
    assert (out / "run.json").is_file()
    assert (out / ".suitegen").is_dir()
    assert not [name for name in files if name == "run.json" or name.startswith(".suitegen")]
    for name, data in files.items():
        path = tmp_path / "download" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    assert {verdict.status for verdict in app.validate(tmp_path / "download")} == {"passed"}


def test_large_files_go_to_xet_too(hub: Hub, tmp_path: Path, make: Make) -> None:
    pytest.importorskip("hf_xet")
    hub.xet = tmp_path / "store"
    ann = Client(hub.address, tmp_path, more={"HF_HUB_DISABLE_XET": "0"})
    told = ann.published(make(), "--tag", "v0.1.0")
    assert hub.asked("xet-write-token")
    assert not hub.objects
    assert len(hub.asked("POST .*/commit/")) == 1
    assert ann.load("v0.1.0", "sessions") == {"sessions": read_shards(make(), "sessions")}
    assert ann.published(make(), "--tag", "v0.1.0")["commit"] == told["commit"]
    assert len(hub.asked("POST .*/commit/")) == 1


def test_a_new_version_replaces_the_files_and_deletes_those_that_are_gone(
    hub: Hub, ann: Client, make: Make, tmp_path: Path
) -> None:
    old = tmp_path / "old"
    shutil.copytree(make(), old)
    write(old, read(old), rows_per_shard=1)
    first = ann.published(old, "--tag", "v0.1.0")
    repo = hub.repos["acme/standups"]
    extra = {**repo.at("main").files, "picture.png": repo.at("main").files["LICENSE"]}
    repo.branches["main"] = repo.add(extra, "a picture", first["commit"])
    told = ann.published(make("0.2.0", seed=6), "--tag", "v0.2.0")
    assert told["deleted"]
    assert sorted(held(hub)) == sorted([*held(hub, told["commit"])])
    names = set(held(hub))
    assert "picture.png" in names, "what others put there stays"
    assert {name for name in names if name.startswith("probes/")} == {"probes/test-00000-of-00001.parquet"}
    assert repo.tags == {"v0.1.0": first["commit"], "v0.2.0": told["commit"]}
    assert ann.load("v0.1.0", "probes") == {"probes": read_shards(old, "probes")}
    assert ann.load("v0.2.0", "probes") == {"probes": read_shards(make("0.2.0", seed=6), "probes")}


def test_a_dry_run_shows_all_and_changes_nothing(hub: Hub, ann: Client, make: Make) -> None:
    ann.published(make())
    before, seen = state(hub), len(hub.seen)
    done = ann.publish(make("0.2.0", seed=6), "--dry-run", "--tag", "v0.2.0")
    assert done.returncode == 0
    assert "change  sessions/test-00000-of-00001.parquet" in done.stdout
    assert "same    LICENSE" in done.stdout or "change  LICENSE" in done.stdout
    assert "repository: acme/standups, there, private" in done.stdout
    assert "token of: ann, who may write" in done.stdout
    assert "0 failed" in done.stdout
    assert "+| Suite | standups, version 0.2.0 |" in done.stdout
    assert state(hub) == before
    assert all(line.startswith(("GET", "HEAD")) for line in hub.seen[seen:])


def test_who_may_see_it_is_changed_after_the_files_are_there(hub: Hub, ann: Client, make: Make) -> None:
    assert ann.published(make(), "--public", "--gated", "manual", "--tag", "v0.1.0")["private"] is False
    repo = hub.repos["acme/standups"]
    assert (repo.private, repo.gated) == (False, "manual")
    writes = [line.split("/")[-2:] for line in hub.seen if line.startswith(("POST", "PUT"))]
    assert writes.index(["commit", "main"]) < writes.index(["standups", "settings"])


def test_a_branch_is_made_and_the_main_one_left_alone(hub: Hub, ann: Client, make: Make) -> None:
    first = ann.published(make())
    second = ann.published(make("0.2.0", seed=6), "--revision", "next")
    assert hub.repos["acme/standups"].branches == {"main": first["commit"], "next": second["commit"]}


def test_a_stranger_may_propose(hub: Hub, ann: Client, make: Make, tmp_path: Path) -> None:
    first = ann.published(make(), "--public")
    told = Client(hub.address, tmp_path, token=STRANGER).published(make("0.2.0", seed=6), "--pr")
    repo = hub.repos["acme/standups"]
    assert repo.branches == {"main": first["commit"]}
    assert repo.proposals == {"refs/pr/1": told["commit"]}
    assert told["url"].endswith("/datasets/acme/standups/discussions/1")


@pytest.mark.parametrize(("replies", "accuracy"), [("right", 1.0), ("wrong", 0.0)])
def test_inspect_runs_it_from_the_hub(hub: Hub, ann: Client, make: Make, replies: str, accuracy: float) -> None:
    pytest.importorskip("inspect_ai")
    ann.published(make(), "--tag", "v0.1.0")
    done = ann.run("inspect", "acme/standups", "v0.1.0", replies)
    assert done.returncode == 0, done.stderr
    rows = {config: len(read_shards(make(), config)) for config in ("full_context", "multiple_choice")}
    assert json.loads(done.stdout.splitlines()[-1]) == {config: [accuracy, number] for config, number in rows.items()}


def test_two_versions_on_the_hub_are_compared(hub: Hub, ann: Client, make: Make) -> None:
    ann.published(make(), "--tag", "v0.1.0")
    ann.published(make("0.2.0", seed=6), "--tag", "v0.2.0")
    done = ann.run("diff", "acme/standups@v0.1.0", "acme/standups@v0.2.0", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["diff"]
    assert (found["before"], found["after"]) == ("standups 0.1.0", "standups 0.2.0")
    assert found["change"] == "major"
    assert [configs for _, configs in found["changed"]] == [["probes", "questions", "sessions"]] * 2
    assert found["warnings"] == []
    same = ann.run("diff", str(make()), "acme/standups@v0.1.0")
    assert same.stdout.startswith("standups 0.1.0 to standups 0.1.0: nothing changed\n")


@pytest.mark.parametrize(
    ("place", "code", "says"),
    [
        ("acme/standups@v9.9.9", 3, "acme/standups@v9.9.9"),
        ("acme/nothing", 3, "acme/nothing"),
        ("no-such-folder", 2, "there is no such folder"),
    ],
)
def test_what_cannot_be_compared(hub: Hub, ann: Client, make: Make, place: str, code: int, says: str) -> None:
    ann.published(make(), "--tag", "v0.1.0")
    done = ann.run("diff", str(make()), place)
    assert (done.returncode, done.stdout) == (code, ""), done.stderr
    assert says in done.stderr
    assert "hint: " in done.stderr
    assert "Traceback" not in done.stderr


# -- what is waited out, and what fails half way ----------------------------------------------------------------------


def test_a_busy_hub_is_waited_for(hub: Hub, ann: Client, make: Make) -> None:
    hub.fail("POST /api/repos/create", 429, headers={"Retry-After": "0"})
    hub.fail("POST .*/commit/main", 429, headers={"Retry-After": "0"})
    hub.fail("POST .*/commit/main", 504, after=True, headers={"Retry-After": "0"})
    hub.fail("POST .*/tag/", 503, after=True, headers={"Retry-After": "0"})
    told = ann.published(make(), "--tag", "v0.1.0")
    repo = hub.repos["acme/standups"]
    assert repo.tags == {"v0.1.0": told["commit"]}
    assert len(repo.commits) == 2, "one commit, although its answer was lost once"


FAULTS = {
    "GET /api/whoami-v2": (500, "nothing was changed"),
    "GET /api/datasets/acme/standups": (500, "nothing was changed"),
    "POST /api/validate-yaml": (500, "those of before"),
    "PUT /put/": (403, "those of before"),
    "POST .*/commit/main": (500, "those of before"),
    "POST .*/tag/": (500, "stand whole at commit"),
}


def test_a_failure_leaves_the_old_files_or_the_new_ones_and_says_which(hub: Hub, ann: Client, make: Make) -> None:
    old = ann.published(make(), "--tag", "v0.1.0")["commit"]
    repo, new, before = hub.repos["acme/standups"], make("0.2.0", seed=6), bytes_of(make("0.2.0", seed=6))
    for request, (status, says) in FAULTS.items():
        assert repo.branches == {"main": old}
        hub.fail(request, status, times=99)
        code, words = ann.refused(new, "--tag", "v0.2.0")
        hub.faults.clear()
        assert (code, says in words) == (3, True), words
        assert repo.tags == {"v0.1.0": old}
        assert bytes_of(new) == before
    assert held(hub)["manifest.json"] == (new / "manifest.json").read_bytes(), "the tag failed, the files were there"

    told = ann.published(new, "--tag", "v0.2.0")
    assert repo.tags == {"v0.1.0": old, "v0.2.0": told["commit"]}
    assert len(repo.commits) == 3


def test_a_commit_whose_answer_is_lost_for_good_counts(hub: Hub, ann: Client, make: Make) -> None:
    hub.fail("POST .*/commit/main", 500, after=True)
    told = ann.published(make(), "--tag", "v0.1.0")
    assert hub.repos["acme/standups"].branches["main"] == told["commit"]


def test_what_somebody_else_commits_meanwhile_is_not_overwritten(hub: Hub, ann: Client, make: Make) -> None:
    old = ann.published(make())["commit"]
    repo = hub.repos["acme/standups"]

    def commit() -> None:
        files = {**repo.at(old).files, "NOTES.md": repo.at(old).files["LICENSE"]}
        repo.branches["main"] = repo.add(files, "notes", old)

    hub.meanwhile["POST .*/preupload/"] = commit
    code, words = ann.refused(make("0.2.0", seed=6), "--tag", "v0.2.0")
    assert code == 3
    assert "somebody else changed the repository meanwhile" in words
    assert repo.at("main").title == "notes"
    assert repo.tags == {}
    ann.published(make("0.2.0", seed=6), "--tag", "v0.2.0")
    assert "NOTES.md" in held(hub, "v0.2.0")


def test_a_tag_that_somebody_else_sets_meanwhile_is_not_moved(hub: Hub, ann: Client, make: Make) -> None:
    old = ann.published(make())["commit"]
    repo = hub.repos["acme/standups"]
    hub.meanwhile["POST .*/tag/"] = lambda: repo.tags.update({"v0.2.0": old})
    code, words = ann.refused(make("0.2.0", seed=6), "--tag", "v0.2.0")
    assert code == 3
    assert "somebody else set the tag v0.2.0" in words
    assert repo.tags == {"v0.2.0": old}


def test_files_that_arrive_broken_are_not_tagged(hub: Hub, ann: Client, make: Make) -> None:
    hub.tampered = {"probes/test-00000-of-00001.parquet": b"PAR1"}
    code, words = ann.refused(make(), "--tag", "v0.1.0")
    assert code == 3
    assert "arrived other than they were sent: probes/test-00000-of-00001.parquet" in words
    assert hub.repos["acme/standups"].tags == {}


# -- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("token", "code", "says"),
    [
        ("", 3, "there is no token"),
        ("hf_" + "x" * 34, 3, "does not take the token"),
        (READ_ONLY, 3, "may only read"),
        (STRANGER, 3, "bob may not write to acme"),
    ],
)
def test_a_token_that_cannot_publish(hub: Hub, tmp_path: Path, make: Make, token: str, code: int, says: str) -> None:
    found, words = Client(hub.address, tmp_path, token=token).refused(make(), "--dry-run")
    assert found == code
    assert says in words
    assert "hint: " in words
    assert not hub.repos
    assert not [line for line in hub.seen if line.startswith(("POST", "PUT"))]


def test_the_token_may_stand_in_the_projects_env_file(hub: Hub, tmp_path: Path, make: Make) -> None:
    (tmp_path / ".env").write_text(f"HF_TOKEN={TOKEN}\n", "utf-8")
    done = Client(hub.address, tmp_path, token="").publish(make(), "--dry-run")
    assert done.returncode == 0, done.stderr
    assert TOKEN not in done.stdout + done.stderr


def test_no_network(tmp_path: Path, make: Make) -> None:
    code, words = Client("http://127.0.0.1:9", tmp_path).refused(make())
    assert code == 3
    assert "out of reach" in words
    code, words = Client("http://127.0.0.1:9", tmp_path).refused(make(), HF_HUB_OFFLINE="1")
    assert code == 3
    assert "HF_HUB_OFFLINE" in words


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--tag", "v2.0.0"], "not the version of the files, 0.1.0"),
        (["--pr", "--tag", "v0.1.0"], "leave out --tag"),
    ],
)
def test_choices_that_make_no_sense(hub: Hub, ann: Client, make: Make, more: list[str], says: str) -> None:
    code, words = ann.refused(make(), *more)
    assert code == 2
    assert says in words
    assert not [line for line in hub.seen if line.startswith(("POST", "PUT"))]


def test_a_tag_is_never_moved(hub: Hub, ann: Client, make: Make) -> None:
    ann.published(make(), "--tag", "v0.1.0")
    before = state(hub)
    code, words = ann.refused(make(seed=6), "--tag", "v0.1.0")
    assert code == 2
    assert "the tag v0.1.0 is there already" in words
    assert "raise version:" in words
    assert state(hub) == before


def test_a_tag_that_somebody_moved_is_told_and_left(hub: Hub, ann: Client, make: Make) -> None:
    old = ann.published(make(), "--tag", "v0.1.0")["commit"]
    repo = hub.repos["acme/standups"]
    repo.tags["v0.1.0"] = next(commit for commit in repo.commits if commit != old)
    before = state(hub)
    code, words = ann.refused(make(), "--tag", "v0.1.0")
    assert code == 2
    assert "the tag v0.1.0 is there already, for other files" in words
    assert state(hub) == before


def test_what_others_add_later_makes_no_new_version(hub: Hub, ann: Client, make: Make) -> None:
    old = ann.published(make(), "--tag", "v0.1.0")["commit"]
    repo = hub.repos["acme/standups"]
    files = {**repo.at(old).files, "NOTES.md": repo.at(old).files["LICENSE"]}
    repo.branches["main"] = repo.add(files, "notes", old)
    before = state(hub)
    ann.published(make(), "--tag", "v0.1.0")
    assert state(hub) == before


def test_the_tag_says_how_much_changed(hub: Hub, ann: Client, make: Make) -> None:
    ann.published(make("1.0.0"), "--tag", "v1.0.0")
    code, words = ann.refused(make("1.0.1", seed=6), "--tag", "v1.0.1")
    assert code == 2
    assert "gold or dialogues of some episodes changed" in words
    assert "version: 2.0.0" in words
    assert "v1.0.1" not in hub.repos["acme/standups"].tags
    ann.published(make("1.0.1"), "--tag", "v1.0.1")
    assert list(hub.repos["acme/standups"].tags) == ["v1.0.0", "v1.0.1"]


@pytest.mark.parametrize("files", [{"data.csv": b"a,b\n"}, {"manifest.json": b'{"suite": "standups"}'}])
def test_files_of_others_are_never_overwritten(hub: Hub, ann: Client, make: Make, files: dict[str, bytes]) -> None:
    hub.put("acme/standups", {".gitattributes": b"", **files}, private=True)
    before = state(hub)
    code, words = ann.refused(make())
    assert code == 2
    assert "the repository holds files that are no suite's" in words
    assert state(hub) == before


def test_another_suite_is_never_overwritten(hub: Hub, ann: Client, make: Make, tmp_path: Path) -> None:
    ann.published(make())
    repo = hub.repos["acme/standups"]
    files = held(hub)
    files["manifest.json"] = files["manifest.json"].replace(b'"suite": "standups"', b'"suite": "gyms"')
    hub.put("acme/standups", files, private=True)
    assert repo is not hub.repos["acme/standups"]
    code, words = ann.refused(make())
    assert code == 2
    assert "the suite 'gyms'" in words


def test_a_public_repository_takes_files_only_when_that_is_said(hub: Hub, ann: Client, make: Make) -> None:
    hub.put("acme/standups", {".gitattributes": b""})
    code, words = ann.refused(make())
    assert code == 2
    assert "the repository is public" in words
    ann.published(make(), "--public")


def corrupt(out: Path) -> None:
    shard = out / "sessions" / "test-00000-of-00001.parquet"
    data = shard.read_bytes()
    shard.write_bytes(data[:100] + bytes(64) + data[164:])


def edit_manifest(out: Path) -> None:
    path = out / "manifest.json"
    path.write_text(path.read_text("utf-8").replace('"probes": ', '"probes": 1'), "utf-8")


def lose(out: Path) -> None:
    (out / "trace" / "test-00000-of-00001.parquet").unlink()


def smuggle(out: Path) -> None:
    shutil.copy(out / "probes" / "test-00000-of-00001.parquet", out / "probes" / "test-00001-of-00001.parquet")


def relist(out: Path) -> None:
    """Bring the checksums up to date with the files."""
    names = [line.split("  ")[1] for line in (out / "checksums.sha256").read_text("utf-8").splitlines()]
    sums = "".join(f"{sha256((out / name).read_bytes()).hexdigest()}  {name}\n" for name in names)
    (out / "checksums.sha256").write_text(sums, "utf-8")


def counts_lie(out: Path) -> None:
    path = out / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    manifest["counts"]["probes"] += 1
    path.write_text(json.dumps(manifest), "utf-8")
    relist(out)


def shard_lies(out: Path) -> None:
    corrupt(out)
    relist(out)


def failed_judge(out: Path) -> None:
    path = out / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    line = {"gate": "judge", "validator": "grounding", "level": "session", "status": "failed", "passed": 1}
    manifest["gates"].append({**line, "failed": 2, "not_run": 0, "why": ["below the threshold"]})
    path.write_text(json.dumps(manifest), "utf-8")
    relist(out)


def too_strict(out: Path) -> None:
    """A gate that the texts cannot pass, as one that was tightened after the build."""
    path = out / "spec.json"
    spec = json.loads(path.read_text("utf-8"))
    spec["gates"]["session"]["checks"] = [{"validator": "roles", "options": {"max_characters": 10}}]
    path.write_text(json.dumps(spec), "utf-8")
    relist(out)


def no_commercial_use(out: Path) -> None:
    path = out / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    manifest["licenses"][0]["license"] = "CC-BY-NC-4.0"
    path.write_text(json.dumps(manifest), "utf-8")
    relist(out)


def leaked_key(out: Path) -> None:
    with (out / "CHANGELOG.md").open("a", encoding="utf-8") as file:
        file.write("\nbuilt with hf_" + "Q" * 34 + "\n")
    relist(out)


def private_file(out: Path) -> None:
    with (out / "checksums.sha256").open("a", encoding="utf-8") as file:
        file.write(f"{sha256((out / 'run.json').read_bytes()).hexdigest()}  run.json\n")


@pytest.mark.parametrize(
    ("harm", "code", "says"),
    [
        (corrupt, 1, "sessions/test-00000-of-00001.parquet is not the file that was built"),
        (edit_manifest, 1, "manifest.json is not the file that was built"),
        (too_strict, 1, "the gate session/roles fails"),
        (private_file, 2, "run.json is never published"),
    ],
)
def test_a_suite_that_is_not_what_it_says_is_refused(
    hub: Hub, ann: Client, make: Make, tmp_path: Path, harm: Callable[[Path], None], code: int, says: str
) -> None:
    out = harmed(make(), tmp_path, harm)
    found, words = ann.refused(out)
    assert says in words
    assert found == code
    assert not hub.repos
    assert not [line for line in hub.seen if line.startswith(("POST", "PUT"))]


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (lose, "trace/test-00000-of-00001.parquet is listed in checksums.sha256 but is not there"),
        (smuggle, "probes/test-00001-of-00001.parquet is not listed"),
        (counts_lie, "the counts are not those of the episodes"),
        (shard_lies, "it cannot be read"),
        (failed_judge, "the gate judge/grounding failed when the suite was built: below the threshold"),
        (no_commercial_use, "may not go into a suite under CC-BY-4.0: it allows no commercial use"),
        (leaked_key, "CHANGELOG.md holds what looks like a token of the Hugging Face Hub: hf_QQQQ..."),
    ],
)
def test_what_makes_a_suite_unfit(make: Make, tmp_path: Path, harm: Callable[[Path], None], says: str) -> None:
    out = harmed(make(), tmp_path, harm)
    with pytest.raises((Unfit, SuiteError)) as refused:
        check_fit(out, check_files(out), app.validate(out), outgoing(out, "acme/standups"))
    assert says in "\n".join([str(refused.value), *getattr(refused.value, "problems", ())])
    check_fit(make(), check_files(make()), app.validate(make()), outgoing(make(), "acme/standups"))


def harmed(suite: Path, folder: Path, harm: Callable[[Path], None]) -> Path:
    out = folder / "harmed"
    shutil.copytree(suite, out)
    harm(out)
    return out


def test_what_is_no_suite(ann: Client, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    code, words = ann.refused(tmp_path / "empty")
    assert code == 2
    assert "this is no built suite" in words
