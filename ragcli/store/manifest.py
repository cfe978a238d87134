"""What an index version says about itself: manifest.json, read without numpy, Arrow or FAISS."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import chain, count, takewhile
from pathlib import Path
from typing import Any

from ragcli.digests import file_digest
from ragcli.errors import CorruptIndexError, RagError
from ragcli.settings import Chunking, EncoderSettings
from ragcli.store.files import replace_file, unreadable

SCHEMA = 2
METRIC = "inner_product"
MANIFEST, FAISS, ORIGINS = "manifest.json", "index.faiss", "places.arrow"
"""`ORIGINS` says where in the corpus each passage was found (see passages.py)."""
PASSAGES, EMBEDDINGS = "passages", "embeddings"
"""The two tables of a version. Each lies in shards that versions share, with a list of its rows."""


def shard_name(table: str, number: int) -> str:
    """`passages-0.arrow`, `embeddings-12.npy`."""
    return f"{table}-{number}{'.arrow' if table == PASSAGES else '.npy'}"


def rows_name(table: str) -> str:
    """The file that says, for each row, where it stands in the table's shards laid end to end."""
    return f"{table}.rows.npy"


def shard_names(files: Iterable[str], table: str) -> list[str]:
    """The shards of a table among `files`, in their order."""
    there = set(files)
    return list(takewhile(there.__contains__, (shard_name(table, number) for number in count())))


_TABLES = (PASSAGES, EMBEDDINGS)
SMALL = (ORIGINS, *map(rows_name, _TABLES))
"""Files of a few bytes a passage, which every opening checks whole."""
_ALWAYS = (FAISS, *SMALL, *(shard_name(table, 0) for table in _TABLES))


_LATER = ("roots", "sequence")


@dataclass(frozen=True, slots=True)
class FileRecord:
    """The sha256 and the size of one file of a version."""

    sha256: str
    bytes: int

    @classmethod
    def of(cls, path: Path) -> FileRecord:
        """The record of a file that is whole."""
        return cls(file_digest(path), path.stat().st_size)

    def damage(self, path: Path, digest: Callable[[Path], str] | None = file_digest) -> str | None:
        """What is wrong with the file at `path`, or None; with `digest=None` only sizes count."""
        try:
            size = path.stat().st_size
            if size != self.bytes:
                return f"{size} bytes, the manifest says {self.bytes}"
            same = digest is None or digest(path) == self.sha256
        except OSError as error:
            found = unreadable(path, error)
            if not isinstance(found, CorruptIndexError):
                raise found from None
            return error.strerror or str(error)
        return None if same else "its sha256 is not the one in the manifest"


@dataclass(frozen=True, slots=True)
class Counts:
    """How much an index version holds; `words` counts the words of all passages."""

    documents: int
    passages: int
    words: int


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a version came from: `how` it was made (build, update, delete, dpr), and of what.

    `parent` is the version it started from; the numbers count documents against that version, and
    `embedded` the passages that went through the encoder.
    """

    how: str = "build"
    parent: str | None = None
    added: int = 0
    changed: int = 0
    removed: int = 0
    embedded: int = 0


@dataclass(frozen=True, slots=True)
class Recall:
    """Measured when the version was made: the share of the exact top-k that its search found.

    The queries were stored passages, drawn with the seed.
    """

    k: int
    queries: int
    value: float


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything that decides what an index version answers, and the digests of its files.

    `corpus_digest` is a sha256 over the ids and content digests of all passages in their order, so
    two versions of equal corpora have it in common. `sources` are the paths it was built from, as
    they were named, and `roots` where they were. `type` is the FAISS type that was asked for,
    `factory` the FAISS factory string it became. `sequence` numbers the versions of an index in the
    order in which they came into the store, whatever the clock said. Releases up to 0.1.0 noted
    neither roots nor a sequence.
    """

    name: str
    version: str
    created: str
    ragcli: str
    corpus_digest: str
    sources: tuple[str, ...]
    chunking: Chunking
    encoder: EncoderSettings
    dimension: int
    type: str
    factory: str
    counts: Counts
    seed: int
    files: Mapping[str, FileRecord]
    origin: Origin = Origin()
    recall: Recall | None = None
    roots: tuple[str, ...] = ()
    sequence: int = 0
    metric: str = METRIC
    schema: int = SCHEMA

    @property
    def bytes(self) -> int:
        """The size of all files together."""
        return sum(record.bytes for record in self.files.values())

    def shards(self, table: str) -> list[str]:
        """The names of a table's shards, in their order."""
        return shard_names(self.files, table)

    def to_json(self) -> dict[str, Any]:
        """The manifest as JSON values, the schema first."""
        paths = {"sources": list(self.sources), "roots": list(self.roots)}
        return {"schema": self.schema} | asdict(self) | paths

    @classmethod
    def from_json(cls, record: Any, where: str) -> Manifest:
        """The manifest that `to_json` wrote; `where` names the file in errors."""
        if not isinstance(record, dict) or not isinstance(record.get("schema"), int):
            raise CorruptIndexError(f"{where}: not the manifest of an index version")
        if record["schema"] != SCHEMA:
            other = f"schema {record['schema']}, and this ragcli reads schema {SCHEMA}"
            hint = "use the ragcli that built this version, or build it again"
            raise CorruptIndexError(f"{where}: {other}", hint)
        import msgspec

        try:
            manifest = msgspec.convert(record, cls)
            if wrong := next(manifest._problems(record), None):
                raise ValueError(wrong)
        except (msgspec.ValidationError, ValueError, RagError) as error:
            raise CorruptIndexError(f"{where}: a damaged manifest: {error}") from None
        return manifest

    def _problems(self, record: dict[str, Any]) -> Iterator[str]:
        """What is wrong with the record, of all that the types of the fields leave open."""
        known = self.to_json()
        yield from (f"no {name}" for name in known if name not in record and name not in _LATER)
        named = {name: record[name] for name in known if name in record}
        yield from (f"{name!r} is not known" for name in _unknown(named, known))
        if missing := [name for name in _ALWAYS if name not in self.files]:
            yield f"no record of {', '.join(missing)}"
        ours = {*_ALWAYS, *chain.from_iterable(map(self.shards, _TABLES))}
        yield from (f"{name!r} is no file of a version" for name in self.files if name not in ours)
        if any(file.bytes < 0 for file in self.files.values()):
            yield "a file of negative size"
        try:
            datetime.fromisoformat(self.created)
        except ValueError:
            yield f"{self.created!r:.60} is no time"
        if self.recall is not None and not 0 <= self.recall.value <= 1:
            yield f"a recall of {self.recall.value}"
        if self.metric != METRIC:
            yield f"metric {self.metric!r}, only {METRIC} is supported"

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """The manifest of the version in `folder`, whose own digest is always checked."""
        path = folder / MANIFEST
        try:
            data = path.read_bytes()
        except OSError as error:
            raise unreadable(path, error) from None
        return parse_manifest(data, str(path))

    def write(self, folder: Path) -> None:
        """Put the manifest into the folder of its version, whole."""
        replace_file(folder / MANIFEST, rendered(self.to_json()))


def _unknown(record: dict[str, Any], known: dict[str, Any]) -> Iterator[str]:
    """The keys of a record, and of those inside it, that are not among those known."""
    for name, value in record.items():
        if name not in known:
            yield name
        elif isinstance(value, dict):
            yield from _unknown(value, known[name])


def parse_manifest(data: bytes, where: str) -> Manifest:
    """The manifest in `data`, if every byte of it is as `rendered` gives it."""
    try:
        record = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise CorruptIndexError(f"{where}: not JSON: {error}") from None
    manifest = Manifest.from_json(record, where)
    record.pop("sha256", None)
    if rendered(record) != data:
        raise CorruptIndexError(f"{where}: its sha256 is not the one it gives")
    return manifest


def rendered(record: dict[str, Any]) -> bytes:
    """The JSON values of a manifest as its file holds them, with a digest of them at the end."""
    digest = hashlib.sha256(json.dumps(record).encode()).hexdigest()
    text = json.dumps(record | {"sha256": digest}, indent=2, ensure_ascii=False)
    return text.encode(errors="surrogatepass") + b"\n"  # as a path may hold any byte
