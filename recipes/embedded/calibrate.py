"""Find how readily the generator should abstain, on half of the held-out questions.

    python calibrate.py --model WORK/export --data DATA --work WORK [--groups 80]

A bias b on the logit of "no answer" changes p(no answer|x,z) = s to s·e^b / (s·e^b + 1 - s), and
every answer's probability by the same factor, so that one decoding of each question gives the
marginal's answer for all b. `export.py --abstain-bias` writes the chosen one into the weights.
Groups of even number are used here; `evaluate.py` measures those of odd number.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from data import Sources
from evaluate import Marginalizer, held_out_groups, reading_sets
from groups import Group

from ragcli.core.metrics import exact_match
from ragcli.pipeline.decode import decode, read
from ragcli.settings import Decoding

BIASES = np.arange(-4.0, 3.1, 0.5)


def right(group: Group, marginalizer: Marginalizer) -> list[float]:
    """For each bias 1 if the marginal's answer over the group's passages is right, else 0."""
    gold = group.examples[0]
    passages = marginalizer.retrieved(group)
    reading = read(marginalizer.generator, [gold.question], [passages])
    decoded = decode(
        marginalizer.generator, [gold.question], [passages], Decoding(n_best=99), reading=reading
    )[0]
    silence = reading.silence()
    assert silence is not None, "the generator cannot abstain"
    prior = np.array([p.log_prior for p in passages])
    likelihoods = np.array([c.log_likelihoods for c in decoded.candidates])
    hits = []
    for bias in BIASES:
        factor = 1 / (silence * np.exp(bias) + 1 - silence)
        marginals = np.exp(prior + likelihoods) @ factor
        best = decoded.candidates[int(np.argmax(marginals))]
        hits.append(float(exact_match(best.text, gold.references)))
    return hits


def main() -> None:
    """Print exact match in percent for each bias and set."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--groups", type=int, default=80, help="questions of each set")
    given = parser.parse_args()
    torch.set_num_threads(2)
    marginalizer = Marginalizer(given.model)
    sources = Sources(given.data, given.work)
    print(json.dumps({"bias": BIASES.tolist()}), flush=True)
    for name, examples in reading_sets(sources, 400).items():
        if name == "handmade":
            continue
        holding = [example for example in examples if example.start >= 0]
        groups = held_out_groups(holding, sources, 5, seed=0)[::2]
        some = groups[:: max(1, len(groups) // given.groups)]
        rates = 100 * np.mean([right(group, marginalizer) for group in some], axis=0)
        print(json.dumps({"set": name, "questions": len(some), "em": rates.round(1).tolist()}))


if __name__ == "__main__":
    main()
