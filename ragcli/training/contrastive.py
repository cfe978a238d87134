"""Contrastive training by sentence-transformers' own trainer and loss.

Either the query encoder alone learns, against the stored embeddings of an index that stays frozen,
or one sentence-transformers model learns for both sides before an index exists.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from ragcli.errors import ModelError
from ragcli.models.query_network import QueryNetwork
from ragcli.protocols import Floats
from ragcli.settings import RetrieverTraining

Columns = dict[str, list[str]]
Stepped = Callable[[dict[str, Any]], None]
Stored = Callable[[Any], Floats]
"""The stored embeddings of an index, by row."""

_READ = ("input_ids", "attention_mask", "token_type_ids")


def fit_queries(
    network: QueryNetwork,
    embeddings: Stored,
    columns: Columns,
    training: RetrieverTraining,
    stepped: Stepped,
) -> None:
    """Train q(x) in place; all columns but the first hold rows of `embeddings` as texts."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Router

    query, stored = _towers(network, embeddings)
    router = Router.for_query_document([query], [stored])
    device = str(next(network.module.parameters()).device)
    similarity: Any = "cosine" if network.settings.normalize else "dot"
    model = SentenceTransformer(modules=[router], device=device, similarity_fn_name=similarity)
    routes = {name: "query" if name == "question" else "document" for name in columns}
    fit(model, columns, training, stepped, network.settings.score_scale, routes)


def _require_packages() -> None:
    from importlib.util import find_spec

    missing = [name for name in ("accelerate", "datasets") if find_spec(name) is None]
    if missing:
        raise ModelError(
            f"training a retriever needs {' and '.join(missing)}",
            "in a clone: pip install -c constraints.txt '.[train]'",
        )


def fit(
    model: Any,
    columns: Columns,
    training: RetrieverTraining,
    stepped: Stepped,
    scale: float,
    routes: Mapping[str, str] = MappingProxyType({}),
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
            router_mapping=dict(routes),
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


def _towers(network: QueryNetwork, embeddings: Stored) -> tuple[Any, Any]:
    """q(x) as it is, and d(z) as it is stored: the two routes of one model."""
    import numpy as np
    import torch
    from sentence_transformers.sentence_transformer.modules import InputModule

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

    return Queries(), Documents()
