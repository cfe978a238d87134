"""Options that commands share, each defined once: alone, or as the fields of a dataclass."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragcli import settings
from ragcli.answering.kinds import RETRIEVERS
from ragcli.cli import completion
from ragcli.cli.console import say_clamped, working
from ragcli.cli.expand import Options, argument, flag, option
from ragcli.cli.settings_file import home_index, nearest
from ragcli.corpus.readers import READERS
from ragcli.datasets.formats import FORMATS
from ragcli.errors import IndexNotFoundError, SettingsError
from ragcli.registry import Registry
from ragcli.store.index_types import FLAT_UP_TO, INDEX_TYPES, type_names
from ragcli.store.store import DEFAULT_NAME, Store, store_at

if TYPE_CHECKING:
    from ragcli.api import Rag

REGISTRIES: dict[str, Registry[Any]] = {
    registry.group: registry for registry in (READERS, FORMATS, RETRIEVERS, INDEX_TYPES)
}
"""By group: where a help says `{readers}`, the names are filled in when it is shown."""
_DEFAULTS = settings.AnswerSettings()


_STORE = flag(
    "Folder of the store; in the user's data folder by default.",
    metavar="<path>",
    parser=store_at,  # which the parser hands defaults as well
    default_factory=Store,
    show_default=False,
)


def _threads(count: int | None) -> int | None:
    """FAISS takes its threads from OpenMP, which looks here when it is loaded."""
    if count is not None:
        os.environ["OMP_NUM_THREADS"] = str(count)
    return count


PLACEMENT = Options(
    device=flag(
        "Where networks run: auto, cpu, cuda, cuda:N or mps.",
        autocompletion=lambda: completion.DEVICES,
    ),
    dtype=flag("Precision of the generator."),
    engine=flag("What runs the networks: onnx, torch, or auto: onnx for models that carry graphs."),
    threads=flag(
        "Processor threads; all cores by default. With 1, the same work gives the same bits.",
        min=1,
        callback=_threads,
    ),
).common()
PlacementOptions = Annotated[settings.Placement, PLACEMENT]
EncoderPlacement = Annotated[settings.Placement, PLACEMENT.without("dtype")]
"""For commands that load no generator."""
TrainingPlacement = Annotated[settings.Placement, PLACEMENT.only("device", "threads")]


@dataclass(frozen=True, slots=True)
class Opening:
    """What a command opens: an index version with its encoder and a model."""

    index: str = option(
        DEFAULT_NAME,
        "An index or a version: NAME, VERSION, NAME@VERSION or @VERSION.",
        "--index -i",
        metavar="NAME[@VERSION]",
        autocompletion=completion.references,
    )
    model: str | None = option(
        None,
        "Encoder–decoder, paper checkpoint (rag-sequence-nq, rag-token-nq) or a folder that "
        "`rag train` made: folder or hub id; the embedded model by default.",
        "--model -m",
        autocompletion=lambda: [completion.MODEL, *completion.cached()],
    )
    encoder: str | None = option(
        None,
        "sentence-transformers folder or hub id, or QUERY,DOCUMENT for a DPR pair; "
        "the embedded all-MiniLM-L6-v2 by default.",
        autocompletion=lambda: [completion.ENCODER, *completion.cached()],
    )
    frozen: bool = option(
        False, "Keep the index's own encoder, whatever query encoder the model was trained with."
    )
    store: Store = field(kw_only=True, metadata={"option": _STORE})
    verify: bool = option(False, "Check every byte of the index version first.")
    trust_query_encoder: bool = option(
        False, "Use a query encoder that does not say which document encoder it belongs to."
    )

    def open(
        self,
        placement: settings.Placement,
        retrieval: settings.Retrieval | None = None,
        decoding: settings.Decoding | None = None,
        generate: bool = True,
    ) -> Rag:
        """The index with the model, and what is needed of both loaded; maybe no generator."""
        from ragcli.api import Rag

        own = {each.name: getattr(self, each.name) for each in fields(self)}
        reference = index_reference(self.store, own.pop("index"))
        with working("loading the model" if generate else "loading the encoder"):
            rag = Rag.open(
                reference, retrieval=retrieval, decoding=decoding, placement=placement, **own
            )
            try:
                if rag.retriever.encodes:
                    _ = rag.encoder
                if generate:
                    _ = rag.generator
            except BaseException:
                rag.close()
                raise
        say_clamped(rag, retrieval)
        return rag

    @contextmanager
    def open_two(
        self,
        references: tuple[str, str],
        placement: settings.Placement,
        retrieval: settings.Retrieval,
        decoding: settings.Decoding,
    ) -> Iterator[tuple[Rag, Rag]]:
        """One model over two versions."""
        first = replace(self, index=references[0]).open(placement, retrieval, decoding)
        with first, first.with_index(references[1]) as second:
            say_clamped(second, retrieval)
            yield first, second


EVALUATED = Options.of(Opening).common(*Options.of(Opening).without("frozen"))
OPENING = EVALUATED.without("frozen")
OpeningOptions = Annotated[Opening, OPENING]
StoreOption = Annotated[Store, OPENING["store"]]
EncoderOption = Annotated[str | None, OPENING["encoder"]]
IndexOption = Annotated[str, OPENING["index"]]
JsonOption = Annotated[bool, flag("JSON lines on stdout, for machines.")]

_BATCH = Options(batch_size=flag("Questions answered together.", min=1)).common()
BatchSizeOption = Annotated[int, _BATCH["batch_size"]]


def index_reference(store: Store, text: str) -> str:
    """What `--index` names as NAME or NAME@VERSION; an index wins over a version at home."""
    name, at, version = text.partition("@")
    home = home_index()
    if at:
        return f"{name or home}@{version}"
    names = store.names()
    versions = [*store.versions(home), *store.tags(home)]
    if text in names or text not in versions:
        try:
            store.resolve(text)
        except IndexNotFoundError as error:
            if text in names or not versions:
                raise
            hint = nearest(text, [*names, *versions]) or error.hint
            raise IndexNotFoundError(f"{error.message}, nor a version of {home}", hint) from None
        return text
    return f"{home}@{text}"


def version_reference(store: Store, text: str, index: str | None = None) -> tuple[str, str]:
    """The name and the version that a text names, where `--index` may stand beside it."""
    named = "@" in text and not text.startswith("@")
    return store.version_reference(text, index or (None if named else home_index()))


def version_argument(help: str, metavar: str = "VERSION") -> Any:
    """An argument that names a version."""
    help = f"{help}: VERSION, NAME@VERSION or a tag."
    return argument(help, metavar=metavar, show_default=False, autocompletion=completion.versions)


_RETRIEVAL = Options(
    top_k=flag(
        f"Passages to retrieve; {_DEFAULTS.top_k}, or what the model says.", "--top-k -k", min=1
    ),
    retriever=flag(
        f"Where p(z|x) comes from: {{retrievers}}; {_DEFAULTS.retriever} is the paper's and "
        "the default, none is closed book.",
        autocompletion=RETRIEVERS.names,
    ),
    margin=flag(
        "Words that are read on either side of a passage, to the ends of its sentences: at most "
        f"{_DEFAULTS.margin}, or what the model says; 0 is the paper's.",
        min=0,
    ),
).common()
RetrievalOptions = Annotated[settings.Retrieval, _RETRIEVAL]
PassagesOptions = Annotated[settings.Retrieval, _RETRIEVAL.without("margin")]
"""For commands that read no passage."""

DECODING = Options(
    style=flag("short answers (the default), a whole sentence, or a question to the answer given."),
    variant=flag("sequence (the default, unless the model says) or token."),
    mode=flag("For RAG-Sequence: thorough (the default) or fast.", "--decoding"),
    beams=flag(f"Width of the search; {_DEFAULTS.beams} by default.", min=1),
    max_tokens=flag(f"Longest answer, its end included; {_DEFAULTS.max_tokens} by default.", min=1),
    min_tokens=flag("Shortest answer, its end included.", min=1),
    length_penalty=flag("Favour length in the search only."),
    no_repeat_ngram=flag("Never repeat n tokens in a row.", min=0),
    n_best=flag(f"Answers to keep; {_DEFAULTS.n_best} by default.", min=1),
).common()
DecodingOptions = Annotated[settings.Decoding, DECODING]
BestOptions = Annotated[settings.Decoding, DECODING.without("n_best")]
"""For commands that look at the best answer only."""


def _kind(default: str | None, help: str, registry: Registry[Any]) -> Any:
    """A field that names a kind of a registry; any other name is a mistake in usage."""

    def known(name: str | None) -> str | None:
        if name is not None and name not in registry:
            raise typer.BadParameter(f"{name!r} is not one of {', '.join(registry.names())}")
        return name

    return option(default, help, metavar="FORMAT", callback=known, autocompletion=registry.names)


@dataclass(frozen=True, slots=True)
class Dataset:
    """How a file of questions is read."""

    format: str = _kind("jsonl", "Format of the dataset: {datasets}.", FORMATS)
    key: str | None = option(
        None, "Which answers to use where they depend on a key, such as a year."
    )


@dataclass(frozen=True, slots=True)
class Reading:
    """How documents are read."""

    on_error: settings.OnError = option("fail", "What to do about documents that cannot be read.")
    format: str | None = _kind(
        None, "Format of stdin and of files named here, whatever their suffix: {readers}.", READERS
    )
    strict: bool = option(
        False, "Stop at what would be left out: other files, empty ones, pages without text."
    )


CORPUS = Options.of(Reading).common("on_error")
CorpusOptions = Annotated[Reading, CORPUS]
_PATHS = "Folders, files, or - for stdin, in these formats: {readers}."
PathsArgument = Annotated[list[str], argument(_PATHS, metavar="PATH", show_default=False)]
_WORDS = flag("Words in a passage; the last of a document may be shorter.")
ChunkingOptions = Annotated[settings.Chunking, Options(words=_WORDS).common()]

INDEXING = Options(
    type=flag(
        f"{{index_types}}, a FAISS factory string, or auto: flat up to {FLAT_UP_TO:,} "
        "passages, then hnsw.",
        autocompletion=type_names,
    ),
    batch_size=flag("Passages embedded in one pass."),
    seed=flag("For index types that learn from a sample."),
).common("type")
IndexingOptions = Annotated[settings.Indexing, INDEXING]


@dataclass(frozen=True, slots=True)
class NewVersion:
    """The version that a command makes; `version` may name the index too, as NAME@VERSION."""

    index: str | None = option(
        None,
        "Name of the index, if it is not the usual one.",
        "--index -i",
        metavar="NAME",
        autocompletion=completion.index_names,
    )
    version: str | None = option(None, "Name of the version; date and time by default.")
    activate: bool = option(True, "Make it the current version.", "--activate/--no-activate")

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

    @property
    def made(self) -> dict[str, Any]:
        """What whatever makes a version wants to know of it."""
        return {"version": self.version, "activate": self.activate}


_INDEX_NAME = Options.of(NewVersion)["index"]
IndexNameOption = Annotated[str | None, _INDEX_NAME]


@dataclass(frozen=True, slots=True)
class TwoVersions:
    """Two versions of one index; the second needs no name if the first has one."""

    first: str = field(metadata={"option": version_argument("The older version", "VERSION_A")})
    second: str = field(metadata={"option": version_argument("The newer version", "VERSION_B")})
    index: str | None = field(default=None, metadata={"option": _INDEX_NAME})

    def found(self, store: Store) -> tuple[str, str, str]:
        """The index, its older and its newer version."""
        name, older = version_reference(store, self.first, self.index)
        named = self.index or (None if "@" in self.second else name)
        other, newer = version_reference(store, self.second, named)
        if other != name:
            raise SettingsError(f"{self.first} and {self.second} are versions of two indexes")
        return name, older, newer
