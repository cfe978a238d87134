"""Read every source once, embed it, choose what is held out, and find what looks alike.

    python prepare.py --data DATA --work WORK [--held-out HELD_OUT]

Writes WORK/items.jsonl (all items), WORK/likes.npy (for each item the texts most like its
question) and WORK/scores.npy (their q·d, and in column 0 the item's own).  What is held out is
chosen by subject: the texts of a family are clustered by what the package's encoder says of them,
and one cluster in twelve is never trained on.  The digests of those texts are kept in
held_out.txt, so that the choice outlives this run.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from dataclasses import asdict
from pathlib import Path

import faiss
import numpy as np
from sources import NEVER, Item, read_all

from ragcli.models.encoders import load_encoder
from ragcli.records import Passage
from ragcli.settings import Placement

HERE = Path(__file__).resolve().parent
LIKES = 12
SHARE = 12
WORDS = 130


def embed(texts: list[str]) -> np.ndarray:
    """The package's own encoder, in whole numbers for speed."""
    encoder = load_encoder(precision="int8", placement=Placement(threads=2))
    found = np.zeros((len(texts), encoder.settings.dimension), dtype=np.float32)
    for begin in range(0, len(texts), 8192):
        part = [Passage("", "", "", text, "", "", 1, 0, 0) for text in texts[begin : begin + 8192]]
        found[begin : begin + len(part)] = encoder.encode_passages(part)
        print(f"{begin + len(part):,} of {len(texts):,}", flush=True)
    return found


def choose(
    items: list[Item], spots: dict[str, int], vectors: np.ndarray, known: set[str]
) -> set[str]:
    """Digests of the texts that are held out: one cluster in `SHARE` of each family.

    A family of which some are `known` to be held out has been chosen before.
    """
    families: dict[str, dict[str, int]] = defaultdict(dict)
    for item in items:
        families[item.family][item.key] = spots[passage(item)]
    held = set(known)
    for family, keys in sorted(families.items()):
        if known & keys.keys():
            continue
        if family in NEVER:
            held.update(keys)
            continue
        rows = vectors[list(keys.values())]
        count = max(24, len(rows) // 25)
        means = faiss.Kmeans(rows.shape[1], count, niter=12, seed=7, verbose=False)
        means.train(rows)
        _, own = means.index.search(rows, 1)
        chosen = set(np.random.default_rng(5).permutation(count)[: count // SHARE + 1].tolist())
        held |= {key for key, [spot] in zip(keys, own, strict=True) if int(spot) in chosen}
    return held


def passage(item: Item) -> str:
    """What an encoder reads of an item's text: title and beginning."""
    return " ".join(f"{item.title} {item.text}".split()[:WORDS])


def main() -> None:
    """Read, embed, choose, rank and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--held-out", type=Path, default=HERE / "held_out.txt")
    parser.add_argument("--skip", nargs="*", default=[], help="sources to leave out")
    given = parser.parse_args()
    items = [item for item in read_all(given.data, given.work) if item.source not in given.skip]
    texts = list(dict.fromkeys(map(passage, items)))
    spots = {text: spot for spot, text in enumerate(texts)}
    print(f"{len(items):,} items over {len(texts):,} texts", flush=True)
    vectors = embed(texts)
    asked = [i for i, item in enumerate(items) if item.task != "ask"]
    queries = embed([items[i].question for i in asked])
    known = set(given.held_out.read_text().split()) if given.held_out.exists() else set()
    held = choose(items, spots, vectors, known)
    given.held_out.write_text("\n".join(sorted(held)) + "\n")
    owner: dict[str, Item] = {}
    for item in items:
        owner.setdefault(passage(item), item)
    train = np.array([owner[text].key not in held for text in texts])
    likes = np.full((len(items), LIKES), -1, dtype=np.int32)
    scores = np.zeros((len(items), LIKES + 1), dtype=np.float32)
    own = np.array([spots[passage(items[i])] for i in asked])
    for begin in range(0, len(asked), 512):
        block = queries[begin : begin + 512] @ vectors.T
        for row, spot in enumerate(own[begin : begin + 512]):
            i = asked[begin + row]
            scores[i, 0] = block[row, spot]
            same = train == (items[i].key not in held)  # held-out questions meet held-out texts
            block[row][~same] = -9
            block[row][spot] = -9
            best = np.argpartition(-block[row], LIKES)[:LIKES]
            best = best[np.argsort(-block[row][best])]
            likes[i], scores[i, 1:] = best, block[row][best]
    with (given.work / "items.jsonl").open("w", encoding="utf-8") as stream:
        for item in items:
            row = asdict(item) | {"spot": spots[passage(item)], "held": item.key in held}
            stream.write(json.dumps(row) + "\n")
    (given.work / "texts.json").write_text(
        json.dumps([[owner[text].title, owner[text].text, owner[text].source] for text in texts])
    )
    np.save(given.work / "likes.npy", likes)
    np.save(given.work / "scores.npy", scores)
    print(f"held out: {sum(item.key in held for item in items):,} items")


if __name__ == "__main__":
    main()
