"""A warm start for a new domain: train the retriever by itself, from questions and passages."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ragcli import __version__
from ragcli.core.chunking import passages as cut
from ragcli.corpus.read import Paths, read_documents
from ragcli.datasets.read import read_examples
from ragcli.digests import file_digest
from ragcli.errors import SettingsError
from ragcli.models.query_network import QueryNetwork
from ragcli.models.sentence import passage_text
from ragcli.models.trained_encoder import network_of
from ragcli.records import QAExample
from ragcli.settings import Chunking, RetrieverTraining
from ragcli.store.files import new_folder, writing
from ragcli.training.contrastive import Stepped, fit, fit_queries
from ragcli.training.joint import placed
from ragcli.training.mine import Mined, mine

if TYPE_CHECKING:
    from ragcli.answering.session import Session


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
    session: Session, data: Path, output: Path, training: RetrieverTraining, stepped: Stepped
) -> RetrieverReport:
    """Train q(x) against the index's stored embeddings and write it to `output`."""
    index, network = session.index, network_of(session.encoder)
    mined = mine(list(index), _examples(data, output, network), training.negatives, training.seed)
    network.module.float()  # what was saved in half precision cannot be trained in it
    questions = [pair.question for pair in mined.pairs]

    def first() -> NDArray[np.int64]:
        return index.search(network.encode_queries(questions), 1)[1][:, 0]

    def save(folder: Path) -> None:
        network.save(folder, network.trained_for(index.encoder, network.settings.score_scale))

    train = partial(fit_queries, network, index.vectors, _columns(mined, str), training, stepped)
    against = {"name": index.name, "version": index.version}
    return _train(data, output, training, mined, first, train, save, index=against)


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
    network = encoder.query_network()
    if network.settings.kind != "sentence-transformers":
        raise SettingsError(
            "both encoders are trained as one sentence-transformers model, not as a DPR pair",
            "name a sentence-transformers model with --encoder, or train over an --index",
        )
    examples = _examples(data, output, network)
    passages = [p for document in read_documents(paths) for p in cut(document, chunking)]
    mined = mine(passages, examples, training.negatives, training.seed)
    texts = [passage_text(passage) for passage in passages]
    settings, module = network.settings, network.module
    module.float()
    columns = _columns(mined, lambda row: settings.document_prefix + texts[row])
    columns["question"] = [settings.query_prefix + text for text in columns["question"]]

    def first() -> NDArray[np.int64]:
        encoded = {"show_progress_bar": False, "normalize_embeddings": settings.normalize}
        asked = module.encode_query([pair.question for pair in mined.pairs], **encoded)
        stored = module.encode_document(texts, **encoded)
        return np.asarray((asked @ stored.T).argmax(axis=1))

    train = partial(fit, module, columns, training, stepped, settings.score_scale)
    return _train(data, output, training, mined, first, train, network.save_module)


def _examples(data: Path, output: Path, network: QueryNetwork) -> list[QAExample]:
    """The examples, each with a question that the network can read."""
    if output.exists():
        raise SettingsError(f"{output} exists, and nothing is written over", "name another folder")
    examples = read_examples(data, pairs=True)
    for example in examples:
        with placed(example):
            network.features([example.question])
    return examples


def _columns(mined: Mined, text: Callable[[int], str]) -> dict[str, list[str]]:
    """question, positive, negative_1 …: what the loss reads, in this order."""
    columns = {
        "question": [pair.question for pair in mined.pairs],
        "positive": [text(pair.positive) for pair in mined.pairs],
    }
    for n in range(mined.negatives):
        columns[f"negative_{n + 1}"] = [text(pair.negatives[n]) for pair in mined.pairs]
    return columns


def _train(
    data: Path,
    output: Path,
    training: RetrieverTraining,
    mined: Mined,
    first: Callable[[], NDArray[np.int64]],
    train: Callable[[], None],
    save: Callable[[Path], None],
    **more: Any,
) -> RetrieverReport:
    """Train and save; `first` gives the row of each question's top-1 passage, before and after."""
    pairs, unmatched = mined.pairs, mined.unmatched

    def recall() -> float:
        return float(np.mean(first() == np.array([pair.positive for pair in pairs])))

    before = recall()
    train()
    after = recall()
    record = {
        "ragcli": __version__,
        "training": training.to_json(),
        "data": {"file": data.name, "sha256": file_digest(data)},
        "pairs": len(pairs),
        "unmatched": len(unmatched),
        "recall_1": {"before": before, "after": after},
        **more,
    }
    with writing(output.absolute().parent), new_folder(output) as folder:
        save(folder)
        text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
        (folder / "retriever.json").write_text(text, encoding="utf-8")
    return RetrieverReport(output, len(pairs), mined.negatives, unmatched, before, after)
