"""Where a model's files come from: embedded, a folder, or a hub id that the user named.

The network is touched only for a hub id that is not cached, and only after a short connection test,
so that being offline costs seconds and one clear line instead of minutes of retries.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import socket
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ragcli.errors import ModelNotFoundError, OfflineError
from ragcli.log import timed

WEIGHTS = (
    "model.safetensors",
    "model.safetensors.index.json",
    "pytorch_model.bin",
    "pytorch_model.bin.index.json",
)
_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_CONNECT_SECONDS = 3.0
_LOG = logging.getLogger(__name__)


ONNX, GRAPHS, GRAPH = "onnx", "graphs.json", "onnx/model.onnx"
"""Where a model's graphs stand in its folder, the file that describes ours, and that of others."""


def has_graphs(folder: Path) -> bool:
    """Whether a model's folder has graphs of ours, which take the weights beside them."""
    return (folder / ONNX / GRAPHS).is_file()


@dataclass(frozen=True, slots=True)
class Source:
    """What to hand to `from_pretrained`, and whether it may use the network."""

    name: str
    location: str
    local: bool


def on_machine(name: str) -> bool:
    """Whether `name` can be loaded without the network."""
    if Path(name).expanduser().is_dir():
        return True
    return _HUB_ID.fullmatch(name) is not None and cached(name, (*WEIGHTS, GRAPH)) is not None


def locate(name: str, files: Iterable[str] = WEIGHTS) -> Source:
    """Find the files of `name`: an existing folder, or a hub id (cached, else reachable).

    `files` are those of which one in the cache is enough to do without the network.
    """
    folder = Path(name).expanduser()
    if folder.is_dir():
        _LOG.debug("%s is a folder", name)
        return Source(name, str(folder), local=True)
    if not _HUB_ID.fullmatch(name) or folder.exists():
        raise ModelNotFoundError(
            f"no model folder {name!r}", "name a folder, or a hub id such as facebook/bart-large"
        )
    if cached(name, files):
        _LOG.debug("%s is in the hub's cache", name)
        return Source(name, name, local=True)
    require_hub(repr(name))
    _LOG.info("%s is fetched from the hub", name)
    return Source(name, name, local=False)


def cached(name: str, files: Iterable[str] = WEIGHTS) -> Path | None:
    """The first of these files that the hub's cache has.

    A model is there if its weights are: a download that broke off must be able to go on.
    """
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        found = (try_to_load_from_cache(name, file) for file in files)
        return next((Path(path) for path in found if isinstance(path, str)), None)
    except HFValidationError:
        raise ModelNotFoundError(f"no model folder {name!r}, and it cannot be a hub id") from None


def fetch(name: str, pattern: str) -> Path:
    """The folder of a hub id in the hub's cache, with the files that fit a pattern."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import RepositoryNotFoundError

    require_hub(f"{pattern} of {name!r}")
    try:
        with _quiet_hub(), timed(__name__, "fetched %s of %s", pattern, name):
            return Path(snapshot_download(name, allow_patterns=[pattern]))
    except RepositoryNotFoundError as error:
        raise ModelNotFoundError(f"the hub has no model {name!r}, or keeps it private") from error
    except Exception as error:  # those of its HTTP library have no base in common with the hub's
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ModelNotFoundError(f"{name!r} could not be fetched: {reason}", "try again") from error


def require_hub(what: str) -> None:
    """Fail at once when the hub cannot be reached."""
    from huggingface_hub import constants

    hint = "connect to the network once, or name a folder that holds the model"
    if constants.HF_HUB_OFFLINE:
        raise OfflineError(f"{what} is not on this machine and HF_HUB_OFFLINE is set", hint)
    proxy = os.environ.get("HTTPS_PROXY") or os.environ.get("https_proxy")
    host = urlsplit(proxy or constants.ENDPOINT)
    address = (host.hostname or "", host.port or (80 if host.scheme == "http" else 443))
    try:
        socket.create_connection(address, timeout=_CONNECT_SECONDS).close()
    except OSError as error:
        raise OfflineError(
            f"{what} is not on this machine and {address[0]} cannot be reached", hint
        ) from error


@contextmanager
def loading(source: Source, what: str) -> Iterator[None]:
    """Load a model's files quietly; whatever the libraries raise becomes one error of ours."""
    from pickle import UnpicklingError

    from safetensors import SafetensorError

    broken = (OverflowError, EOFError, UnpicklingError, SafetensorError)
    foreign = (OSError, ValueError, TypeError, KeyError, AttributeError, RuntimeError)
    try:
        with quiet_libraries(), timed(__name__, "loaded the %s %s", what, source.location):
            yield
    except (*foreign, *broken) as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ModelNotFoundError(f"{source.name} is not a usable {what}: {reason}") from error


def require_tokenizer(tokenizer: Any, vocabulary: int, source: Source) -> None:
    """Refuse a tokenizer that the library made up because its files are missing."""
    if 2 * len(tokenizer) < vocabulary:
        raise ModelNotFoundError(
            f"{source.name} has no tokenizer: {len(tokenizer)} tokens for a vocabulary of "
            f"{vocabulary}",
            "save the tokenizer's files beside the weights",
        )


def weights_digest(tensors: Iterable[tuple[str, Any]]) -> str:
    """sha256 over names, types and bytes of torch's tensors, whatever file they came from."""
    import torch

    def parts() -> Iterator[tuple[str, str, tuple[int, ...], Any]]:
        for name, tensor in tensors:
            array = tensor.detach().cpu().contiguous()
            raw = array.flatten().view(dtype=torch.uint8).numpy()
            yield name, str(array.dtype), tuple(array.shape), raw

    return _digest(parts())


def array_digest(arrays: Iterable[tuple[str, Any]]) -> str:
    """The same of numpy's arrays: torch's tensors of these values have this digest."""
    return _digest((name, f"torch.{a.dtype}", a.shape, a.tobytes()) for name, a in arrays)


def _digest(parts: Iterable[tuple[str, str, tuple[int, ...], Any]]) -> str:
    digest = hashlib.sha256()
    for name, kind, shape, raw in sorted(parts, key=lambda part: part[0]):
        digest.update(f"{name}:{kind}:{tuple(map(int, shape))};".encode())
        digest.update(raw)
    return digest.hexdigest()


def stable_name(name: str) -> str:
    """Folders become absolute, so that an index can find its encoder from anywhere."""
    folder = Path(name).expanduser()
    return str(folder.resolve()) if folder.is_dir() else name


_QUIET = threading.RLock()


@contextmanager
def quiet_libraries() -> Iterator[None]:
    """No bars or advice from the libraries for as long as it lasts; then all is as it was before.

    One thread at a time: two that overlapped would restore what the other had set.
    """
    from transformers.utils import logging as advice

    with _QUIET, _quiet_hub():
        level, bars = advice.get_verbosity(), advice.is_progress_bar_enabled()
        advice.set_verbosity_error()
        advice.disable_progress_bar()
        try:
            yield
        finally:
            advice.set_verbosity(level)
            if bars:
                advice.enable_progress_bar()


@contextmanager
def _quiet_hub() -> Iterator[None]:
    """No bars of the hub's, for as long as it lasts; one thread at a time here too."""
    from huggingface_hub.utils.tqdm import (
        are_progress_bars_disabled,
        disable_progress_bars,
        enable_progress_bars,
    )

    with _QUIET:
        bars = not are_progress_bars_disabled()
        disable_progress_bars()
        try:
            yield
        finally:
            (enable_progress_bars if bars else disable_progress_bars)()
