"""Encoder–decoders as `--model` names them: BART, T5 and the like, from a folder or the hub."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ragcli.models.catalog import Model
from ragcli.models.devices import device_of, dtype_of
from ragcli.models.language import EXTRA, Manner
from ragcli.models.source import Source, has_graphs, loading, require_tokenizer
from ragcli.models.torch_generator import TorchGenerator
from ragcli.protocols import Generator
from ragcli.settings import Placement


def load_generator(source: Source, placement: Placement = Placement()) -> TorchGenerator:  # noqa: B008
    """Load an encoder–decoder (BART, T5, …) from a folder or the hub.

    A folder may carry `rag.json` with what its config.json cannot say: `prompting` (fields of
    `Prompting`), `uncased`, `no_answer_token_id`, `copies` and `target_prefix`.
    """
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    where: dict[str, Any] = {"local_files_only": source.local}
    with loading(source, "encoder–decoder"):
        model = AutoModelForSeq2SeqLM.from_pretrained(source.location, **where)
        tokenizer = AutoTokenizer.from_pretrained(source.location, **where)
    model = model.to(device_of(placement), dtype_of(placement))
    require_tokenizer(tokenizer, int(model.config.vocab_size), source)
    manner = Manner.read(Path(source.location) / EXTRA)
    return TorchGenerator(model, tokenizer, source.name, manner)


def open_generator(source: Source, placement: Placement) -> Generator:
    """A generator on the engine that it can run on."""
    if placement.uses_onnx(source.name, has_graphs(Path(source.location))):
        from ragcli.models.onnx.generator import OnnxGenerator
        from ragcli.models.onnx.runtime import usable

        with usable(source):
            return OnnxGenerator(source, placement)
    return load_generator(source, placement)


class Seq2Seq:
    """Takes whatever nobody else does."""

    def takes(self, source: Source) -> bool:
        return True

    def open(self, source: Source, placement: Placement) -> Model:
        return Model(lambda: open_generator(source, placement))


SEQ2SEQ = Seq2Seq()
