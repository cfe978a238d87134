"""A version as one file: Parquet for other tools, and an archive for ragcli itself.

An archive is tar inside zstd, the manifest first, then the files it names.

Archives come from anywhere, so nothing in one is believed before it is checked: only the plain
files that the manifest names are taken, each under a name we know, of the size and the sha256 that
the manifest gives, and never more bytes are unpacked than it promises.
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import IO, Any

import numpy as np

from ragcli.errors import CorruptIndexError, SettingsError, StoreError
from ragcli.protocols import Progress
from ragcli.records import Passage
from ragcli.store.files import nobody, replacing, require_space, valid_name, writing
from ragcli.store.manifest import FAISS, MANIFEST, FileRecord, Manifest, parse_manifest, rendered
from ragcli.store.store import Store
from ragcli.store.version import BuildFolder, IndexVersion

FOLDER = "ragcli-index"
_LARGEST_MANIFEST = 1 << 24
_LARGEST_WINDOW = 1 << 27
_HEADERS = 1 << 16
_BLOCK = 1 << 20
_ROWS = 4096
_COLUMNS = "id document title text source line start end digest metadata embedding".split()


def export_parquet(index: IndexVersion, path: Path, progress: Progress = nobody) -> None:
    """One row a passage, in the order of the index; `embedding` is d(z), `metadata` JSON.

    The manifest stands in the file's own metadata under `ragcli.manifest`.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    vector = pa.list_(pa.float32(), index.manifest.dimension)
    types = {"embedding": vector} | dict.fromkeys(("line", "start", "end"), pa.int64())
    schema = pa.schema(
        [(name, types.get(name, pa.large_string())) for name in _COLUMNS],
        metadata={"ragcli.manifest": json.dumps(_portable(index.manifest).to_json())},
    )
    with (
        writing(path.absolute().parent),
        replacing(path) as stream,
        pq.ParquetWriter(stream, schema, compression="zstd") as writer,
    ):
        for start, block in zip(count(0, _ROWS), index.passages.blocks(_ROWS), strict=False):
            columns = {name: [getattr(p, name) for p in block] for name in Passage.__slots__}
            columns["document"] = columns["document_id"]
            columns["metadata"] = [json.dumps(dict(p.metadata), ensure_ascii=False) for p in block]
            vectors = pa.array(index.embeddings[start : start + len(block)].reshape(-1))
            columns["embedding"] = pa.FixedSizeListArray.from_arrays(vectors, type=vector)
            writer.write_table(pa.Table.from_pydict(columns, schema))
            progress(len(block))


def export_archive(index: IndexVersion, path: Path, progress: Progress = nobody) -> None:
    """Write an open version to `path`, without passages that it shares but no longer uses."""
    with (
        _packed(index, path.absolute().parent) as (folder, manifest),
        ExitStack() as stack,
        writing(path.absolute().parent),
        replacing(path) as stream,
    ):
        import zstandard

        # All are opened first: what is open stays readable when the version is removed.
        files = [stack.enter_context(open(folder / name, "rb")) for name in manifest.files]
        about = rendered(_portable(manifest).to_json())
        compressor = zstandard.ZstdCompressor(level=3, write_checksum=True)
        with (
            compressor.stream_writer(stream, closefd=False) as packed,
            tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as tar,
        ):
            _add(tar, MANIFEST, len(about), io.BytesIO(about))
            for (name, record), file in zip(manifest.files.items(), files, strict=True):
                _add(tar, name, record.bytes, file)
                progress(record.bytes)


def _add(tar: tarfile.TarFile, name: str, size: int, file: IO[bytes]) -> None:
    """Write an open file."""
    member = tarfile.TarInfo(f"{FOLDER}/{name}")  # no owner, no date: the same bytes each time
    member.size = size
    tar.addfile(member, file)


def _portable(manifest: Manifest) -> Manifest:
    """A manifest that does not tell where on this machine the documents are."""
    return replace(manifest, roots=())


@contextmanager
def _packed(index: IndexVersion, where: Path) -> Iterator[tuple[Path, Manifest]]:
    """The folder of a version whose shards hold nothing but its rows."""
    tables = (index.passages, index.embeddings)
    if all(len(np.unique(table.rows)) == sum(table.sizes) for table in tables):
        yield index.folder, index.manifest
        return
    with writing(where), tempfile.TemporaryDirectory(prefix=".ragcli-", dir=where) as temporary:
        store = Store(temporary)
        with store.build(index.name, index.version) as folder:
            manifest = repack(index, folder)
        yield store.versions_folder(index.name) / index.version, manifest


def repack(index: IndexVersion, folder: BuildFolder) -> Manifest:
    """Publish a copy of a version without rows it no longer uses; its FAISS file stays valid."""
    from ragcli.store.tables import EmbeddingBuilder, PassageBuilder

    builder = PassageBuilder(folder, index)
    for passage in index.passages:
        builder.add(passage)
    written = builder.finish(purge=True)
    EmbeddingBuilder(folder, written, index).finish(None, purge=True)
    written.close()
    folder.link(index, FAISS, folder.path / FAISS)
    return folder.publish(replace(index.manifest, files={}))


def import_archive(
    store: Store,
    path: Path,
    name: str | None = None,
    version: str | None = None,
    activate: bool = True,
    progress: Progress = nobody,
    agree: Callable[[Manifest], None] | None = None,
) -> Manifest:
    """Unpack an archive into the store, as the index and version it names or as those given.

    `agree` sees the manifest before anything is unpacked, and may raise.
    """
    with _reading(path) as (stream, tar):
        manifest = _portable(_manifest(tar))
        if agree is not None:
            agree(manifest)
        named = replace(manifest, name=name or manifest.name, version=version or manifest.version)
        with store.build(named.name, named.version) as folder:
            require_space(folder.path, manifest.bytes)
            for file, member in _members(stream, tar, manifest):
                _unpack(tar, member, folder.path / file, manifest.files[file])
                progress(member.size)
            return folder.publish(named, activate, _require_numbers)


def _require_numbers(index: IndexVersion) -> None:
    """Checksums only say that vectors are those that were packed."""
    for start in range(0, len(index), _ROWS):
        if not np.isfinite(index.vectors(slice(start, start + _ROWS))).all():
            raise _Refused("a vector holds what is no number")


class _Refused(Exception):
    """What is wrong with an archive."""


class _Limited(io.RawIOBase):
    """Unpacked bytes, of which no more may be read than `left`."""

    def __init__(self, stream: Any, allowed: int) -> None:
        self._stream, self.left = stream, allowed

    def read(self, size: int = -1) -> bytes:
        data: bytes = self._stream.read(min(size, self.left + 1) if size >= 0 else self.left + 1)
        self.left -= len(data)
        if self.left < 0:
            raise _Refused("it unpacks to more than its manifest says")
        return data


@contextmanager
def _reading(path: Path) -> Iterator[tuple[_Limited, tarfile.TarFile]]:
    import zstandard

    try:
        packed = open(path, "rb")  # noqa: SIM115 (an error of what follows is not of this file)
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        with packed:
            unpacker = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
            unpacked = unpacker.stream_reader(packed, read_size=_BLOCK)
            stream = _Limited(unpacked, _LARGEST_MANIFEST)
            with tarfile.open(fileobj=stream, mode="r|") as tar:
                yield stream, tar
    except (_Refused, zstandard.ZstdError, tarfile.TarError, EOFError) as error:
        reason = error if isinstance(error, _Refused) else "it is not a whole archive"
        hint = "an archive is made by: rag export-index FILE.tar.zst"
        raise StoreError(f"{path}: refused, {reason}", hint) from None


def _manifest(tar: tarfile.TarFile) -> Manifest:
    member = _next(tar)
    if member is None or member.name != f"{FOLDER}/{MANIFEST}" or not member.isreg():
        raise _Refused("it does not begin with the manifest of an index version")
    if member.size > _LARGEST_MANIFEST:
        raise _Refused("its manifest is too large")
    try:
        manifest = parse_manifest(_open(tar, member).read(), MANIFEST)
        for name, kind in ((manifest.name, "index"), (manifest.version, "version")):
            valid_name(name, kind)
        return manifest
    except (CorruptIndexError, SettingsError) as error:
        raise _Refused(error.message) from None


def _next(tar: tarfile.TarFile) -> tarfile.TarInfo | None:
    try:
        return tar.next()
    except (ValueError, OverflowError, RecursionError) as error:
        raise _Refused(f"it is not a whole archive: {error}") from None


def _members(
    stream: _Limited, tar: tarfile.TarFile, manifest: Manifest
) -> Iterator[tuple[str, tarfile.TarInfo]]:
    """The files that the manifest names, each once and nothing else.

    A header may take little, whatever the files may: tarfile reads headers into memory.
    """
    left = set(manifest.files)
    stream.left = _HEADERS
    while member := _next(tar):
        name = member.name.removeprefix(f"{FOLDER}/")
        if member.name != f"{FOLDER}/{name}" or not member.isreg() or name not in left:
            raise _Refused(f"{member.name!r} is not a file of its manifest")
        if member.size != manifest.files[name].bytes:
            raise _Refused(f"{name} is not as long as its manifest says")
        left.remove(name)
        stream.left = member.size + _HEADERS
        yield name, member
        stream.left = _HEADERS
    if left:
        raise _Refused(f"{', '.join(sorted(left))} is missing")


def _open(tar: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    stream = tar.extractfile(member)
    if stream is None or member.sparse is not None:
        raise _Refused(f"{member.name!r} is not a plain file")
    return stream


def _unpack(tar: tarfile.TarFile, member: tarfile.TarInfo, path: Path, record: FileRecord) -> None:
    digest = hashlib.sha256()
    with _open(tar, member) as stream, open(path, "wb") as target:
        while block := stream.read(_BLOCK):
            digest.update(block)
            target.write(block)
    if digest.hexdigest() != record.sha256:
        raise _Refused(f"the sha256 of {path.name} is not the one in its manifest")
