"""Options that commands share, each defined once: alone, or as the fields of a dataclass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from ragcli.cli import completion
from ragcli.cli.expand import Options
from ragcli.cli.references import home_index
from ragcli.corpus.readers import READERS
from ragcli.datasets.formats import FORMATS
from ragcli.errors import SettingsError
from ragcli.registry import Registry
from ragcli.settings import (
    AnswerSettings,
    Chunking,
    Decoding,
    DType,
    Indexing,
    OnError,
    Placement,
    Retrieval,
)
from ragcli.store.index_types import type_names
from ragcli.store.store import DEFAULT_NAME

_DEFAULTS = AnswerSettings()


def known(registry: Registry[Any]) -> Callable[[str | None], str | None]:
    """A callback for an option: a name that no kind of the registry has is a mistake in usage."""

    def check(name: str | None) -> str | None:
        if name is not None and name not in registry:
            raise typer.BadParameter(f"{name!r} is not one of {', '.join(registry.names())}")
        return name

    return check


@dataclass(frozen=True, slots=True)
class Opening:
    """What a command opens: an index version with its encoder and a model, and where they run."""

    index: str = DEFAULT_NAME
    model: str | None = None
    encoder: str | None = None
    frozen: bool = False
    store: Path | None = None
    verify: bool = False
    trust_query_encoder: bool = False
    device: str = Placement().device
    dtype: DType = Placement().dtype

    def __post_init__(self) -> None:
        _ = self.placement

    @property
    def placement(self) -> Placement:
        """Where the networks run."""
        return Placement(self.device, self.dtype)


OPENING = Options(
    index=typer.Option(
        "--index",
        "-i",
        help="An index or a version: NAME, VERSION, NAME@VERSION or @VERSION.",
        metavar="NAME[@VERSION]",
        autocompletion=completion.references,
    ),
    model=typer.Option(
        "--model",
        "-m",
        help="Encoder–decoder, paper checkpoint (rag-sequence-nq, rag-token-nq) or a folder that "
        "`rag train` made: folder or hub id; the embedded model by default.",
        autocompletion=completion.models,
    ),
    encoder=typer.Option(
        help="sentence-transformers folder or hub id, or QUERY,DOCUMENT for a DPR pair; "
        "the embedded all-MiniLM-L6-v2 by default.",
        autocompletion=completion.encoders,
    ),
    store=typer.Option(
        help="Folder of the store; in the user's data folder by default.",
        show_default=False,
    ),
    verify=typer.Option(help="Check every byte of the index version first."),
    trust_query_encoder=typer.Option(
        help="Use a query encoder that does not say which document encoder it belongs to."
    ),
    device=typer.Option(
        help="Where networks run: auto, cpu, cuda, cuda:N or mps.",
        autocompletion=lambda: completion.DEVICES,
    ),
    dtype=typer.Option(help="Precision of the generator."),
).common()
OpeningOptions = Annotated[Opening, OPENING]
StoreOption = Annotated[Path | None, OPENING["store"]]
EncoderOption = Annotated[str | None, OPENING["encoder"]]
IndexOption = Annotated[str, OPENING["index"]]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON lines on stdout, for machines.")]

_INDEX_NAME = typer.Option(
    "--index",
    "-i",
    help="Name of the index, if it is not the usual one.",
    metavar="NAME",
    show_default=False,
    autocompletion=completion.index_names,
)
IndexNameOption = Annotated[str | None, _INDEX_NAME]
_BATCH = Options(batch_size=typer.Option(help="Questions answered together.", min=1)).common()
BatchSizeOption = Annotated[int, _BATCH["batch_size"]]


def version_argument(help: str, metavar: str = "VERSION") -> Any:
    """An argument that names a version."""
    grammar = "VERSION, NAME@VERSION or a tag"
    return typer.Argument(
        help=f"{help}: {grammar}.",
        metavar=metavar,
        show_default=False,
        autocompletion=completion.versions,
    )


OlderArgument = Annotated[str, version_argument("The older version", "VERSION_A")]
NewerArgument = Annotated[str, version_argument("The newer version", "VERSION_B")]

RETRIEVAL = Options(
    top_k=typer.Option(
        "--top-k",
        "-k",
        help=f"Passages to retrieve; {_DEFAULTS.top_k}, or what the model says.",
        min=1,
    ),
    retriever=typer.Option(
        help="Where p(z|x) comes from: dense (the paper's, and the default), bm25, hybrid (their "
        "mean), or none (closed book).",
        autocompletion=lambda: completion.RETRIEVERS,
    ),
).common()
RetrievalOptions = Annotated[Retrieval, RETRIEVAL]

DECODING = Options(
    variant=typer.Option(help="sequence (the default, unless the model says) or token."),
    mode=typer.Option("--decoding", help="For RAG-Sequence: thorough (the default) or fast."),
    beams=typer.Option(help=f"Width of the search; {_DEFAULTS.beams} by default.", min=1),
    max_tokens=typer.Option(
        help=f"Longest answer, its end included; {_DEFAULTS.max_tokens} by default.", min=1
    ),
    min_tokens=typer.Option(help="Shortest answer, its end included.", min=1),
    length_penalty=typer.Option(help="Favour length in the search only."),
    no_repeat_ngram=typer.Option(help="Never repeat n tokens in a row.", min=0),
    n_best=typer.Option(help=f"Answers to keep; {_DEFAULTS.n_best} by default.", min=1),
).common()
DecodingOptions = Annotated[Decoding, DECODING]
BestOptions = Annotated[Decoding, DECODING.without("n_best")]
"""For commands that look at the best answer only."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """How a file of questions is read."""

    format: str = "jsonl"
    key: str | None = None


DatasetOptions = Annotated[
    Dataset,
    Options(
        format=typer.Option(
            help="Format of the dataset: jsonl, nq, tqa, wq, ct, msmarco, fever, fever2, kilt.",
            metavar="FORMAT",
            callback=known(FORMATS),
            autocompletion=FORMATS.names,
        ),
        key=typer.Option(help="Which answers, if they depend on one."),
    ),
]


@dataclass(frozen=True, slots=True)
class Corpus:
    """How documents are read."""

    on_error: OnError = "fail"
    format: str | None = None


CORPUS = Options(
    on_error=typer.Option(help="What to do about documents that cannot be read."),
    format=typer.Option(
        help="Format of stdin and of files named here, whatever their suffix: txt, md, html, "
        "jsonl, csv, tsv.",
        metavar="FORMAT",
        callback=known(READERS),
        autocompletion=READERS.names,
    ),
).common("on_error")
CorpusOptions = Annotated[Corpus, CORPUS]
PathsArgument = Annotated[
    list[str],
    typer.Argument(
        help="Folders, files, or - for stdin: .txt, .md, .html, .jsonl, .csv, .tsv.",
        metavar="PATH",
        show_default=False,
    ),
]
ChunkingOptions = Annotated[
    Chunking,
    Options(
        words=typer.Option(help="Words in a passage; the last of a document may be shorter.")
    ).common(),
]

INDEXING = Options(
    type=typer.Option(
        help="auto (flat up to 50,000 passages, then hnsw), flat, hnsw, sq8, ivf, pq, or a "
        "FAISS factory string.",
        autocompletion=type_names,
    ),
    batch_size=typer.Option(help="Passages embedded in one pass."),
    seed=typer.Option(help="For index types that learn from a sample."),
).common("type")
IndexingOptions = Annotated[Indexing, INDEXING]


@dataclass(frozen=True, slots=True)
class NewVersion:
    """The version that a command makes; `version` may name the index too, as NAME@VERSION."""

    index: str | None = None
    version: str | None = None
    activate: bool = True

    def __post_init__(self) -> None:
        name, at, version = (self.version or "").rpartition("@")
        if name and self.index not in (None, name):
            raise SettingsError(f"{self.version} and --index {self.index} name two indexes")
        if at:
            object.__setattr__(self, "index", name or self.index)
            object.__setattr__(self, "version", version)

    @property
    def name(self) -> str:
        """The index that the version belongs to."""
        return self.index or home_index()


NEW_VERSION = Options(
    index=_INDEX_NAME,
    version=typer.Option(help="Name of the version; date and time by default."),
    activate=typer.Option("--activate/--no-activate", help="Make it the current version."),
)
NewVersionOptions = Annotated[NewVersion, NEW_VERSION]
