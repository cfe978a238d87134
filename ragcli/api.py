"""The library's front door: open an index with a model, then ask, retrieve and score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ragcli.answering.belonging import check_encoder, open_index
from ragcli.answering.retrieval import Retriever, retriever_for
from ragcli.errors import ModelError
from ragcli.protocols import Encoder, Generator
from ragcli.records import Answer, Classification, RetrievedPassage
from ragcli.settings import Decoding, Retrieval, RetrieverName
from ragcli.store.store import Store

if TYPE_CHECKING:
    from ragcli.answering.score import ScoredAnswer
    from ragcli.store.version import IndexVersion


class Rag:
    """An index version, its query encoder and a generator, ready to answer.

    >>> with Rag.open("default@2018") as rag:            # doctest: +SKIP
    ...     print(rag.ask("Who is the President of Peru?").text)
    """

    def __init__(
        self,
        index: IndexVersion,
        encoder: Encoder,
        generator: Generator | None = None,
        retrieval: Retrieval | None = None,
        decoding: Decoding | None = None,
    ) -> None:
        self.index, self.encoder = index, encoder
        self._generator = generator
        self.retrieval = retrieval or Retrieval()
        self.decoding = decoding or Decoding()
        self._store: Store | None = None
        self._trusted = False
        self._retrievers: dict[RetrieverName, Retriever] = {}

    @classmethod
    def open(
        cls,
        reference: str | None = None,
        *,
        store: Store | Path | str | None = None,
        model: str | None = None,
        encoder: str | None = None,
        retrieval: Retrieval | None = None,
        decoding: Decoding | None = None,
        retriever: RetrieverName = "dense",
        frozen: bool = False,
        generate: bool = True,
        verify: bool = False,
        trust_query_encoder: bool = False,
    ) -> Self:
        """Open `NAME[@VERSION]` with the encoder it was built with and the model named.

        A paper checkpoint as `model` brings its own query encoder, top-k and variant; what is
        given explicitly wins. `generate=False` loads no generator: enough for `retrieve`.
        `retriever` chooses where p(z|x) comes from unless `retrieval` says; `frozen` keeps the
        encoder that the index was built with, whatever query encoder the model was trained with.
        """
        from ragcli.models.encoders import encoder_of, load_encoder

        store = store if isinstance(store, Store) else Store(store)
        index = store.open(reference, verify)
        try:
            built = index.manifest.encoder
            loaded = None
            if generate or model is not None:
                from ragcli.models.catalog import load_model

                loaded = load_model(model)
            if encoder is not None:
                query_encoder = load_encoder(encoder, built.score_scale)
            elif (
                loaded is not None
                and loaded.encoder is not None
                and (
                    # Of the same weights, a model's encoder may still have learnt a score scale.
                    not frozen or loaded.encoder.settings.query_digest == built.query_digest
                )
            ):
                query_encoder = loaded.encoder
                if loaded.partner is not None:
                    trust_query_encoder |= loaded.partner == built.document_name
            else:
                query_encoder = encoder_of(built)
            check_encoder(index, query_encoder, trust_query_encoder)
        except BaseException:
            index.close()
            raise
        if retrieval is None:
            known = loaded.top_k if loaded is not None else None
            retrieval = Retrieval(known or Retrieval().top_k, retriever)
        if decoding is None and loaded is not None and loaded.variant is not None:
            decoding = Decoding(variant=loaded.variant)
        rag = cls(index, query_encoder, loaded.generator if loaded else None, retrieval, decoding)
        rag._store, rag._trusted = store, trust_query_encoder
        return rag

    @property
    def generator(self) -> Generator:
        if self._generator is None:
            raise ModelError("no generator was loaded", "open the index without generate=False")
        return self._generator

    @property
    def top_k(self) -> int:
        """How many passages a question gets: the setting, or all if the index is smaller."""
        if self.retrieval.retriever == "none":
            return 1
        return min(self.retrieval.top_k, len(self.index))

    @property
    def retriever(self) -> Retriever:
        """What finds the passages, by `retrieval.retriever`; made once for each name."""
        name = self.retrieval.retriever
        if name not in self._retrievers:
            self._retrievers[name] = retriever_for(name, self.index, self.encoder)
        return self._retrievers[name]

    def ask(self, question: str, explain: bool = False) -> Answer:
        """The answer to one question."""
        return next(self.ask_many([question], explain=explain))

    def ask_many(
        self, questions: Sequence[str], batch_size: int = 8, explain: bool = False
    ) -> Iterator[Answer]:
        """The answers in order, several questions to a batch."""
        from ragcli.answering.ask import ask

        return ask(
            self.index,
            self.retriever,
            self.generator,
            questions,
            self.retrieval.top_k,
            self.decoding,
            batch_size,
            explain,
        )

    def retrieve(self, question: str) -> list[RetrievedPassage]:
        """The top-k passages of a question, best first."""
        return self.retriever.retrieve([question], self.retrieval.top_k)[0]

    def score(self, question: str, answers: Sequence[str]) -> list[ScoredAnswer]:
        """log p(answer | question) of each answer under both variants."""
        from ragcli.answering.score import score

        return score(self.generator, question, answers, self.retrieve(question))

    def classify(self, text: str, labels: Sequence[str]) -> Classification:
        """The labels of one text by their marginal probability."""
        return next(self.classify_many([text], labels))

    def classify_many(
        self, texts: Sequence[str], labels: Sequence[str], batch_size: int = 8
    ) -> Iterator[Classification]:
        """The labels of each text in order, several texts to a batch."""
        from ragcli.answering.classify import classify

        variant, k = self.decoding.variant, self.retrieval.top_k
        return classify(self.retriever, self.generator, texts, labels, k, variant, batch_size)

    def with_index(self, reference: str) -> Rag:
        """The same model over another version of the same store: a hot-swap in one process.

        A query encoder that was trusted with the first version is trusted with the second.
        """
        store = self._store or Store()
        index = open_index(store, reference, self.encoder, trust_query_encoder=self._trusted)
        rag = Rag(index, self.encoder, self._generator, self.retrieval, self.decoding)
        rag._store, rag._trusted = self._store, self._trusted
        return rag

    def close(self) -> None:
        self.index.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
