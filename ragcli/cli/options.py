"""Options that several commands share, defined once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ragcli.cli.kinds import known
from ragcli.datasets.formats import FORMATS
from ragcli.settings import AnswerSettings, DType, Mode, Variant

_DEFAULTS = AnswerSettings()


def _retrievers() -> list[str]:
    from ragcli.answering.retrieval import RETRIEVERS

    return RETRIEVERS.names()


StoreOption = Annotated[
    Path | None,
    typer.Option(
        "--store",
        help="Folder of the store; else $RAG_STORE, else the user's data folder.",
        show_default=False,
    ),
]
IndexOption = Annotated[
    str,
    typer.Option("--index", "-i", help="NAME, NAME@VERSION or @VERSION.", metavar="NAME[@VERSION]"),
]
IndexNameOption = Annotated[
    str, typer.Option("--index", "-i", help="Name of the index.", metavar="NAME")
]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON lines on stdout, for machines.")]
EncoderOption = Annotated[
    str | None,
    typer.Option(
        "--encoder",
        help="sentence-transformers folder or hub id, or QUERY,DOCUMENT for a DPR pair; "
        "the embedded all-MiniLM-L6-v2 by default.",
        show_default=False,
    ),
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        help="Encoder–decoder, paper checkpoint (rag-sequence-nq, rag-token-nq) or a folder that "
        "`rag train` made: folder or hub id; the embedded model by default.",
        show_default=False,
    ),
]
TopKOption = Annotated[
    int | None,
    typer.Option(
        "--top-k",
        "-k",
        help="Passages to retrieve; 5, or what the model says.",
        min=1,
        show_default=False,
    ),
]
VerifyOption = Annotated[
    bool, typer.Option("--verify", help="Check every byte of the index version first.")
]
TrustOption = Annotated[
    bool,
    typer.Option(
        "--trust-query-encoder",
        help="Use a query encoder that does not say which document encoder it belongs to.",
    ),
]
VariantOption = Annotated[
    Variant | None,
    typer.Option(
        "--variant",
        help="sequence (the default, unless the model says) or token.",
        show_default=False,
    ),
]
DecodingOption = Annotated[
    Mode | None,
    typer.Option(
        "--decoding", help="For RAG-Sequence: thorough (the default) or fast.", show_default=False
    ),
]
BeamsOption = Annotated[
    int | None,
    typer.Option(
        "--beams",
        help=f"Width of the search; {_DEFAULTS.beams} by default.",
        min=1,
        show_default=False,
    ),
]
MaxTokensOption = Annotated[
    int | None,
    typer.Option(
        "--max-tokens",
        help=f"Longest answer, its end included; {_DEFAULTS.max_tokens} by default.",
        min=1,
        show_default=False,
    ),
]
DeviceOption = Annotated[
    str,
    typer.Option(
        "--device",
        envvar="RAG_DEVICE",
        help="Where networks run: auto, cpu, cuda, cuda:N or mps.",
        show_envvar=True,
    ),
]
DTypeOption = Annotated[DType, typer.Option("--dtype", help="Precision of the generator.")]
BatchSizeOption = Annotated[
    int, typer.Option("--batch-size", help="Questions answered together.", min=1)
]
RetrieverOption = Annotated[
    str | None,
    typer.Option(
        "--retriever",
        help="Where p(z|x) comes from: dense (the paper's, and the default), bm25, hybrid (their "
        "mean), or none (closed book).",
        show_default=False,
        autocompletion=_retrievers,
    ),
]
FormatOption = Annotated[
    str,
    typer.Option(
        "--format",
        help="Format of the dataset: jsonl, nq, tqa, wq, ct, msmarco, fever, fever2, kilt.",
        metavar="FORMAT",
        callback=known(FORMATS),
    ),
]
KeyOption = Annotated[
    str | None,
    typer.Option("--key", help="Which answers, if they depend on one.", show_default=False),
]
FrozenOption = Annotated[
    bool,
    typer.Option(
        "--frozen",
        help="Keep the index's own encoder, whatever query encoder the model was trained with.",
    ),
]
