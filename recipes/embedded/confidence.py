"""Fit how sure a generator is of its answers, measure that, and write it into its rag.json.

    python recipes/embedded/confidence.py --model ragcli/models/embedded --work .work/confidence

Fitted on the general questions of sample_corpus and on half of the documents of unseen/,
by a hash of their names; the other half only measures. Every question is asked twice with the
defaults of `rag ask`: of an index that holds its document, and of one of the same kind that does
not. What was answered is kept in WORK, for these very weights, so that a run that was stopped goes
on and fitting again takes a second. Half of the questions are asked; --share 1 asks all.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ragcli import Rag, Store, build_index, delete_documents, load_encoder
from ragcli.core import confidence as core
from ragcli.core.metrics import exact_match
from ragcli.models.language import EXTRA
from ragcli.settings import Confidence

ROOT = Path(__file__).resolve().parents[2]
UNSEEN = ROOT / "recipes" / "embedded" / "unseen"
SAMPLE = "sample_corpus"
SETS: dict[str, tuple[Path, Path]] = {
    SAMPLE: (
        ROOT / "sample_corpus" / "2018" / "general",
        ROOT / "sample_corpus" / "questions" / "general.jsonl",
    ),
    **{
        name: (UNSEEN / name / "documents", UNSEEN / name / "questions.jsonl")
        for name in ("encyclopedia", "institutions", "mixed", "papers")
    },
}
CHOSEN = ("others", "silence", "read", "agreement", "tokens")
RIDGE = 1.0
"""Of the squared weights of standardised features: as one more answer that speaks against them."""
CAUGHT = 0.95
ABSENT = 0.5
"""What an unanswerable question counts in the fit, against 1 for one that has an answer."""


@dataclass(frozen=True)
class Asked:
    """A question as it was answered: `held` says whether its document was there."""

    set: str
    fits: bool
    held: bool
    id: str
    answer: str
    right: bool
    features: dict[str, float]


def hashed(name: str) -> int:
    return hashlib.sha256(name.encode()).digest()[0]


def fold(set_name: str, document: str) -> int:
    """0 and 1 are fitted on, 2 and 3 measured; all of sample_corpus is fitted on."""
    return hashed(document) % (2 if set_name == SAMPLE else 4)


def version_of(store: Store, name: str, folder: Path, wanted: set[int]) -> str:
    """A version of the set that holds these folds only; documents are embedded once."""
    version = "".join(map(str, sorted(wanted)))
    there = store.versions(name) if name in store.names() else []
    if "all" not in there:
        build_index(store, load_encoder(), folder, name=name, version="all")
    if version not in there:
        files = (path.name for path in sorted(folder.iterdir()))
        gone = [file for file in files if fold(name, file) not in wanted]
        if not gone:
            return "all"
        delete_documents(store, gone, f"{name}@all", version=version, activate=False)
    return version


def plan(name: str) -> list[tuple[set[int], set[int]]]:
    """Which folds are asked of an index of which: with their documents, then without."""
    pairs: list[tuple[set[int], set[int]]] = [({0, 1}, {0, 1}), ({0}, {1}), ({1}, {0})]
    if name != SAMPLE:  # what is measured may be asked of everything, what is fitted may not
        pairs += [({2, 3}, {0, 1, 2, 3}), ({2}, {3}), ({3}, {2})]
    return pairs


def ask_all(model: Path, work: Path, share: float) -> Iterator[Asked]:
    """Every question of an index that holds its document, and of one that does not.

    Answers are kept as they come, for these very weights, so that a run that was stopped goes on.
    """
    store = Store(work / "store")
    digest = hashlib.sha256((model / "model.safetensors").read_bytes()).hexdigest()
    cache = work / f"asked-{digest[:16]}.jsonl"
    lines = cache.read_text(encoding="utf-8").splitlines() if cache.is_file() else []
    known = {(each.id, each.held): each for each in (Asked(**json.loads(line)) for line in lines)}
    for name, (folder, file) in SETS.items():
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        rows = [row for row in rows if hashed(row["id"]) < 256 * share]
        for wanted, there in plan(name):
            held = wanted <= there
            mine = [row for row in rows if fold(name, Path(row["document"]).name) in wanted]
            new = [row for row in mine if (row["id"], held) not in known]
            if new:
                version = version_of(store, name, folder, there)
                with (
                    Rag.open(f"{name}@{version}", store=store, model=model) as rag,
                    cache.open("a", encoding="utf-8") as stream,
                ):
                    answers = rag.ask_many([row["question"] for row in new])
                    for row, answer in zip(new, answers, strict=True):
                        best = answer.best
                        found = core.features(best, answer.passages, answer.no_answer)
                        right = exact_match(best.text, row["answers"])
                        fits = wanted <= {0, 1}
                        each = Asked(name, fits, held, row["id"], best.text, right, found)
                        known[each.id, held] = each
                        print(json.dumps(asdict(each)), file=stream, flush=True)
            yield from (known[row["id"], held] for row in mine)


def fit(asked: Sequence[Asked], names: Sequence[str] = CHOSEN) -> Confidence:
    """Newton's steps on the penalised likelihood of right and wrong; weights of plain features."""
    x = np.array([[each.features[name] for name in names] for each in asked])
    y = np.array([float(each.right) for each in asked])
    weight = np.array([1.0 if each.held else ABSENT for each in asked])
    mean, spread = x.mean(axis=0), x.std(axis=0)
    spread[spread < 1e-9] = np.inf  # a feature that never changes says nothing
    rows = np.column_stack([(x - mean) / spread, np.ones(len(x))])
    ridge, found = np.diag([RIDGE] * len(names) + [1e-9]), np.zeros(len(names) + 1)
    for _ in range(50):
        p = 0.5 + 0.5 * np.tanh(rows @ found / 2)
        slope = rows.T @ (weight * (y - p)) - ridge @ found
        curve = (rows.T * (weight * p * (1 - p))) @ rows + ridge
        step = np.linalg.solve(curve, slope)
        found += step
        if np.abs(step).max() < 1e-9:
            break
    weights = found[:-1] / spread
    bias = found[-1] - weights @ mean
    rounded = {name: round(float(w), 4) for name, w in zip(names, weights, strict=True)}
    model = Confidence(rounded, round(float(bias), 4), 0.0)
    absent = probabilities(model, unanswerable(asked))
    doubt = float(np.quantile(absent, CAUGHT)) + 1e-4  # what is below it is doubted
    return Confidence(model.features, model.bias, round(min(doubt, 0.99), 4))


def unanswerable(asked: Sequence[Asked]) -> list[Asked]:
    """Asked where the document was not; what was answered right all the same had an answer."""
    return [each for each in asked if not each.held and not each.right]


def probabilities(model: Confidence, asked: Sequence[Asked]) -> NDArray[np.float64]:
    return np.array([core.probability(model, each.features) for each in asked])


def calibration(model: Confidence, asked: Sequence[Asked]) -> float:
    p = probabilities(model, asked)
    rows = [core.gap_row(float(c), each.right) for c, each in zip(p, asked, strict=True)]
    return core.calibration_error(*np.sum(rows, axis=0)) / len(rows)


def report(model: Confidence, asked: Sequence[Asked]) -> None:
    """Calibration by set, what is caught and what is doubted wrongly, and the bins together."""
    print(
        f"\n{'':14}{'questions':>10}{'right':>7}{'mean p':>8}{'ECE':>7}   and with unanswerable ECE"
    )
    names = list(dict.fromkeys(each.set for each in asked))
    for name in [*names, "together"]:
        mine = [each for each in asked if name in (each.set, "together")]
        held = [each for each in mine if each.held]
        p, right = probabilities(model, held), np.mean([each.right for each in held])
        ece, whole = calibration(model, held), calibration(model, mine)
        print(f"{name:14}{len(held):10}{right:7.3f}{p.mean():8.3f}{ece:7.3f}{whole:16.3f}")
    absent = probabilities(model, unanswerable(asked))
    held = [each for each in asked if each.held]
    p, right = probabilities(model, held), np.array([each.right for each in held])
    for what, least in ((f"doubt {model.doubt}", model.doubt),
                        ("95 % caught at", float(np.quantile(absent, CAUGHT)) + 1e-9)):  # fmt: skip
        print(
            f"{what} (p < {least:.3f}): of {len(absent)} unanswerable "
            f"{np.mean(absent < least):.1%} doubted; of {right.sum()} right "
            f"{np.mean(p[right] < least):.1%}; of {(~right).sum()} wrong "
            f"{np.mean(p[~right] < least):.1%}"
        )
    for title, each in (("held", held), ("all", list(asked))):
        print(f"\n{title}: p from   answers  mean p   right")
        judged = zip(probabilities(model, each).tolist(), [e.right for e in each], strict=True)
        for n, count, confidence, share in core.bins(list(judged)):
            print(f"{n / core.BINS:13.1f}{count:10}{confidence:8.3f}{share:8.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="folder with rag.json")
    parser.add_argument("--work", type=Path, required=True, help="keeps indexes and what was asked")
    parser.add_argument("--share", type=float, default=0.5, help="of the questions of each set")
    parser.add_argument("--dry-run", action="store_true", help="leave rag.json as it is")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    asked = list(ask_all(given.model, given.work, given.share))
    fitting = [each for each in asked if each.fits]
    model = fit(fitting)
    print(json.dumps(asdict(model), indent=2))
    print(f"\nfitted on {len(fitting)} answers, ECE {calibration(model, fitting):.3f}")
    report(model, [each for each in asked if not each.fits])
    if not given.dry_run:
        path = given.model / EXTRA
        said = json.loads(path.read_text(encoding="utf-8")) | {"confidence": asdict(model)}
        path.write_text(json.dumps(said, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
