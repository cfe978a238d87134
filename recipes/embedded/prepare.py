"""Read every source once, and find for each question the texts that look as if they answered it.

    python prepare.py --data DATA --work WORK

Writes WORK/items.jsonl (all items), WORK/texts.json (each text once) and WORK/likes.npy (for each
item the texts that share most with its question, by BM25; -1 where there are fewer).  held_out.txt
has the digests of the texts that nothing is trained on or chosen by.  They were chosen once, by
subject: the texts of each family of sources were clustered by the package's encoder, and one
cluster in twelve was left out, both halves of a pair of `changes/` together.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from dataclasses import asdict
from pathlib import Path

import bm25s
import numpy as np
from sources import NAMELESS, NEVER, Item, read_all

HERE = Path(__file__).resolve().parent
LIKES = 12
WORDS = 130


def passage(item: Item) -> str:
    """What is searched of an item's text: title and beginning."""
    return " ".join(f"{item.title} {item.text}".split()[:WORDS])


def held_out(items: list[Item], path: Path) -> set[str]:
    """Digests of the texts that are held out; both texts of a group are, or none."""
    held = set(path.read_text().split()) | {item.key for item in items if item.source in NEVER}
    groups = {item.group for item in items if item.key in held and item.group}
    return held | {item.key for item in items if item.group in groups}


def ranked(items: list[Item], owners: list[Item], held: set[str]) -> np.ndarray:
    """For each item (n, LIKES) the rows of the texts most like its question, its own left out.

    They are of the same family of sources: what reads alike is the harder to tell apart.
    Held-out questions meet held-out texts and trained ones the others, and never another text of
    their own group, which may answer them.
    """
    likes = np.full((len(items), LIKES), -1, dtype=np.int32)
    texts, asked = defaultdict(list), defaultdict(list)
    for spot, owner in enumerate(owners):
        texts[owner.family, owner.key in held].append(spot)
    for n, item in enumerate(items):
        if item.task != "ask" and item.source not in NAMELESS:
            asked[item.family, item.key in held].append(n)
    for part, rows in asked.items():
        spots = texts[part]
        index = bm25s.BM25()
        index.index(bm25s.tokenize([passage(owners[spot]) for spot in spots], show_progress=False),
                    show_progress=False)  # fmt: skip
        words = bm25s.tokenize([items[n].question for n in rows], show_progress=False)
        most = min(3 * LIKES, len(spots))
        found, _ = index.retrieve(words, k=most, show_progress=False, n_threads=2)
        for n, best in zip(rows, found, strict=True):
            others = [owners[spots[each]] for each in best]
            kept = [
                spots[each]
                for each, other in zip(best, others, strict=True)
                if other.key != items[n].key
                and not (items[n].group and other.group == items[n].group)
            ][:LIKES]
            likes[n, : len(kept)] = kept
        print(f"{part[0]}: {len(rows):,} questions over {len(spots):,} texts", flush=True)
    return likes


def main() -> None:
    """Read, rank and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--held-out", type=Path, default=HERE / "held_out.txt")
    given = parser.parse_args()
    items = list(read_all(given.data, given.work))
    owners: dict[str, Item] = {}
    for item in items:
        owners.setdefault(passage(item), item)
    print(f"{len(items):,} items over {len(owners):,} texts", flush=True)
    held = held_out(items, given.held_out)
    np.save(given.work / "likes.npy", ranked(items, list(owners.values()), held))
    with (given.work / "items.jsonl").open("w", encoding="utf-8") as stream:
        for item in items:
            stream.write(json.dumps(asdict(item) | {"held": item.key in held}) + "\n")
    texts = [[each.title, each.text, each.source] for each in owners.values()]
    (given.work / "texts.json").write_text(json.dumps(texts))
    print(f"held out: {sum(item.key in held for item in items):,} items")


if __name__ == "__main__":
    main()
