"""Groups as an index gives them: the passages that the package's own encoder ranks highest."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from asked import articles, documents, standing
from data import MAKERS, Example, Sources, document_of, held_out
from groups import Group, groups, lacking, same_text, well_posed
from numpy.typing import NDArray
from text import join_tokens

from ragcli.models.encoders import load_encoder
from ragcli.protocols import Encoder
from ragcli.records import Passage

Floats = NDArray[np.float32]
TitledText = tuple[str, str]

BATCH = 64
"""Questions that are ranked at a time."""
HARDEST = 6
"""So many of the passages that rank highest may distract in training."""


class Pool:
    """Passages with their d(z).

    Each stands for the example it comes from, which tells whether it is the same text as another
    with other names.  With a folder the vectors are kept there for the next start.
    """

    def __init__(
        self, encoder: Encoder, owners: Mapping[TitledText, Example], folder: Path | None = None
    ) -> None:
        self.encoder = encoder
        self.passages, self.owners = list(owners), list(owners.values())
        self.spots = {passage: spot for spot, passage in enumerate(self.passages)}
        digest = hashlib.sha256(repr(self.passages).encode()).hexdigest()[:16]
        kept = folder and folder / f"pool-{digest}.npy"
        if kept and kept.exists():
            self.vectors: Floats = np.load(kept)
        else:
            self.vectors = embed(encoder, self.passages)
            if kept:
                np.save(kept, self.vectors)

    def vectors_of(self, passages: Sequence[TitledText]) -> Floats:
        """d(z) of some passages; those of the pool are not encoded again."""
        new = [passage for passage in passages if passage not in self.spots]
        fresh = iter(embed(self.encoder, new))
        rows = [self.vectors[self.spots[p]] if p in self.spots else next(fresh) for p in passages]
        return np.stack(rows)

    def others(self, example: Example, ranking: Floats, count: int) -> list[int]:
        """The passages that rank highest and do not hold the answer, at most `count`."""
        there = standing(example.answer)
        found: list[int] = []
        for spot in np.argsort(-ranking):
            owner = self.owners[spot]
            if there.search(self.passages[spot][1]):
                continue
            if owner is not example and same_text(owner, example):
                continue
            found.append(int(spot))
            if len(found) == count:
                break
        return found

    def groups(
        self, examples: Iterator[Example], size: int, hardest: int, rng: random.Random
    ) -> Iterator[Group]:
        """A group for each example: `size` - 1 of the `hardest` others, with the true scores."""
        scale = self.encoder.settings.score_scale
        while batch := list(islice(examples, BATCH)):
            queries = self.encoder.encode_queries([example.question for example in batch])
            gold = self.vectors_of([(example.title, example.text) for example in batch])
            for example, query, mine in zip(batch, queries, gold, strict=True):
                ranking = self.vectors @ query
                found = self.others(example, ranking, hardest)
                if len(found) < size - 1:
                    continue
                chosen = sorted(rng.sample(found, size - 1), key=lambda spot: -ranking[spot])
                absent = [lacking(example, *self.passages[spot]) for spot in chosen]
                scores = scale * np.array([mine @ query, *ranking[chosen]])
                yield Group((example, *absent), tuple(scores.tolist()))


def embed(encoder: Encoder, passages: Sequence[TitledText]) -> Floats:
    """d(z) of titles and texts."""
    return encoder.encode_passages(
        [Passage("", "", title, text, "", "", 1, 0, len(text)) for title, text in passages]
    )


def training_passages(sources: Sources) -> dict[str, list[TitledText]]:
    """The passages that may distract in training, by the share of the mixture they belong to."""
    sentences = [
        ("", join_tokens(tokens, detokenise=True)[0])
        for key, tokens in sources.sentences.items()
        if not held_out(document_of(key), 0.1)
    ]
    found = {
        "qamr": sentences,
        "asked": [(t.title, p) for t in articles(sources, False) for p in t.passages],
        "documents": [(t.title, p) for t in documents(False) for p in t.passages],
    }
    return {kind: [p for p in passages if sources.allowed(*p)] for kind, passages in found.items()}


def training_pools(sources: Sources) -> dict[str, Pool]:
    """The training passages, embedded."""
    encoder = load_encoder()
    return {
        kind: Pool(encoder, {p: Example("", *p, -1, -1, "") for p in passages}, sources.work)
        for kind, passages in training_passages(sources).items()
    }


def mixed_groups(
    sources: Sources, shares: dict[str, float], kinds: Sequence[str], size: int, seed: int
) -> Iterator[Group]:
    """Endless groups in the given shares; for some kinds of question with retrieved distractors."""
    rng = random.Random(seed)
    made = {kind: share for kind, share in shares.items() if kind not in kinds}
    streams, weights = [groups(sources, made, size, seed)], [sum(made.values())]
    pools = training_pools(sources) if kinds else {}
    for kind in kinds:
        asked = MAKERS[kind](sources, random.Random(f"{seed}-{kind}"))
        clear = (example for example in asked if example.start >= 0 and well_posed(example))
        streams.append(pools[kind].groups(clear, size, HARDEST, rng))
        weights.append(shares[kind])
    while True:
        yield next(rng.choices(streams, weights)[0])
