"""Files that others are packed in: gzip, Zstandard and zip; and safe XML out of them.

A few bytes can hold gigabytes, and a line of XML billions of characters, so there are limits, and
whatever a library says of a broken file is told in one line.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, BinaryIO, cast

from ragcli.corpus.readers import InputFile
from ragcli.errors import CorpusError, RagError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element
    from zipfile import ZipFile

LARGEST = 256 << 20
"""Bytes that are taken in at once, or unpacked from a file however small it is."""
RATIO = 200
"""What a file is unpacked to beyond that, in bytes for each byte it has: text comes to 20."""
_WINDOW = 1 << 27
_LITTLE = 1 << 10
"""Packed bytes taken at a time: they unpack to some 30 MB at the most."""
_OLE = b"\xd0\xcf\x11\xe0"
_SKIP = "remove the file, or go on without it: --on-error skip"
_FOREIGN = (RuntimeError, LookupError, AttributeError, TypeError, ValueError, ArithmeticError)


@contextmanager
def parsing(file: InputFile, what: str) -> Iterator[None]:
    """Whatever a library says of a broken file becomes one line; `what` it should have been."""
    try:
        yield
    except (RagError, OSError, MemoryError):
        raise
    except Exception as error:  # parsers fail in any way over files that are broken in any way
        from defusedxml import DefusedXmlException

        bare = isinstance(error, _FOREIGN) or not str(error)
        reason = " ".join((f"{type(error).__name__}: {error}" if bare else str(error)).split())[
            :200
        ]
        if isinstance(error, DefusedXmlException):
            reason = "its XML defines entities, which can grow without end"
        raise CorpusError(f"cannot be read as {what}: {reason}", file.path, hint=_SKIP) from error


def all_bytes(lines: Iterable[bytes], file: InputFile, largest: int = LARGEST) -> bytes:
    """Everything in a file, if it can be taken in at once."""
    parts, size = [], 0
    for line in lines:
        parts.append(line)
        if (size := size + len(line)) > largest:
            raise too_large(file, largest)
    return b"".join(parts)


def seekable(lines: Iterable[bytes], file: InputFile) -> BinaryIO:
    """The file as it is if it is one, else what has come through the pipe."""
    if isinstance(lines, io.BufferedReader | io.BytesIO) and lines.seekable():
        return lines
    return io.BytesIO(all_bytes(lines, file))


def too_large(file: InputFile, largest: int) -> CorpusError:
    """The error for what goes beyond a limit."""
    return CorpusError(
        f"more than {largest >> 20} MB, which this format is read whole from",
        file.path,
        hint="split it, or go on without it: --on-error skip",
    )


def unpacked(stream: BinaryIO, suffix: str, size: int, file: InputFile) -> Iterator[bytes]:
    """The lines of a file packed as its suffix says."""
    import gzip

    allowed = max(LARGEST, RATIO * size)
    with parsing(file, f"a {suffix} file"):
        try:
            with PACKED[suffix](stream) as opened:
                while line := opened.readline(LARGEST):
                    if (allowed := allowed - len(line)) < 0:
                        message = f"unpacks to more than {RATIO} times its size"
                        raise CorpusError(message, file.path, hint=_SKIP)
                    yield line
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            message = f"cannot be read as a {suffix} file: {error}"
            raise CorpusError(message, file.path, hint=_SKIP) from None


def _gzip(stream: BinaryIO) -> IO[bytes]:
    import gzip

    return cast("IO[bytes]", gzip.open(stream, "rb"))


class _Zstandard(io.RawIOBase):
    """Zstandard frames unpacked one by one; one that is cut off is an error, not an end."""

    def __init__(self, stream: BinaryIO) -> None:
        from zstandard import ZstdDecompressor

        self._stream, self._packed, self._told = stream, b"", b""
        self._begin = ZstdDecompressor(max_window_size=_WINDOW).decompressobj
        self._frame = self._begin()
        self._inside = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._told:
            packed = self._packed or self._stream.read(_LITTLE)
            if not packed and self._inside:
                raise EOFError("it ends too early")
            if not packed:
                return 0
            self._told, self._packed = self._frame.decompress(packed), b""
            self._inside = not self._frame.eof
            if not self._inside:
                self._packed, self._frame = self._frame.unused_data, self._begin()
        size = min(len(buffer), len(self._told))
        buffer[:size], self._told = self._told[:size], self._told[size:]
        return size


def _zstd(stream: BinaryIO) -> IO[bytes]:
    return io.BufferedReader(_Zstandard(stream), 1 << 16)


PACKED: dict[str, Callable[[BinaryIO], IO[bytes]]] = {".gz": _gzip, ".zst": _zstd}
"""What opens a packed file, by suffix."""


@contextmanager
def unzipped(lines: Iterable[bytes], file: InputFile, what: str) -> Iterator[ZipFile]:
    """A document that is a zip of parts, none of which unpacks to more than one can hold."""
    from zipfile import BadZipFile, ZipFile

    stream = seekable(lines, file)
    if stream.read(len(_OLE)) == _OLE:
        raise locked(file, "it is encrypted, or of a version before 2007")
    with parsing(file, what):
        try:
            archive = ZipFile(stream)
        except BadZipFile:
            message = f"cannot be read as {what}: not a whole zip file"
            raise CorpusError(message, file.path, hint=_SKIP) from None
        with archive:
            infos = archive.infolist()
            if any(info.flag_bits & 1 for info in infos):
                raise locked(file, "it is encrypted")
            told = (".xml", ".rels", ".html", ".xhtml", ".htm")
            if sum(i.file_size for i in infos if i.filename.lower().endswith(told)) > LARGEST:
                message = f"its parts unpack to more than {LARGEST >> 20} MB"
                raise CorpusError(message, file.path, hint=_SKIP)
            yield archive


def locked(file: InputFile, why: str) -> CorpusError:
    """The error for what needs a password."""
    hint = "save it without a password, or go on without it: --on-error skip"
    return CorpusError(f"cannot be read: {why}", file.path, hint=hint)


def local(tag: object) -> str:
    """The name of an element without its namespace; comments have none."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element | None, name: str) -> str:
    """An attribute of any namespace; empty if there is none."""
    found = {} if element is None else element.attrib
    return next((value for key, value in found.items() if local(key) == name), "")


def parsed(data: bytes) -> Element:
    """A small part of XML, whole; entities are refused."""
    from defusedxml.ElementTree import fromstring

    return fromstring(data)


def outermost(stream: IO[bytes], wanted: Collection[str]) -> Iterator[Element]:
    """The outermost elements of some names, one at a time; each is let go once it was seen."""
    from defusedxml.ElementTree import iterparse

    opened: list[Element] = []
    inside = 0
    for event, element in iterparse(stream, ("start", "end")):
        if event == "start":
            opened.append(element)
            inside += bool(inside or local(element.tag) in wanted)
            continue
        opened.pop()
        if inside == 1:
            yield element
        inside = max(0, inside - 1)
        if not inside and opened:
            opened[-1].remove(element)
