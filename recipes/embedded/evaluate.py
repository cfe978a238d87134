"""Measure an exported generator: reading the right passage, and marginalizing over five.

    python evaluate.py --model WORK/export --data DATA --work WORK [--count 400]
    python evaluate.py ... --no-reading --skip 1 --groups 120 --bias 3

Reading: greedy answers over the gold passage of held-out questions: QAMR, QED, those written over
Wikipedia articles, rule-made ones, and those on articles with slots and on documents.
Marginalizing: the gold passage and the four others of its set that the encoder ranks highest and
that do not hold the answer, with the three decodings that `rag ask` uses; and how often the
posterior's first passage is the gold one.  With --distractors, passages as training makes them
instead: among them the gold one with the answer's sentence cut out, which no index has.
With --bias, another bias on the logit of abstaining than the generator has; --skip, with --groups
well below a set's size, takes other questions than without it, by which a bias can be chosen.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import torch
from data import (
    Example,
    Sources,
    asked_held_out,
    documents_held_out,
    handmade,
    qamr_held_out,
    qed_held_out,
    synthetic_held_out,
    written_held_out,
)
from groups import Distractors, Group, well_posed
from retrieved import Pool, embed
from scoring import answer_all, exact, score
from transformers import AutoTokenizer, BartForConditionalGeneration, PreTrainedTokenizerBase

from ragcli.answering.decode import decode, read
from ragcli.core.marginalize import log_prior
from ragcli.core.metrics import exact_match
from ragcli.models.catalog import load_model
from ragcli.models.encoders import load_encoder
from ragcli.protocols import Encoder
from ragcli.records import Candidate, Passage, RetrievedPassage
from ragcli.settings import AnswerSettings as Settings

WAYS = {
    "thorough": Settings(),
    "fast": Settings(mode="fast"),
    "token": Settings(variant="token"),
}
SIZE = 5
"""Passages a question, one of which holds the answer."""
SETS = ("QAMR", "QED", "Wikipedia", "rule-made", "articles", "documents", "handmade")


class Marginalizer:
    """The product's own decoding over the passages of one question."""

    def __init__(self, folder: Path, bias: float | None) -> None:
        generator = load_model(str(folder)).generator
        assert generator is not None, f"{folder} holds no generator"
        if bias is not None:
            generator.model.final_logits_bias[0, generator.no_answer] = bias
        self.generator = generator

    def answers(
        self, question: str, passages: list[RetrievedPassage], ways: Sequence[Settings]
    ) -> list[Candidate]:
        """The best answer by each way of decoding; the passages are read once."""
        reading = read(self.generator, [question], [passages])
        return [
            decode(self.generator, [question], [passages], way, reading=reading)[0].candidates[0]
            for way in ways
        ]


def retrieved(group: Group) -> list[RetrievedPassage]:
    """A group's passages as a search gives them, each with its log p(z|x)."""
    priors = log_prior(np.array(group.scores))
    return [
        RetrievedPassage(
            Passage(str(i), str(i), e.title, e.text, "", "", 1, 0, len(e.text)), i, score, prior
        )
        for i, (e, score, prior) in enumerate(
            zip(group.examples, group.scores, priors.tolist(), strict=True)
        )
    ]


def made_groups(
    asked: Sequence[Example], examples: Sequence[Example], sources: Sources, encoder: Encoder
) -> list[Group]:
    """Groups with distractors as training makes them."""
    finder = Distractors(sources, random.Random(0))
    for example in examples:
        finder.remember(example)
    found = []
    for example in asked:
        others = finder.find(example, SIZE - 1)
        if len(others) == SIZE - 1:
            [query] = encoder.encode_queries([example.question])
            vectors = embed(encoder, [(e.title, e.text) for e in (example, *others)])
            scores = encoder.settings.score_scale * (vectors @ query)
            found.append(Group((example, *others), tuple(scores.tolist())))
    return found


def retrieved_groups(
    asked: Sequence[Example], examples: Sequence[Example], encoder: Encoder
) -> list[Group]:
    """Groups as an index gives them: of the set's own passages and the rest of their articles."""
    owners: dict[tuple[str, str], Example] = {}
    for example in examples:
        for text in (example.text, *example.rest):
            owners.setdefault((example.title, text), example)
    pool = Pool(encoder, owners)
    return list(pool.groups(iter(asked), SIZE, SIZE - 1, random.Random(0)))


def calibration(groups: Sequence[Group], marginalizer: Marginalizer) -> dict[str, float]:
    """Exact match of the gold passage alone and of the three decodings, in percent."""
    hits: Counter[str] = Counter()
    for group in groups:
        gold = group.examples[0]
        passages = retrieved(group)
        alone = [replace(passages[0], log_prior=0.0)]
        [best] = marginalizer.answers(gold.question, alone, [Settings()])
        hits["gold passage alone"] += exact_match(best.text, gold.references)
        found = marginalizer.answers(gold.question, passages, list(WAYS.values()))
        for name, best in zip(WAYS, found, strict=True):
            hits[name] += exact_match(best.text, gold.references)
            if name == "thorough":
                hits["posterior names the gold passage"] += int(np.argmax(best.posterior)) == 0
    rates = {name: round(100 * count / len(groups), 1) for name, count in hits.items()}
    return {"questions": len(groups), **rates}


def by_kind(
    answers: Sequence[str], examples: Sequence[Example], tokenizer: PreTrainedTokenizerBase
) -> dict[str, float]:
    """Exact match of rule-made questions for each kind."""
    kinds: dict[str, list[float]] = {}
    for answer, example in zip(answers, examples, strict=True):
        wanted = tokenizer.decode(
            tokenizer(example.references[0], add_special_tokens=False)["input_ids"]
        )
        kinds.setdefault(example.kind, []).append(exact(answer, wanted))
    return {kind: round(100 * sum(hits) / len(hits), 1) for kind, hits in sorted(kinds.items())}


def reading_sets(sources: Sources, count: int) -> dict[str, list[Example]]:
    """Held-out examples for reading; QAMR is thinned out evenly to `count`."""
    qamr = qamr_held_out(sources)
    step = max(1, len(qamr) // count)
    return {
        "QAMR": qamr[::step],
        "QED": qed_held_out(sources),
        "Wikipedia": asked_held_out(sources, count),
        "rule-made": synthetic_held_out(count),
        "articles": written_held_out(count),
        "documents": documents_held_out(count),
        "handmade": handmade(Path(__file__).with_name("questions.jsonl")),
    }


def main() -> None:
    """Print all measures as JSON lines."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--count", type=int, default=400, help="questions of each set")
    parser.add_argument("--groups", type=int, default=400, help="questions with five passages")
    parser.add_argument(
        "--any-question",
        action="store_true",
        help="five passages also for vague questions",
    )
    parser.add_argument(
        "--distractors", action="store_true", help="five passages with distractors as in training"
    )
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS)
    parser.add_argument("--no-reading", action="store_true", help="only marginalizing")
    parser.add_argument("--skip", type=int, default=0, help="begin with a later question")
    parser.add_argument("--bias", type=float, help="on the logit of abstaining")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--show", type=int, default=0, help="print so many wrong answers a set")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    model = BartForConditionalGeneration.from_pretrained(given.model, dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(given.model)
    marginalizer = Marginalizer(given.model, given.bias)
    if given.bias is not None:
        model.final_logits_bias[0, tokenizer.cls_token_id] = given.bias
    encoder = load_encoder()
    sources = Sources(given.data, given.work)
    sets = reading_sets(sources, given.count)
    for name in given.sets:
        examples = sets[name]
        holding = [example for example in examples if example.start >= 0]
        if not given.no_reading:
            answers = answer_all(model, tokenizer, holding)
            row = asdict(score(answers, holding, tokenizer))
            print(json.dumps({"set": name, **row}), flush=True)
            if name == "rule-made":
                print(json.dumps(by_kind(answers, holding, tokenizer)), flush=True)
            show(answers, holding, given.show)
            print(json.dumps({"set": name, **abstention(examples, model, tokenizer)}), flush=True)
        if given.groups and name != "handmade":
            asked = [e for e in holding if given.any_question or well_posed(e)]
            asked = asked[given.skip :: max(1, len(asked) // given.groups)]
            if given.distractors:
                groups = made_groups(asked, holding, sources, encoder)
            else:
                groups = retrieved_groups(asked, examples, encoder)
            print(json.dumps({"set": name, **calibration(groups, marginalizer)}), flush=True)


def abstention(
    examples: Sequence[Example],
    model: BartForConditionalGeneration,
    tokenizer: PreTrainedTokenizerBase,
) -> dict[str, float]:
    """How often the generator abstains where the answer stands, and where it does not."""
    answers = answer_all(model, tokenizer, examples, abstain=True)
    table: dict[str, float] = {}
    for name, wanted in (("with answer", True), ("without answer", False)):
        silent = [not a for a, e in zip(answers, examples, strict=True) if (e.start >= 0) == wanted]
        if silent:
            table[f"abstains {name}"] = round(100 * sum(silent) / len(silent), 1)
    return table


def show(answers: Sequence[str], examples: Sequence[Example], count: int) -> None:
    """Print the first wrong answers beside what was wanted."""
    for answer, example in zip(answers, examples, strict=True):
        if count and max(exact(answer, reference) for reference in example.references) == 0:
            print(f"   {example.question} | {answer!r} | {example.references}")
            count -= 1


if __name__ == "__main__":
    main()
