"""Add a source to what was prepared, without embedding the rest again.

    python add.py --work WORK --source changes

The texts that look like a new question are then sought among the new texts alone, and never in the
group that its own text belongs to.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
from prepare import HERE, LIKES, choose, embed, passage
from sources import OWN, documents


def main() -> None:
    """Read, embed, choose, rank and append."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--source", required=True)
    given = parser.parse_args()
    items = list(documents(OWN / given.source, given.source))
    known = json.loads((given.work / "texts.json").read_text())
    if any(source == given.source for *_, source in known):
        raise SystemExit(f"{given.source} has been added before")
    texts = list(dict.fromkeys(map(passage, items)))
    spots = {text: spot for spot, text in enumerate(texts)}
    owner = {passage(item): item for item in items}
    vectors, queries = embed(texts), embed([item.question for item in items])
    path = HERE / "held_out.txt"
    held = choose(items, spots, vectors, set(path.read_text().split()))
    # Both halves of a group are held out, or none.
    groups = {item.group for item in items if item.key in held and item.group}
    held |= {item.key for item in items if item.group in groups}
    path.write_text("\n".join(sorted(held)) + "\n")
    out = np.array([owner[text].key in held for text in texts])
    kept = np.array([owner[text].group for text in texts])
    likes = np.zeros((len(items), LIKES), dtype=np.int32)
    scores = np.zeros((len(items), LIKES + 1), dtype=np.float32)
    for i, item in enumerate(items):
        ranking = vectors @ queries[i]
        scores[i, 0] = ranking[spots[passage(item)]]
        ranking[(out != (item.key in held)) | (kept == item.group)] = -9
        best = np.argsort(-ranking)[:LIKES]
        likes[i], scores[i, 1:] = best + len(known), ranking[best]
    with (given.work / "items.jsonl").open("a", encoding="utf-8") as stream:
        for item in items:
            spot = spots[passage(item)] + len(known)
            stream.write(json.dumps(asdict(item) | {"spot": spot, "held": item.key in held}) + "\n")
    found = [[owner[text].title, owner[text].text, given.source] for text in texts]
    (given.work / "texts.json").write_text(json.dumps(known + found))
    for name, rows in (("likes", likes), ("scores", scores)):
        stored = np.load(given.work / f"{name}.npy")
        np.save(given.work / f"{name}.npy", np.concatenate([stored, rows]))
    print(f"{len(items):,} items, {sum(item.key in held for item in items):,} held out")


if __name__ == "__main__":
    main()
