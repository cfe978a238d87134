"""The one family of errors that ragcli raises on purpose.

Each message says what went wrong and where; `hint` says what to do next. The command line catches
`RagError` in one place, prints one line and exits with the error's code:

    0     done
    1     an error; also lines of stdin that failed, and problems that `rag doctor` leaves
    2     usage: a command, an option or a setting that is not understood or not allowed
    3     a gate that was not passed (--fail-under)
    130   interrupted (Ctrl-C)
"""

from __future__ import annotations

import errno
from enum import IntEnum


class ExitCode(IntEnum):
    """How the command line ends, for pipelines to tell apart."""

    DONE = 0
    ERROR = 1
    USAGE = 2
    GATE = 3
    INTERRUPTED = 130


SYSTEM_HINTS = {
    errno.EMFILE: "allow this process more open files: ulimit -n 4096",
    errno.ENFILE: "close other programs: the system has no more files to open",
    errno.EIO: "the disk may be failing: look at the system's log, and copy what you need",
    errno.EROFS: "the disk can only be read: choose another place",
    errno.ENOSPC: "make room on the disk",
    errno.EDQUOT: "make room: your share of the disk is used up",
    errno.EFBIG: "allow larger files: ulimit -f unlimited",
    errno.ENOMEM: "free some memory, and try again",
}
"""What to do where the system itself cannot, whatever the file; nothing is wrong with that."""


class RagError(Exception):
    """Base of every error ragcli raises on purpose; `hint` tells the user what to do next."""

    exit_code = ExitCode.ERROR
    usual_hint: str | None = None

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message, self.hint = message, hint or self.usual_hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


def system_error(error: OSError | MemoryError) -> RagError:
    """What the system could not do, as an error of ours."""
    if isinstance(error, MemoryError):
        return RagError("not enough memory", SYSTEM_HINTS[errno.ENOMEM])
    where = f"{error.filename}: " if error.filename else ""
    return RagError(f"{where}{error.strerror or error}", SYSTEM_HINTS.get(error.errno or 0))


class SettingsError(RagError):
    """A setting is out of range or contradicts another."""

    exit_code = ExitCode.USAGE


class CorpusError(RagError):
    """A document cannot be read; `source` and `line` say which."""

    def __init__(
        self, message: str, source: str, line: int | None = None, hint: str | None = None
    ) -> None:
        where = source if line is None else f"{source}:{line}"
        super().__init__(f"{where}: {message}", hint)
        self.source, self.line = source, line


class QuestionError(RagError):
    """A question is empty, too long, or its line cannot be read."""


class StoreError(RagError):
    """Something about the store of index versions."""


class IndexNotFoundError(StoreError):
    """No index of that name, or no version of that name in it."""


class VersionExistsError(StoreError):
    """Versions are immutable: the name is taken."""


class CorruptIndexError(StoreError):
    """A file of an index version is missing, cut short or altered."""

    usual_hint = "build this version again under another name, or swap to one that is whole"


class ShrinkError(StoreError):
    """An update would leave many documents of the older version out."""

    usual_hint = "keep them with --keep-missing, or let them go with --allow-shrink"


class StoreBusyError(StoreError):
    """Another process is writing to this index."""


class NoSpaceError(StoreError):
    """The disk is full, or would be."""


class ModelError(RagError):
    """Something about an encoder or a generator."""


class ModelNotFoundError(ModelError):
    """No such folder, or it does not hold what is needed."""


class OfflineError(ModelError):
    """A hub id was named and the hub cannot be reached."""


class EncoderMismatchError(ModelError):
    """The query encoder does not belong to the index."""
