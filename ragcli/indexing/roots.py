"""The paths that a version was built from, its roots, and which of them a new path is a part of.

A document's `source` begins with its root as it was named then; `Manifest.roots` says where that
was. So a folder can be refreshed from any place, and without the others.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ragcli.store.manifest import Manifest

STDIN = "-"
Place = tuple[int, tuple[tuple[bool, str], ...]]
"""The number of a root, and a path below it, as a reader of the corpus comes by: files first."""


@dataclass(frozen=True, slots=True)
class Part:
    """A root by its number, or what lies `below` it; empty is all of it."""

    root: int
    below: str

    def holds(self, other: Part) -> bool:
        """Whether `other` is this part or lies in it."""
        inside = not self.below or f"{other.below}{os.sep}".startswith(f"{self.below}{os.sep}")
        return self.root == other.root and inside

    @property
    def place(self) -> Place:
        *folders, name = self.below.split(os.sep)
        return self.root, (*((True, folder) for folder in folders), (False, name))


def roots_of(sources: Iterable[str]) -> tuple[str, ...]:
    """Where the paths that a corpus is read from are, whatever folder one is in."""
    return tuple(path if path == STDIN else os.path.realpath(path) for path in sources)


class Roots:
    """The roots of a version by number: `sources` as they were named, and the `paths` they are."""

    def __init__(self, sources: Sequence[str], paths: Sequence[str] | None = None) -> None:
        self.sources, self._here = tuple(sources), roots_of(sources)
        self.paths = self._here if paths is None else tuple(paths)

    @classmethod
    def of(cls, manifest: Manifest) -> Roots:
        """The roots of a version.

        Releases up to 0.1.0 did not note where they are, and folders move: then a root is what its
        name means in the folder one is in.
        """
        here = roots_of(manifest.sources)
        noted = manifest.roots if len(manifest.roots) == len(here) else here
        both = zip(noted, here, strict=True)
        return cls(manifest.sources, [path if os.path.exists(path) else now for path, now in both])

    def with_more(self, sources: Sequence[str]) -> Roots:
        """These roots and others; what names another place already is spelled out."""
        more = zip(sources, roots_of(sources), strict=True)
        named = [path if name in self.sources else name for name, path in more]
        return Roots((*self.sources, *named), (*self.paths, *roots_of(named)))

    def parts(self, path: str) -> list[Part]:
        """The parts that a path is: none for one outside of the roots."""
        if path == STDIN:
            return [Part(number, "") for number, at in enumerate(self.paths) if at == STDIN]
        folder, name = os.path.split(os.path.abspath(path))
        spelled = (os.path.realpath(path), os.path.join(os.path.realpath(folder), name))
        parts = []
        for number, root in enumerate(self.paths):
            below = (_below(real, root) for real in spelled)
            if (found := next((each for each in below if each is not None), None)) is not None:
                parts.append(Part(number, found))
        return parts

    def find(self, source: str) -> Part | None:
        """The part that a document's source is."""
        for number, (name, path) in enumerate(zip(self.sources, self.paths, strict=True)):
            for root in ("stdin",) if name == STDIN else (name, path):
                if (below := _below(source, root)) is not None:
                    return Part(number, below)
        return None

    def spelled(self, part: Part) -> tuple[str, str]:
        """The path of a part and that of its root, as a build from the root would spell them."""
        number = part.root
        same = self._here[number] == self.paths[number]
        root = (self.sources if same else self.paths)[number]
        return os.path.join(root, part.below) if part.below else root, root

    def in_order(self, parts: Iterable[Part]) -> list[Part]:
        """Parts as a build would come by them, without those that lie in another."""

        def first(part: Part) -> Place:
            """Where its first file may stand."""
            is_folder = os.path.isdir(os.path.join(self.paths[part.root], part.below))
            return Part(part.root, os.path.join(part.below, "") if is_folder else part.below).place

        whole: list[Part] = []
        for part in sorted(set(parts), key=lambda part: len(part.below)):
            if not any(other.holds(part) for other in whole):
                whole.append(part)
        return sorted(whole, key=first)

    def is_gone(self, part: Part) -> bool:
        """Whether a part is a single file that was named, and is no longer there."""
        path = self.paths[part.root]
        return not part.below and path != STDIN and not os.path.lexists(path)


def _below(path: str, root: str) -> str | None:
    """What of a path follows its root; None if it is not there."""
    if path == root:
        return ""
    inside = os.path.join(root, "")
    return path[len(inside) :].lstrip(os.sep) if path.startswith(inside) else None
