"""Five passages as an index gives them, beside the right one alone, on held-out texts.

    python five.py --work WORK --model FOLDER [--each 60]

Held-out texts of some sources stand in one index; asked is what people asked of them. Exact
match of the passage that holds the answer by itself, then of all five by each decoding, over the
questions for which retrieval found that passage.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import replace
from pathlib import Path

from evaluate import normalise
from examples import Material, Row, standing

from ragcli import Decoding, Rag, Store, build_index, load_encoder
from ragcli.answering.decode import decode
from ragcli.answering.margins import evidence

SOURCES = ("documents", "changes", "wikipedia", "squad", "cmu-qa", "written")
DECODINGS = {
    "thorough": Decoding(),
    "fast": Decoding(mode="fast"),
    "token": Decoding(variant="token"),
}


def asked(material: Material, each: int) -> tuple[list[Row], list[Row]]:
    """Held-out rows of the sources, whose texts are indexed, and those of them that are asked."""
    rows, chosen = [], []
    for source in SOURCES:
        own = material.held_out("answer", source)
        fitting = [row for row in own if 0 < len(row.answer.split()) <= 12]
        step = max(1, len(fitting) // each)
        chosen += fitting[::step][:each]
        rows += own[::5]
    return chosen + rows, chosen


def main() -> None:
    """Build, ask and print a line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--model", type=Path, nargs="+", required=True)
    parser.add_argument("--each", type=int, default=60)
    given = parser.parse_args()
    rows, chosen = asked(Material(given.work), given.each)
    names = {text: str(n) for n, text in enumerate(dict.fromkeys(row.text for row in rows))}
    titles = {row.text: row.title for row in rows}
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus.jsonl"
        lines = [{"id": n, "title": titles[text], "text": text} for text, n in names.items()]
        corpus.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        store = Store(Path(folder) / "store")
        build_index(store, load_encoder(precision="int8"), corpus, version="1")
        print(f"{'model':24}{'asked':>6}{'found':>6}{'alone':>7}", *(f"{d:>9}" for d in DECODINGS))
        for model in given.model:
            with Rag.open("default@1", store=store, model=model) as rag:
                print(*measured(rag, chosen, names, model.name), flush=True)


def measured(rag: Rag, chosen: list[Row], names: dict[str, str], name: str) -> list[str]:
    """The line of one model."""
    found, right = 0, dict.fromkeys(("alone", *DECODINGS), 0)
    for row in chosen:
        [passages] = evidence(rag, [row.question])
        there = standing(row.answer)
        gold = [
            p for p in passages
            if p.passage.document_id == names[row.text] and there.search(p.text)
        ]  # fmt: skip
        if not gold:
            continue
        found += 1
        given = {"alone": (rag, [replace(gold[0], log_prior=0.0)])}
        given |= {name: (rag.using(**each.said()), passages) for name, each in DECODINGS.items()}
        for way, (session, read) in given.items():
            [done] = decode(rag.generator, [row.question], [read], session.settings)
            right[way] += normalise(done.candidates[0].text) == normalise(row.answer)
    shares = [f"{100 * count / max(1, found):9.1f}" for count in right.values()]
    return [f"{name:24}{len(chosen):6}{found:6}", *shares]


if __name__ == "__main__":
    main()
