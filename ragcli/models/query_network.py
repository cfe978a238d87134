"""q(x) with gradient: the network of a query encoder, trained apart from d(z)."""

from __future__ import annotations

import json
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ragcli.errors import QuestionError
from ragcli.models.source import weights_digest
from ragcli.protocols import Floats, Progress
from ragcli.records import Passage
from ragcli.settings import EncoderSettings

if TYPE_CHECKING:
    import torch

SETTINGS = "encoder.json"


class QueryNetwork(ABC):
    """The network behind `encode_queries`, as a tensor function of questions.

    `settings` are those of the encoder it came from; `module` holds the weights. Each kind of
    encoder says in a subclass how its network reads, pools and is saved.
    """

    def __init__(self, module: Any, tokenizer: Any, settings: EncoderSettings) -> None:
        self.module, self.tokenizer, self.settings = module, tokenizer, settings
        self.tokenizing = threading.Lock()
        """Every call sets a tokenizer up anew, to pad and to cut or not: one thread at a time."""

    def __call__(self, questions: Sequence[str]) -> torch.Tensor:
        """q(x) (questions, dimension), with gradient if the network has it."""
        return self.embed(self.features(questions))

    def features(self, questions: Sequence[str]) -> dict[str, Any]:
        """The questions as the network reads them; one too long is refused, never cut."""
        texts = [self.settings.query_prefix + question for question in questions]
        with self.tokenizing:
            require_length(token_lengths(self.tokenizer, texts), self.settings)
            return self.read(texts)

    def embed(self, features: dict[str, Any]) -> torch.Tensor:
        """q(x) of what `features` gave."""
        import torch

        device = next(self.module.parameters()).device
        on = {name: t.to(device) if hasattr(t, "to") else t for name, t in features.items()}
        embedded = self.pool(on)
        if self.settings.normalize:
            embedded = torch.nn.functional.normalize(embedded, dim=-1)
        return embedded

    def encode(
        self,
        texts: Sequence[Any],
        lengths: Sequence[int],
        batch_size: int = 32,
        progress: Progress | None = None,
    ) -> Floats:
        """A vector for each text without gradient, in batches of similar length."""
        import torch

        rows = np.zeros((len(texts), self.settings.dimension), dtype=np.float32)
        order = sorted(range(len(texts)), key=lambda n: -lengths[n])
        for start in range(0, len(order), batch_size):
            batch = order[start : start + batch_size]
            with torch.no_grad():
                rows[batch] = self([texts[n] for n in batch]).float().cpu().numpy()
            if progress:
                progress(len(batch))
        return rows

    def encode_queries(self, questions: Sequence[str]) -> Floats:
        return self.encode(questions, [len(question) for question in questions])

    def trained_for(self, built: EncoderSettings, score_scale: float) -> EncoderSettings:
        """The settings after training: the network's own digest and scale, the index's d(z)."""
        return replace(
            self.settings,
            query_digest=self.digest,
            document_name=built.document_name,
            document_digest=built.document_digest,
            document_prefix=built.document_prefix,
            score_scale=score_scale,
            trained=True,
        )

    @abstractmethod
    def read(self, texts: list[str]) -> dict[str, Any]:
        """Texts as tensors."""

    @abstractmethod
    def pool(self, features: dict[str, Any]) -> torch.Tensor:
        """One vector a row."""

    @abstractmethod
    def save_module(self, folder: Path) -> None:
        """Write network and tokenizer in their library's format."""

    @property
    def digest(self) -> str:
        return weights_digest(self.module.state_dict().items())

    def save(self, folder: Path, settings: EncoderSettings) -> None:
        """The network in its own library's format, and beside it which d(z) it belongs to."""
        folder.mkdir(parents=True, exist_ok=True)
        self.save_module(folder)
        text = json.dumps(settings.to_json(), indent=2, ensure_ascii=False) + "\n"
        (folder / SETTINGS).write_text(text, encoding="utf-8")


class NetworkEncoder:
    """q(x) of a network, and d(z) of another one, which stands still when the first is trained.

    `network` is a `QueryNetwork`, or an encoder on another engine that has one.
    `documents` opens d(z), something with `encode_passages`, from the settings when it is needed.
    `probes` says whether that is cheap enough for a look at the index before a question: if q(x)
    runs without torch and d(z) does not, their digests must do.
    """

    def __init__(
        self,
        network: Any,
        settings: EncoderSettings,
        documents: Callable[[EncoderSettings], Any],
        probes: bool = True,
    ) -> None:
        self.probes = probes
        self._network, self.settings, self._open = network, settings, documents

    def encode_queries(self, questions: Sequence[str]) -> Floats:
        embedded: Floats = self._network.encode_queries(questions)
        return embedded

    def encode_passages(
        self, passages: Sequence[Passage], batch_size: int = 32, progress: Progress | None = None
    ) -> Floats:
        embedded: Floats = self._documents.encode_passages(passages, batch_size, progress)
        return embedded

    def query_network(self) -> QueryNetwork:
        """The network itself, to be trained, with the score scale that it is used with."""
        in_torch = getattr(self._network, "query_network", None)
        network: QueryNetwork = in_torch() if in_torch else self._network
        network.settings = replace(network.settings, score_scale=self.settings.score_scale)
        return network

    @cached_property
    def _documents(self) -> Any:
        return self._open(self.settings)


def token_lengths(tokenizer: Any, texts: Sequence[str]) -> list[int]:
    """Tokens of each text, by a transformers tokenizer or by a bare one (static embeddings)."""
    if hasattr(tokenizer, "encode_batch"):
        return [len(encoding.ids) for encoding in tokenizer.encode_batch(list(texts))]
    return [len(ids) for ids in tokenizer(list(texts)).input_ids]


def require_length(lengths: Sequence[int], settings: EncoderSettings) -> None:
    """A question that would be cut is refused: what is left of it may ask something else."""
    longest = max(lengths)
    if longest > settings.max_length:
        raise QuestionError(
            f"the question takes {longest} tokens and the query encoder reads "
            f"{settings.max_length}",
            "shorten the question",
        )
