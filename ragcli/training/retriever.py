"""A warm start for a new domain: train the retriever by itself, from questions and passages.

Either the query encoder alone learns, against the stored embeddings of an index that stays frozen,
or one sentence-transformers model learns for both sides before an index exists. Trainer and loss
are those of sentence-transformers.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ragcli import __version__
from ragcli.answering.session import Session
from ragcli.core.chunking import passages as cut
from ragcli.corpus.read import Paths, read_documents
from ragcli.datasets.read import read_examples
from ragcli.digests import file_digest
from ragcli.errors import ModelError, SettingsError
from ragcli.models.query_network import QueryNetwork
from ragcli.models.sentence import passage_text
from ragcli.models.trained_encoder import network_of
from ragcli.protocols import Floats, Ints
from ragcli.records import QAExample
from ragcli.settings import Chunking, RetrieverTraining
from ragcli.store.files import new_folder, writing
from ragcli.training.joint import placed
from ragcli.training.mine import Mined, mine

Columns = dict[str, list[str]]
Stepped = Callable[[dict[str, Any]], None]
_READ = ("input_ids", "attention_mask", "token_type_ids")


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

    def first() -> Ints:
        return index.search(network.encode_queries(questions), 1)[1][:, 0]

    def save(folder: Path) -> None:
        network.save(folder, network.trained_for(index.encoder, network.settings.score_scale))

    columns = _columns(mined, str)  # rows as texts: the model has their embeddings
    routes = {name: "query" if name == "question" else "document" for name in columns}
    model, scale = _routed(network, index.vectors), network.settings.score_scale
    train = partial(fit, model, columns, routes, training, stepped, scale)
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

    def first() -> Ints:
        encoded = {"show_progress_bar": False, "normalize_embeddings": settings.normalize}
        asked = module.encode_query([pair.question for pair in mined.pairs], **encoded)
        stored = module.encode_document(texts, **encoded)
        return np.asarray((asked @ stored.T).argmax(axis=1))

    train = partial(fit, module, columns, {}, training, stepped, settings.score_scale)
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


def _columns(mined: Mined, text: Callable[[int], str]) -> Columns:
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
    first: Callable[[], Ints],
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
        "training": asdict(training),
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


def _require_packages() -> None:
    missing = [name for name in ("accelerate", "datasets") if find_spec(name) is None]
    if missing:
        raise ModelError(
            f"training a retriever needs {' and '.join(missing)}",
            "in a clone: pip install -c constraints.txt '.[train]'",
        )


def fit(
    model: Any,
    columns: Columns,
    routes: dict[str, str],
    training: RetrieverTraining,
    stepped: Stepped,
    scale: float,
) -> None:
    """Train a sentence-transformers model in place, for questions and passages alike.

    `routes` name the part of the model that each column goes to, where it has parts.
    """
    _require_packages()
    from datasets import Dataset
    from sentence_transformers import (
        SentenceTransformerTrainer,
        SentenceTransformerTrainingArguments,
    )
    from sentence_transformers.losses import MultipleNegativesRankingLoss
    from sentence_transformers.util import cos_sim, dot_score
    from transformers import PrinterCallback, TrainerCallback

    class Told(TrainerCallback):
        def on_log(
            self, args: Any, state: Any, control: Any, logs: Any = None, **more: Any
        ) -> None:
            if logs and "loss" in logs:
                stepped({"step": state.global_step, "steps": state.max_steps, **logs})

    class Plain(SentenceTransformerTrainer):
        def add_model_card_callback(self, default_args_dict: dict[str, Any]) -> None:
            """No model card is written, so nothing needs to be gathered for one."""

    similarity = cos_sim if model.similarity_fn_name == "cosine" else dot_score
    with _no_bars(), tempfile.TemporaryDirectory() as folder:
        arguments = SentenceTransformerTrainingArguments(
            output_dir=folder,
            num_train_epochs=training.epochs,
            per_device_train_batch_size=training.batch_size,
            learning_rate=training.rate,
            warmup_steps=training.warmup,
            seed=training.seed,
            data_seed=training.seed,
            batch_sampler="no_duplicates",
            router_mapping=routes,
            logging_steps=1,
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
            use_cpu=model.device.type == "cpu",
        )
        trainer = Plain(
            model=model,
            args=arguments,
            train_dataset=Dataset.from_dict(columns),
            loss=MultipleNegativesRankingLoss(model, scale=scale, similarity_fct=similarity),
            callbacks=[Told()],
        )
        trainer.remove_callback(PrinterCallback)
        trainer.train()
    model.eval()


@contextmanager
def _no_bars() -> Iterator[None]:
    """The bars of `datasets` are the whole process's: whoever showed them does so again."""
    from datasets import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars

    shown = not are_progress_bars_disabled()
    disable_progress_bars()
    try:
        yield
    finally:
        if shown:
            enable_progress_bars()


def _routed(network: QueryNetwork, embeddings: Callable[[Ints], Floats]) -> Any:
    """One model with two routes: q(x) as it is, and d(z) as it is stored."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import InputModule, Router

    base: Any = InputModule
    device = next(network.module.parameters()).device

    class Tower(base):  # type: ignore[misc]
        def save(self, *args: Any, **more: Any) -> None:
            raise ModelError("the query encoder is saved by itself, and embeddings by their index")

    class Queries(Tower):
        def __init__(self) -> None:
            super().__init__()
            self.network = network.module
            self.tokenizer = network.tokenizer

        def preprocess(self, inputs: Sequence[str], **more: Any) -> dict[str, Any]:
            return network.features(inputs)

        def forward(self, features: dict[str, Any], **more: Any) -> dict[str, Any]:
            read = {name: features[name] for name in _READ if name in features}
            return features | {"sentence_embedding": network.embed(read)}

    class Documents(Tower):
        def preprocess(self, inputs: Sequence[str], **more: Any) -> dict[str, Any]:
            return {"input_ids": torch.tensor([[int(row)] for row in inputs], device=device)}

        def forward(self, features: dict[str, Any], **more: Any) -> dict[str, Any]:
            rows = features["input_ids"][:, 0].cpu().numpy()
            found = torch.as_tensor(np.array(embeddings(rows)), device=device)
            return features | {"sentence_embedding": found}

    router = Router.for_query_document([Queries()], [Documents()])
    similarity: Any = "cosine" if network.settings.normalize else "dot"
    return SentenceTransformer(modules=[router], device=str(device), similarity_fn_name=similarity)
