"""Measure an exported generator: reading the right passage, and marginalizing over five.

    python evaluate.py --model WORK/export --data DATA --work WORK [--count 400]

Reading: greedy answers over the gold passage of held-out QAMR, QED and rule-made questions.
Marginalizing: the gold passage and four that look like it, prior softmax(20 x cosine) of
MiniLM, with the three decodings; and how often the posterior's first passage is the gold one.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from batches import source_text
from data import Example, Sources, handmade, qamr_held_out, qed_held_out, synthetic_held_out
from groups import Distractors, Group
from make_model import load_tokenizer, minilm_folder
from scoring import answer_all, exact, score
from transformers import (
    AutoModel,
    AutoTokenizer,
    BartForConditionalGeneration,
    PreTrainedTokenizerBase,
)

from ragcli.core.marginalize import log_prior, posterior, sequence_marginal, token_marginal

PRIOR_SCALE = 20.0
BEAMS = 4
LONGEST = 32
SETS = ("QAMR", "QED", "rule-made", "handmade")


@dataclass(frozen=True)
class Marginal:
    """The answers of the three decodings for one question, and the most likely passage."""

    thorough: str
    fast: str
    token: str
    passage: int


class Retriever:
    """MiniLM as the bi-encoder whose scores make the prior."""

    def __init__(self) -> None:
        self.model = AutoModel.from_pretrained(minilm_folder(), dtype=torch.float32).eval()
        self.tokenizer = load_tokenizer()

    @torch.no_grad()
    def embed(self, texts: Sequence[str]) -> torch.Tensor:
        """Unit vectors of texts, n x d: the mean over their tokens."""
        batch = self.tokenizer(
            list(texts), return_tensors="pt", padding=True, truncation=True, max_length=256
        )
        mask = batch["attention_mask"]
        states = self.model(input_ids=batch["input_ids"], attention_mask=mask).last_hidden_state
        means = (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return torch.nn.functional.normalize(means, dim=1)

    def prior(self, group: Group) -> torch.Tensor:
        """log p(z|x) of a group's passages, k."""
        passages = [f"{e.title} / {e.text}" if e.title else e.text for e in group.examples]
        vectors = self.embed([group.examples[0].question, *passages])
        return log_prior(PRIOR_SCALE * vectors[1:] @ vectors[0])


class Marginalizer:
    """RAG-Sequence (thorough and fast) and RAG-Token over one question's passages."""

    def __init__(
        self, model: BartForConditionalGeneration, tokenizer: PreTrainedTokenizerBase
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.gap = tokenizer.cls_token_id

    def _log_probs(self, states: torch.Tensor, mask: torch.Tensor, forced: torch.Tensor):
        """log p of the token after each forced one, rows x T x vocabulary.

        [CLS] is a passage's way to abstain: it is taken out and its mass is not given to
        other tokens, so that a passage without the answer supports none.
        """
        start = forced.new_full((len(forced), 1), self.model.config.decoder_start_token_id)
        logits = self.model(
            encoder_outputs=(states,),
            attention_mask=mask,
            decoder_input_ids=torch.cat([start, forced], dim=1),
            use_cache=False,
        ).logits
        scores = torch.log_softmax(logits.float(), dim=-1)
        scores[..., self.gap] = -torch.inf
        return scores

    @torch.no_grad()
    def __call__(self, group: Group, prior: torch.Tensor) -> Marginal:
        """Answer the question of a group by all three decodings."""
        sources = [source_text(e.question, e.title, e.text) for e in group.examples]
        batch = self.tokenizer(
            sources, return_tensors="pt", padding=True, truncation=True, max_length=256
        )
        ids, mask = batch["input_ids"], batch["attention_mask"]
        states = self.model.get_encoder()(input_ids=ids, attention_mask=mask).last_hidden_state
        written = self.model.generate(
            input_ids=ids, attention_mask=mask, num_beams=BEAMS, num_return_sequences=BEAMS,
            max_new_tokens=LONGEST, suppress_tokens=[self.gap], length_penalty=0.0,
        )  # fmt: skip
        beams = [self._clean(row) for row in written.tolist()]
        found = sorted(set(map(tuple, beams)))
        scores = torch.stack([self._sequence_scores(states, mask, y) for y in found])
        marginal = sequence_marginal(prior, scores)
        best = int(marginal.argmax())
        in_beam = torch.full_like(scores, -torch.inf)
        for row, beam in enumerate(beams):
            column = found.index(tuple(beam))
            in_beam[column, row // BEAMS] = scores[column, row // BEAMS]
        fast = int(sequence_marginal(prior, in_beam).argmax())
        where = int(posterior(prior, scores[best]).argmax())
        token = self._greedy_token(states, mask, prior)
        return Marginal(self._text(found[best]), self._text(found[fast]), token, where)

    def _clean(self, row: list[int]) -> list[int]:
        """The tokens of a generated row up to its end, without the start."""
        end = self.tokenizer.sep_token_id
        tokens = row[1:]
        return tokens[: tokens.index(end)] if end in tokens else tokens

    def _text(self, tokens: Sequence[int]) -> str:
        return self.tokenizer.decode(list(tokens), skip_special_tokens=True)

    def _sequence_scores(
        self, states: torch.Tensor, mask: torch.Tensor, answer: Sequence[int]
    ) -> torch.Tensor:
        """log p(y|x,z) under every passage, k."""
        forced = torch.tensor([list(answer)] * len(states), dtype=torch.long)
        wanted = torch.tensor([*answer, self.tokenizer.sep_token_id])
        scores = self._log_probs(states, mask, forced)
        index = wanted[None, :, None].expand(len(states), -1, 1)
        return scores.gather(2, index).sum(dim=(1, 2))

    def _greedy_token(self, states: torch.Tensor, mask: torch.Tensor, prior: torch.Tensor) -> str:
        """RAG-Token, greedy: the best token of the marginal at each step."""
        tokens: list[int] = []
        for _ in range(LONGEST):
            forced = torch.tensor([tokens] * len(states), dtype=torch.long)
            scores = self._log_probs(states, mask, forced.reshape(len(states), -1))[:, -1]
            token = int(token_marginal(prior, scores).argmax())
            if token == self.tokenizer.sep_token_id:
                break
            tokens.append(token)
        return self._text(tokens)


def held_out_groups(
    examples: Sequence[Example], sources: Sources, size: int, seed: int
) -> list[Group]:
    """Groups of a held-out question's passage and `size` - 1 that do not hold the answer."""
    finder = Distractors(sources, random.Random(seed))
    for example in examples:
        finder.remember(example)
    found = []
    for example in examples:
        if example.start < 0:
            continue
        others = finder.find(example, size - 1)
        if len(others) == size - 1:
            found.append(Group((example, *others)))
    return found


def calibration(
    groups: Sequence[Group],
    model: BartForConditionalGeneration,
    tokenizer: PreTrainedTokenizerBase,
) -> dict[str, float]:
    """Exact match of the gold passage alone and of the three decodings, in percent."""
    retriever = Retriever()
    marginalize = Marginalizer(model, tokenizer)
    gold = [group.examples[0] for group in groups]
    results = [marginalize(group, retriever.prior(group)) for group in groups]
    table = {
        "questions": float(len(groups)),
        "gold passage alone": score(answer_all(model, tokenizer, gold), gold, tokenizer).em,
        "posterior names the gold passage": 100 * sum(r.passage == 0 for r in results)
        / len(results),
    }  # fmt: skip
    for way in ("thorough", "fast", "token"):
        table[way] = score([getattr(r, way) for r in results], gold, tokenizer).em
    return {key: round(value, 1) for key, value in table.items()}


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
        "rule-made": synthetic_held_out(count),
        "handmade": handmade(Path(__file__).with_name("questions.jsonl")),
    }


def main() -> None:
    """Print all measures as JSON lines."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--count", type=int, default=400, help="questions of each set")
    parser.add_argument("--groups", type=int, default=60, help="questions with five passages")
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--show", type=int, default=0, help="print so many wrong answers a set")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    model = BartForConditionalGeneration.from_pretrained(given.model, dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(given.model)
    sources = Sources(given.data, given.work)
    sets = reading_sets(sources, given.count)
    for name in given.sets:
        examples = sets[name]
        holding = [example for example in examples if example.start >= 0]
        answers = answer_all(model, tokenizer, holding)
        print(json.dumps({"set": name, **asdict(score(answers, holding, tokenizer))}), flush=True)
        if name == "rule-made":
            print(json.dumps(by_kind(answers, holding, tokenizer)), flush=True)
        show(answers, holding, given.show)
        print(json.dumps({"set": name, **abstention(examples, model, tokenizer)}), flush=True)
        if given.groups and name != "handmade":
            step = max(1, len(holding) // given.groups)
            groups = held_out_groups(holding, sources, 5, seed=0)[::step]
            print(json.dumps({"set": name, **calibration(groups, model, tokenizer)}), flush=True)


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
