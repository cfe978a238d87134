"""Encoder–decoders as `--model` names them: BART, T5 and the like, from a folder or the hub."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ragcli.models.catalog import Model
from ragcli.models.devices import device_of, dtype_of
from ragcli.models.source import Source, loading, require_tokenizer
from ragcli.models.torch_generator import EXTRA, TorchGenerator, read_extra
from ragcli.settings import Placement, Prompting


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
    extra = read_extra(Path(source.location) / EXTRA)
    return TorchGenerator(
        model,
        tokenizer,
        source.name,
        Prompting(**extra["prompting"]) if "prompting" in extra else None,
        uncased=bool(extra.get("uncased", False)),
        no_answer=extra.get("no_answer_token_id"),
        copies=bool(extra.get("copies", False)),
        target_prefix=str(extra.get("target_prefix", "")),
    )


class Seq2Seq:
    """Takes whatever nobody else does."""

    def takes(self, source: Source) -> bool:
        return True

    def open(self, source: Source, placement: Placement) -> Model:
        return Model(lambda: load_generator(source, placement))


SEQ2SEQ = Seq2Seq()
