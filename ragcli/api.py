"""The library's front door: open an index with a model, then ask, retrieve, score and classify."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Self

from ragcli.answering.ask import ask
from ragcli.answering.belonging import check_encoder
from ragcli.answering.classify import classify
from ragcli.answering.score import ScoredAnswer, score
from ragcli.answering.session import Lazy, Session
from ragcli.errors import SettingsError
from ragcli.protocols import Encoder, Generator, SearchableIndex
from ragcli.records import Answer, Classification, RetrievedPassage
from ragcli.settings import Decoding, Placement, Retrieval, resolve
from ragcli.store.store import Store, Where, store_at
from ragcli.store.version import IndexVersion


class Rag(Session):
    """An index version, its query encoder and a generator, ready to answer.

    Several threads may ask one `Rag` at a time.

    >>> with Rag.open("default@2018") as rag:            # doctest: +SKIP
    ...     print(rag.ask("Who is the President of Peru?").text)
    """

    _trusted = False

    @classmethod
    def open(
        cls,
        reference: str | None = None,
        *,
        store: Where | None = None,
        model: os.PathLike[str] | str | None = None,
        encoder: os.PathLike[str] | str | None = None,
        retrieval: Retrieval | None = None,
        decoding: Decoding | None = None,
        frozen: bool = False,
        verify: bool = False,
        trust_query_encoder: bool = False,
        placement: Placement = Placement(),  # noqa: B008 (frozen)
    ) -> Self:
        """Open `NAME[@VERSION]` with the encoder it was built with and the model named.

        A paper checkpoint or trained model brings its own query encoder, top-k and variant; what
        `retrieval` and `decoding` say wins. Encoder and generator are loaded when they are first
        needed. `frozen` keeps the encoder that the index was built with, whatever query encoder
        the model was trained with.
        """
        from ragcli.models.catalog import load_model

        store = store_at(store)
        index = store.open(reference, verify)
        try:
            opened = load_model(model, placement)
            settings = resolve(retrieval, decoding, opened.retrieval, opened.decoding)
        except BaseException:
            index.close()
            raise
        trusted = trust_query_encoder or opened.partner == index.encoder.document_name

        def load_query_encoder() -> Encoder:
            from ragcli.models.encoders import encoder_of, load_encoder

            built = index.encoder
            found: Encoder | None
            if encoder is not None:
                found = load_encoder(encoder, built.score_scale, placement)
            else:
                found = opened.encoder
                # Of the same weights, a model's encoder may still have learnt a score scale.
                if found and frozen and found.settings.query_digest != built.query_digest:
                    found = None
            found = found or encoder_of(built, placement)
            check_encoder(index, found, trusted)
            return found

        generator: Lazy[Generator] = Lazy(load=lambda: opened.generator)
        rag = cls(index, Lazy(load=load_query_encoder), generator, settings)
        rag._trusted = trusted
        return rag

    def ask(self, question: str, explain: bool = False) -> Answer:
        """The answer to one question."""
        return next(self.ask_many([question], explain=explain))

    def ask_many(
        self, questions: str | Sequence[str], batch_size: int = 8, explain: bool = False
    ) -> Iterator[Answer]:
        """The answers in order, several questions to a batch."""
        return ask(self, questions, batch_size, explain)

    def retrieve(self, question: str) -> list[RetrievedPassage]:
        """The top-k passages of a question, best first."""
        return self.retriever.retrieve([question], self.settings.top_k)[0]

    def score(self, question: str, answers: str | Sequence[str]) -> list[ScoredAnswer]:
        """log p(answer | question) of each answer under both variants."""
        return score(self, question, answers)

    def classify(self, text: str, labels: Sequence[str]) -> Classification:
        """The labels of one text by their marginal probability."""
        return next(self.classify_many([text], labels))

    def classify_many(
        self, texts: str | Sequence[str], labels: Sequence[str], batch_size: int = 8
    ) -> Iterator[Classification]:
        """The labels of each text in order, several texts to a batch."""
        return classify(self, texts, labels, batch_size)

    def with_index(self, reference: str) -> Rag:
        """The same model over another version of the same store: a hot-swap in one process.

        A query encoder that was trusted with the first version is trusted with the second.
        """
        if not isinstance(self.index, IndexVersion):
            raise SettingsError(f"{self.index.name} is no version in a store")
        return self.over(Store(self.index.store_root).open(reference))

    def over(self, index: SearchableIndex) -> Rag:
        """The same model over another index, which is closed with the new `Rag`."""

        def checked() -> Encoder:
            check_encoder(index, self.encoder, self._trusted)
            return self.encoder

        rag = Rag(index, Lazy(load=checked), self._generator, self.settings)
        rag._trusted = self._trusted
        return rag

    def close(self) -> None:
        """Let go of the index."""
        self.index.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
