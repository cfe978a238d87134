"""What the generator reads of a passage: whole sentences, completed from the passages beside it.

Passages are cut after so many words, through sentences and facts. Nothing is stored twice: what
completes them are words of the rows beside them, of the same document, found by their positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ragcli.answering.session import Session
from ragcli.core.prompting import Completed, Words, trimmed
from ragcli.core.sentences import border_after, border_before
from ragcli.protocols import Generator, SearchableIndex
from ragcli.records import Passage, RetrievedPassage


def evidence(session: Session, questions: Sequence[str]) -> list[list[RetrievedPassage]]:
    """The top-k passages of each question, best first, each with what is read beside it."""
    found = session.retriever.retrieve(questions, session.settings.top_k)
    return completed(session.index, session.generator, questions, found, session.settings.margin)


def completed(
    index: SearchableIndex,
    generator: Generator,
    questions: Sequence[str],
    retrieved: Sequence[Sequence[RetrievedPassage]],
    margin: int,
) -> list[list[RetrievedPassage]]:
    """Each passage with up to `margin` words on either side, as far as the generator reads them."""
    beside = _Beside(index, margin)
    whole = [
        Completed(question, r.passage.caption, r.passage.text, beside.before(r), beside.after(r))
        for question, found in zip(questions, retrieved, strict=True)
        for r in found
    ]
    read = iter(trimmed(whole, generator.prompting, generator.tokenize_inputs, generator.reserved))
    return [
        [replace(r, before=" ".join(before), after=" ".join(after)) for r, (before, after) in pairs]
        for pairs in ([(r, next(read)) for r in found] for found in retrieved)
    ]


class _Beside:
    """The words that complete the first and the last sentence of passages; rows are read once."""

    def __init__(self, index: SearchableIndex, margin: int) -> None:
        self._index, self._margin = index, margin
        self._known: dict[int, Passage | None] = {}

    def before(self, item: RetrievedPassage) -> Words:
        """At most `margin` words, from the beginning of the sentence that the passage begins in."""
        words: Words = []
        row, passage = item.row, item.passage
        while len(words) <= self._margin and not passage.apart:
            row, start = row - 1, passage.start
            beside = self._neighbour(row, passage)
            if beside is None or not beside.start < start <= beside.end:
                break
            words = [*beside.text.split()[: start - beside.start], *words]
            passage = beside
        count = border_before(words, item.passage.text, self._margin)
        return words[len(words) - count :]

    def after(self, item: RetrievedPassage) -> Words:
        """At most `margin` words, to the end of the sentence that the passage ends in."""
        words: Words = []
        row, passage = item.row, item.passage
        while len(words) <= self._margin:
            row, end = row + 1, passage.end
            beside = self._neighbour(row, passage)
            if beside is None or beside.apart or not beside.start <= end < beside.end:
                break
            words += beside.text.split()[end - beside.start :]
            passage = beside
        return words[: border_after(item.passage.text, words, self._margin)]

    def _neighbour(self, row: int, passage: Passage) -> Passage | None:
        """The passage at a row, if there is one and it is of the same document."""
        if row not in self._known:
            there = self._margin and 0 <= row < len(self._index)
            self._known[row] = self._index.take([row])[0] if there else None
        found = self._known[row]
        return found if found and found.document_id == passage.document_id else None
