"""The commands by name, each loaded when it is run: `rag --help` needs only their first lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from ragcli.cli.expand import expanded

COMMANDS = {
    "chunk": ("corpus", "Cut documents into passages and print them as JSON lines."),
    "plan-index": (
        "plan",
        "Say what RAM, disk and time each index type would take and what recall to expect.",
    ),
    "build-index": (
        "indexes",
        "Build an index version from documents; it is published whole or not at all.",
    ),
    "update-index": (
        "updates",
        "Make a new version from an older one; only new and changed passages are embedded.",
    ),
    "delete-documents": (
        "updates",
        "Make a new version without some documents, and without a trace of them; "
        "nothing is embedded.",
    ),
    "list-indexes": ("indexes", "List the versions of every index; a star marks the current one."),
    "swap-index": (
        "indexes",
        "Make another version of an index current; nothing is retrained and readers do not wait.",
    ),
    "log-index": ("history", "Show where each version of an index came from, newest first."),
    "diff-index": (
        "diff",
        "Compare two versions: documents and passages added, removed and changed.",
    ),
    "tag-index": (
        "history",
        "Give a version another name, which can stand wherever a version does; "
        "prune-index keeps it.",
    ),
    "remove-index": ("history", "Remove a version; who reads it now goes on reading it."),
    "prune-index": ("history", "Remove old versions; the current one and tagged ones always stay."),
    "export-index": (
        "transfer",
        "Write an index version to one file, after checking every byte of it.",
    ),
    "import-index": (
        "transfer",
        "Read a version from an archive, or from DPR's passages and embeddings.",
    ),
    "ask": ("ask", "Answer a question from an index, with its evidence."),
    "retrieve": ("ask", "Show the passages that a question retrieves, with score and p(z|x)."),
    "score": (
        "ask",
        "log p(answer | question) of answers you name, under RAG-Sequence and RAG-Token.",
    ),
    "classify": (
        "classify",
        "Score labels for a claim or text by their marginal probability: the paper's FEVER form.",
    ),
    "evaluate": (
        "evaluate",
        "Answer a dataset and measure: exact match, F1, recall, BLEU, ROUGE, accuracy and more.",
    ),
    "compare": (
        "compare",
        "Compare two runs question by question: paired bootstrap, McNemar's test, "
        "where they differ.",
    ),
    "swap-experiment": (
        "swap",
        "Ask the same questions of two versions of an index: the paper's "
        "2016-versus-2018 experiment.",
    ),
    "train": (
        "train",
        "Train query encoder and generator together from questions and answers; the "
        "index is frozen.",
    ),
    "train-retriever": (
        "train_retriever",
        "Train the query encoder against a frozen index, or with --both one model for both sides.",
    ),
    "export-model": (
        "train",
        "Write a trained model in the format of facebook/rag-sequence-nq, for "
        "Hugging Face's classes.",
    ),
    "doctor": (
        "doctor",
        "Check the store byte by byte, the models and the libraries; exit with 1 if "
        "problems are left.",
    ),
    "list-models": (
        "models",
        "List the models that are embedded, on disk, or would need the network.",
    ),
}
"""Name → module of ragcli.cli, and the first line of its help. The function has the same name."""


def function_of(name: str) -> Any:
    """The function behind a command."""
    module = import_module(f"ragcli.cli.{COMMANDS[name][0]}")
    return getattr(module, name.replace("-", "_"))


class _Loaded(Mapping[str, Any]):
    """Commands by name, made of their functions when they are looked up."""

    def __getitem__(self, name: str) -> Any:
        if name not in COMMANDS:
            raise KeyError(name)
        alone = typer.Typer(
            add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None
        )
        alone.command(name)(expanded(function_of(name)))
        return typer.main.get_command(alone)

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class LazyGroup(TyperGroup):
    """A group of commands that lists them without loading them."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Loaded()  # type: ignore[assignment]

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])
