"""A warm start for a new domain: train the retriever by itself, from questions and passages."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ragcli import __version__
from ragcli.core.chunking import passages as cut
from ragcli.corpus.read import Paths, read_documents
from ragcli.datasets.read import read_examples
from ragcli.digests import file_digest
from ragcli.errors import QuestionError, SettingsError
from ragcli.models.source import quiet_libraries
from ragcli.records import Passage, QAExample
from ragcli.settings import Chunking, RetrieverTraining
from ragcli.store.files import new_folder, writing
from ragcli.training.mine import Mined, mine

if TYPE_CHECKING:
    from ragcli.answering.session import Session
    from ragcli.models.query_network import QueryNetwork

Stepped = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class RetrieverReport:
    """What was learnt: recall@1 of the pairs' own passages before and after, over all passages."""

    folder: Path
    pairs: int
    negatives: int
    unmatched: tuple[QAExample, ...]
    before: float
    after: float


def train_query_encoder(
    session: Session,
    data: Path,
    output: Path,
    training: RetrieverTraining,
    stepped: Stepped,
) -> RetrieverReport:
    """Train q(x) against the index's stored embeddings and write it to `output`."""
    from ragcli.models.trained_encoder import network_of
    from ragcli.training.contrastive import fit_queries

    index, network = session.index, network_of(session.encoder)
    examples = _examples(data, output)
    _check_questions(examples, network)
    mined = mine(list(index), examples, training.negatives, training.seed)
    network.module.float()  # what was saved in half precision cannot be trained in it
    questions = [pair.question for pair in mined.pairs]

    def recall() -> float:
        _, rows = index.search(network.encode(questions), 1)
        return _share([pair.positive for pair in mined.pairs], rows[:, 0])

    before = recall()
    fit_queries(network, index.vectors, _columns(mined, str), training, stepped)
    after = recall()
    settings = network.trained_for(index.encoder, network.settings.score_scale)
    record = _record(data, training, mined, before, after)
    record["index"] = {"name": index.name, "version": index.version}
    _publish(output, record, lambda folder: network.save(folder, settings))
    return _report(output, mined, before, after)


def train_both_encoders(
    encoder: Any,
    paths: Paths,
    data: Path,
    output: Path,
    training: RetrieverTraining,
    stepped: Stepped,
    chunking: Chunking = Chunking(),  # noqa: B008 (frozen)
) -> RetrieverReport:
    """Train one sentence-transformers model for q(x) and d(z) on the documents of `paths`.

    No index may be open on it: with d(z) changed, every index has to be built anew.
    """
    from ragcli.training.contrastive import fit_both

    network = encoder.query_network()
    if network.settings.kind != "sentence-transformers":
        raise SettingsError(
            "both encoders are trained as one sentence-transformers model, not as a DPR pair",
            "name a sentence-transformers model with --encoder, or train over an --index",
        )
    examples = _examples(data, output)
    _check_questions(examples, network)
    passages = [p for document in read_documents(paths) for p in cut(document, chunking)]
    mined = mine(passages, examples, training.negatives, training.seed)
    texts = [_text(passage) for passage in passages]
    settings = network.settings
    network.module.float()

    def recall() -> float:
        encoded = {"show_progress_bar": False, "normalize_embeddings": settings.normalize}
        asked = network.module.encode_query([pair.question for pair in mined.pairs], **encoded)
        stored = network.module.encode_document(texts, **encoded)
        return _share([pair.positive for pair in mined.pairs], (asked @ stored.T).argmax(axis=1))

    before = recall()
    columns = _columns(mined, lambda row: settings.document_prefix + texts[row])
    columns["question"] = [settings.query_prefix + text for text in columns["question"]]
    fit_both(network.module, columns, training, stepped, settings.score_scale)
    after = recall()

    def save(folder: Path) -> None:
        with quiet_libraries():
            network.module.save_pretrained(str(folder), create_model_card=False)

    _publish(output, _record(data, training, mined, before, after), save)
    return _report(output, mined, before, after)


def _examples(data: Path, output: Path) -> list[QAExample]:
    if output.exists():
        raise SettingsError(f"{output} exists, and nothing is written over", "name another folder")
    return read_examples(data, pairs=True)


def _check_questions(examples: Sequence[QAExample], network: QueryNetwork) -> None:
    for example in examples:
        try:
            network.features([example.question])
        except QuestionError as error:
            raise QuestionError(f"{example.place}: {error.message}", error.hint) from None


def _text(passage: Passage) -> str:
    """A passage as sentence-transformers encoders embed it."""
    return f"{passage.title}\n{passage.text}" if passage.title else passage.text


def _columns(mined: Mined, text: Callable[[int], str]) -> dict[str, list[str]]:
    """question, positive, negative_1 …: what the loss reads, in this order."""
    columns = {
        "question": [pair.question for pair in mined.pairs],
        "positive": [text(pair.positive) for pair in mined.pairs],
    }
    for n in range(len(mined.pairs[0].negatives)):
        columns[f"negative_{n + 1}"] = [text(pair.negatives[n]) for pair in mined.pairs]
    return columns


def _share(wanted: Sequence[int], found: Any) -> float:
    return float((np.asarray(wanted) == np.asarray(found)).mean())


def _record(
    data: Path, training: RetrieverTraining, mined: Mined, before: float, after: float
) -> dict[str, Any]:
    return {
        "ragcli": __version__,
        "training": training.to_json(),
        "data": {"file": data.name, "sha256": file_digest(data)},
        "pairs": len(mined.pairs),
        "unmatched": len(mined.unmatched),
        "recall_1": {"before": before, "after": after},
    }


def _publish(output: Path, record: dict[str, Any], save: Callable[[Path], None]) -> None:
    with writing(output.absolute().parent), new_folder(output) as folder:
        save(folder)
        text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
        (folder / "retriever.json").write_text(text, encoding="utf-8")


def _report(output: Path, mined: Mined, before: float, after: float) -> RetrieverReport:
    negatives = len(mined.pairs[0].negatives)
    return RetrieverReport(output, len(mined.pairs), negatives, mined.unmatched, before, after)
