"""What an index version says about itself: manifest.json, read without numpy, Arrow or FAISS."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from ragcli.errors import CorruptIndexError, RagError
from ragcli.settings import Chunking, EncoderSettings

SCHEMA = 1
METRIC = "inner_product"
MANIFEST, PASSAGES, EMBEDDINGS, FAISS = (
    "manifest.json",
    "passages.arrow",
    "embeddings.npy",
    "index.faiss",
)
FILES = (PASSAGES, EMBEDDINGS, FAISS)


@dataclass(frozen=True, slots=True)
class FileRecord:
    """The sha256 and the size of one file of a version."""

    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Counts:
    """How much an index version holds; `words` counts the words of all passages."""

    documents: int
    passages: int
    words: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything that decides what an index version answers, and the digests of its files.

    `corpus_digest` is a sha256 over the ids and content digests of all passages in their order, so
    two versions of equal corpora have it in common. `type` is the FAISS type that was asked for,
    `factory` the FAISS factory string it became.
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
    metric: str = METRIC
    schema: int = SCHEMA

    @property
    def bytes(self) -> int:
        """The size of all files together."""
        return sum(record.bytes for record in self.files.values())

    def to_json(self) -> dict[str, Any]:
        """The manifest as JSON values, the schema first."""
        return {"schema": self.schema} | asdict(self) | {"sources": list(self.sources)}

    @classmethod
    def from_json(cls, record: Any, source: str) -> Manifest:
        """The manifest that `to_json` wrote; `source` names the file in errors."""
        if not isinstance(record, dict) or not isinstance(record.get("schema"), int):
            raise CorruptIndexError(f"{source}: not the manifest of an index version")
        if record["schema"] != SCHEMA:
            raise CorruptIndexError(
                f"{source}: schema {record['schema']}, and this ragcli reads schema {SCHEMA}",
                hint="use the ragcli that built this version, or build it again",
            )
        values: dict[str, Any] = {field.name: record.get(field.name) for field in fields(cls)}
        try:
            return cls(
                **values
                | {
                    "sources": tuple(record["sources"]),
                    "chunking": Chunking(**record["chunking"]),
                    "encoder": EncoderSettings(**record["encoder"]),
                    "counts": Counts(**record["counts"]),
                    "files": {name: FileRecord(**file) for name, file in record["files"].items()},
                }
            )._checked()
        except (KeyError, TypeError, ValueError, AttributeError, RagError) as error:
            raise CorruptIndexError(f"{source}: a damaged manifest: {error}") from None

    def _checked(self) -> Manifest:
        strings = (self.name, self.version, self.created, self.corpus_digest, self.factory)
        numbers = (self.dimension, self.seed, self.counts.passages, self.counts.documents)
        if not all(isinstance(value, str) for value in strings):
            raise ValueError("a text is missing")
        if not all(isinstance(value, int) for value in numbers):
            raise ValueError("a number is missing")
        if missing := [name for name in FILES if name not in self.files]:
            raise ValueError(f"no record of {', '.join(missing)}")
        if self.metric != METRIC:
            raise ValueError(f"metric {self.metric!r}, only {METRIC} is supported")
        return self


def read_manifest(folder: Path) -> Manifest:
    """The manifest of the version in `folder`."""
    path = folder / MANIFEST
    try:
        record = json.loads(path.read_bytes())
    except OSError as error:
        raise CorruptIndexError(
            f"{path}: cannot be read: {error.strerror}", hint="build this version again"
        ) from None
    except ValueError as error:
        raise CorruptIndexError(
            f"{path}: not JSON: {error}", hint="build this version again"
        ) from None
    return Manifest.from_json(record, str(path))
