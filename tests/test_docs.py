"""The project's papers agree with the project: version, systems, Pythons, what a release holds."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

import ragcli

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_version_stands_in_one_place_and_has_a_dated_entry() -> None:
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "ragcli/__init__.py"
    titles = re.findall(r"^## (.+)$", read("CHANGELOG.md"), re.MULTILINE)
    assert titles[0] == "[Unreleased]"
    assert re.fullmatch(rf"\[{re.escape(ragcli.__version__)}\] - \d{{4}}-\d\d-\d\d", titles[1])


def test_the_workflow_runs_the_pythons_and_systems_of_the_classifiers() -> None:
    classifiers = PROJECT["project"]["classifiers"]
    pythons = re.findall(r"Python :: (3\.\d+)", "\n".join(classifiers))
    workflow = read(".github/workflows/test.yml")
    [listed] = re.findall(r"python: \[(.+)\]", workflow)
    assert re.findall(r"3\.\d+", listed) == pythons == ["3.11", "3.12", "3.13", "3.14"]
    assert sum("Operating System" in line for line in classifiers) == 3
    assert "os: [ubuntu-latest, macos-latest, windows-latest]" in workflow


def test_type_hints_are_announced_and_shipped() -> None:
    assert "Typing :: Typed" in PROJECT["project"]["classifiers"]
    assert (ROOT / "ragcli" / "py.typed").is_file()


def test_a_source_release_holds_what_exists_and_no_tests() -> None:
    included = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"]
    assert [name for name in included if not (ROOT / name).exists()] == []
    assert {"tests", "benchmarks", "recipes"}.isdisjoint(included)


PAPERS = ["README.md", "CONTRIBUTING.md", *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md"))]
_FOLDERS = r"ragcli|tests|benchmarks|docs|recipes|sample_corpus|\.ci|\.github"


@pytest.mark.parametrize("name", PAPERS)
def test_files_and_links_lead_somewhere(name: str) -> None:
    text = read(name)
    files = re.findall(rf"(?<![\w/])((?:{_FOLDERS})/[\w./-]*\w)", text)
    assert [file for file in files if not (ROOT / file).exists()] == []
    for link, anchor in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", text):
        target = (ROOT / name).parent / link if link else ROOT / name
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), f"{link}#{anchor}"


def anchors(path: Path) -> set[str]:
    """The headings of a page as links name them."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_contributing_tells_of_every_registry() -> None:
    registries = {
        (match[1], path.relative_to(ROOT).as_posix(), match[2])
        for path in (ROOT / "ragcli").rglob("*.py")
        for match in re.finditer(
            r"^(\w+): Registry\[.*\] = Registry\(\s*\"(\w+)\"",
            path.read_text(encoding="utf-8"),
            re.M,
        )
    }
    assert len(registries) == 7
    rows = re.findall(r"`(\w+)` in `([\w/.]+)` \| `ragcli\.(\w+)`", read("CONTRIBUTING.md"))
    assert set(rows) == registries


ROOMS = [
    {"core", "corpus", "datasets", "store", "models"},
    {"answering"},
    {"indexing", "evaluation"},
    {"training"},
    {"api.py"},
    {"cli"},
]
"""From the lowest to the highest; what is not here lies below all of them."""
HOP = re.compile(r"^( *)- `([\w/]+\.py): ([\w.]+)`", re.M)


def walks() -> dict[str, list[tuple[int, str, str]]]:
    """Each walk of docs/design.md: (depth, file, name) of its hops in their order."""
    sections = read("docs/design.md").partition("## Walks")[2].split("\n### ")[1:]
    return {
        section.partition("\n")[0]: [
            (len(i) // 2, file, name) for i, file, name in HOP.findall(section)
        ]
        for section in sections
    }


def defined(file: str) -> set[str]:
    """`function`, `Class` and `Class.method` of a file."""
    names = set()
    for node in ast.parse(read(f"ragcli/{file}")).body:
        if isinstance(node, ast.ClassDef):
            inner = [n.name for n in node.body if isinstance(n, ast.FunctionDef)]
            names |= {node.name, *(f"{node.name}.{name}" for name in inner)}
        elif isinstance(node, ast.FunctionDef):
            names.add(node.name)
    return names


def height(file: str) -> int:
    room = file.split("/")[0]
    return next((n for n, rooms in enumerate(ROOMS) if room in rooms), -1)


def test_every_room_is_described() -> None:
    table = read("docs/design.md").partition("## The rooms")[2].partition("## ")[0]
    described = {name.strip("`/").removesuffix(".py") for name in re.findall(r"`[\w./]+`", table)}
    parts = {path.stem for path in (ROOT / "ragcli").glob("[!_]*.py")}
    parts |= {path.parent.name for path in (ROOT / "ragcli").glob("*/__init__.py")}
    assert parts - described == set()


def test_the_walks_are_those_of_the_commands() -> None:
    named = ["build-index", "ask", "update-index", "train", "evaluate", "swap-experiment"]
    assert list(walks()) == [f"rag {name}" for name in named]


@pytest.mark.parametrize("walk", walks())
def test_a_walk_exists_and_goes_down(walk: str) -> None:
    above: list[str] = []
    hops = walks()[walk]
    assert len(hops) > 5
    assert hops[0][1].startswith("cli/")
    for depth, file, name in hops:
        assert name in defined(file), f"{file} has no {name}"
        if depth:
            caller = above[depth - 1]
            called = name.split(".")[-1]
            assert re.search(rf"\b{called}\b", read(f"ragcli/{caller}")), (
                f"{caller} calls no {name}"
            )
            assert height(file) <= height(caller), f"{caller} calls upwards: {file}"
        above[depth:] = [file]
