"""A kind of generator: `echo:0.9` repeats what follows the last colon of a passage.

It writes bytes. Each byte of that text, and then the end, gets a probability of 0.9; the rest is
spread evenly over all bytes. So log p(y|x,z) can be computed by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragcli.models.catalog import Model
from ragcli.models.source import Source
from ragcli.protocols import Ints, TokenLogProbs
from ragcli.settings import Placement, Prompting

END, VOCABULARY = 256, 257


class EchoGenerator:
    uncased = copies = False
    ends = (END,)
    reserved: tuple[str, ...] = ()
    max_tokens = 128
    confidence = None
    prompting = Prompting(max_length=4096)

    def __init__(self, name: str, certainty: float) -> None:
        self.name, self.digest, self.certainty = name, name, certainty

    @property
    def manner(self) -> dict[str, Any]:
        return {"certainty": self.certainty}

    def tokenize_inputs(self, texts: list[str]) -> list[list[int]]:
        return [list(text.encode()) for text in texts]

    def encode(self, inputs: Sequence[Sequence[int]]) -> EchoReading:
        joined = [bytes(tokens).decode() for tokens in inputs]
        passages = [text.rpartition(self.prompting.question_separator)[0] for text in joined]
        answers = [self.tokenize(text.rpartition(": ")[2]) for text in passages]
        return EchoReading(answers, self.certainty)

    def tokenize(self, answer: str) -> tuple[int, ...]:
        return (*answer.encode(), END)

    def text(self, tokens: Sequence[int]) -> str:
        return bytes(token for token in tokens if token != END).decode(errors="replace")

    def token_texts(self, tokens: Sequence[int]) -> tuple[str, ...]:
        return tuple("" if token == END else chr(token) for token in tokens)


class EchoReading:
    """The pairs that were read, each as the answer that its passage asks to be repeated."""

    def __init__(self, answers: Sequence[tuple[int, ...]], certainty: float) -> None:
        self.answers, self.certainty = list(answers), certainty

    @property
    def rows(self) -> int:
        return len(self.answers)

    def select(self, rows: Ints) -> EchoReading:
        return EchoReading([self.answers[row] for row in rows], self.certainty)

    def stepper(self) -> EchoStepper:
        return EchoStepper(self)

    def silence(self) -> NDArray[np.float64] | None:
        return None

    def first(self) -> NDArray[np.float64]:
        return np.stack([self.next_token(row, ()) for row in range(self.rows)])

    def next_token(self, row: int, prefix: tuple[int, ...]) -> NDArray[np.float64]:
        """log p(y_i|x,z,y_<i) of every token."""
        answer, position = self.answers[row], len(prefix)
        if position >= len(answer) or answer[:position] != prefix:
            return np.full(VOCABULARY, -np.log(VOCABULARY))
        probs = np.full(VOCABULARY, (1 - self.certainty) / VOCABULARY)
        probs[answer[position]] += self.certainty
        return np.log(probs)

    def token_log_probs(self, rows: Ints, targets: Sequence[tuple[int, ...]]) -> TokenLogProbs:
        shape = (len(targets), max(map(len, targets), default=0))
        log_probs, mask = np.zeros(shape), np.zeros(shape, bool)
        for n, target in enumerate(targets):
            for i, token in enumerate(target):
                log_probs[n, i] = self.next_token(int(rows[n]), target[:i])[token]
                mask[n, i] = True
        return TokenLogProbs(log_probs, mask)


class EchoStepper:
    columns = None

    def __init__(self, reading: EchoReading) -> None:
        self._reading = reading
        self._live: list[tuple[int, tuple[int, ...]]] = []

    def step(self, tokens: Ints | None, parents: Ints) -> NDArray[np.float64]:
        if tokens is None:
            self._live = [(int(row), ()) for row in parents]
        else:
            kept = [self._live[parent] for parent in parents]
            self._live = [
                (row, (*prefix, int(token)))
                for (row, prefix), token in zip(kept, tokens, strict=True)
            ]
        return np.stack([self._reading.next_token(*live) for live in self._live])

    def allowed(self) -> None:
        return None

    def answered(self) -> None:
        return None


class Echo:
    def takes(self, source: Source) -> bool:
        return False  # always named outright, `echo:0.9`

    def open(self, source: Source, placement: Placement) -> Model:
        return Model(lambda: EchoGenerator(source.name, float(source.location)))


ECHO = Echo()
