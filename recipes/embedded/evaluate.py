"""Held-out figures of a generator: right passage alone, greedy, one line a task and source.

python evaluate.py --work WORK [--each 400]
"""

from __future__ import annotations

import argparse
import re
import string
from collections import Counter
from pathlib import Path

import torch
from batches import SILENT, source_text
from examples import Example, Material, Row, gold
from reader import Reader
from safetensors import safe_open
from transformers import AutoTokenizer, BartForConditionalGeneration, PreTrainedTokenizerBase

_ARTICLES = re.compile(r"\b(a|an|the)\b")


def normalise(answer: str) -> str:
    """Lower case, no punctuation, no articles, single spaces."""
    kept = "".join(c for c in answer.lower() if c not in string.punctuation + "–—’‘“”")
    return " ".join(_ARTICLES.sub(" ", kept).split())


def overlap(answer: str, reference: str) -> float:
    """F1 of the words that answer and reference share."""
    ours, theirs = normalise(answer).split(), normalise(reference).split()
    if not ours or not theirs:
        return float(ours == theirs)
    shared = sum((Counter(ours) & Counter(theirs)).values())
    return 2 * shared / (len(ours) + len(theirs))


def longest(ours: list[str], theirs: list[str]) -> int:
    """Length of the longest common subsequence."""
    best = [0] * (len(theirs) + 1)
    for word in ours:
        before = 0
        for spot, other in enumerate(theirs, 1):
            kept = best[spot]
            best[spot] = before + 1 if word == other else max(best[spot], best[spot - 1])
            before = kept
    return best[-1]


def rouge_l(answer: str, reference: str) -> float:
    """F1 of the longest common subsequence of words."""
    ours, theirs = (re.findall(r"\w+", text.lower()) for text in (answer, reference))
    common = longest(ours, theirs)
    return 2 * common / (len(ours) + len(theirs)) if common else 0.0


@torch.no_grad()
def write_all(
    reader: Reader, tokenizer: PreTrainedTokenizerBase, examples: list[Example], silent: bool
) -> list[str]:
    """What is written greedily; an empty string is silence, if that is allowed."""
    reader.eval()
    bart = reader.bart
    order = sorted(range(len(examples)), key=lambda i: len(examples[i].text))
    found = [""] * len(examples)
    bias = reader.bias.detach().float().clone()
    if not silent:
        bias[SILENT] = -torch.inf
    for begin in range(0, len(order), 32):
        rows = order[begin : begin + 32]
        batch = tokenizer(
            [source_text(examples[i]) for i in rows], return_tensors="pt", padding=True,
            truncation=True, max_length=256,
        )  # fmt: skip
        states = bart.model.encoder(
            input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]
        )[0]
        ids = torch.full((len(rows), 1), SILENT)
        done = torch.zeros(len(rows), dtype=torch.bool)
        for _ in range(48):
            hidden = bart.model.decoder(
                input_ids=ids, encoder_hidden_states=states,
                encoder_attention_mask=batch["attention_mask"], use_cache=False,
            ).last_hidden_state[:, -1]  # fmt: skip
            logits = torch.nn.functional.linear(hidden, bart.model.shared.weight).float() + bias
            chosen = torch.where(done, 0, logits.argmax(-1))
            ids = torch.cat([ids, chosen[:, None]], dim=1)
            done |= (chosen == 102) | (chosen == SILENT)
            if done.all():
                break
        for i, text in zip(
            rows, tokenizer.batch_decode(ids, skip_special_tokens=True), strict=True
        ):
            found[i] = text.strip()
    return found


def canonical(tokenizer: PreTrainedTokenizerBase, text: str) -> str:
    """A text as the uncased tokenizer gives it back, so that both sides look alike."""
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    return str(tokenizer.decode(ids, skip_special_tokens=True))


MEASURES = (
    ("squad", "answer", ("squad",)),
    ("qed", "answer", ("qed",)),
    ("qamr", "answer", ("qamr",)),
    ("wikipedia", "answer", ("wikipedia",)),
    ("documents", "answer", ("documents",)),
    ("changes", "answer", ("changes",)),
    ("written", "answer", ("written",)),
    ("others", "answer", ("fairytaleqa", "timeqa", "cmu-qa", "covid-qa", "policyqa", "iirc")),
    ("boolq", "yesno", ("boolq",)),
    ("yesno", "yesno", ("strategyqa", "cmu-qa", "changes")),
    ("fever", "claim", ("fever",)),
    ("claims", "claim", ("fever-symmetric", "scitail", "cb", "changes")),
    ("sentences", "sentence", ("selqa", "clapnq")),
    ("ask", "ask", ("squad-sentences",)),
)
"""Name, task and sources of what is measured."""


def measure(
    reader: Reader, tokenizer: PreTrainedTokenizerBase, task: str, rows: list[Row]
) -> list[float]:
    """Count, exact match or accuracy, and F1 or ROUGE-L, in percent."""
    pairs = [(row, made) for row, made in gold(rows) if made.answer]
    if not pairs:
        return []
    answers = write_all(reader, tokenizer, [made for _, made in pairs], silent=False)
    exact = close = 0.0
    for answer, (_, made) in zip(answers, pairs, strict=True):
        reference = canonical(tokenizer, made.answer)
        exact += normalise(answer) == normalise(reference)
        scorer = rouge_l if task in ("sentence", "ask") else overlap
        close += scorer(answer, reference)
    count = len(pairs)
    return [count, round(100 * exact / count, 1), round(100 * close / count, 1)]


def dev_scores(
    reader: Reader, material: Material, work: Path, each: int = 100
) -> dict[str, object]:
    """Small held-out sets, cheap enough to look at during training."""
    tokenizer = AutoTokenizer.from_pretrained(work / "initial")
    found: dict[str, object] = {}
    for name, task, sources in MEASURES:
        rows = material.held_out(task, *sources)
        step = max(1, len(rows) // each)
        found[name] = measure(reader, tokenizer, task, rows[::step][:each])
    return found


def load(work: Path) -> Reader:
    """The averaged weights of the checkpoint."""
    reader = Reader(BartForConditionalGeneration.from_pretrained(work / "initial"))
    parameters = dict(reader.named_parameters())
    with safe_open(work / "checkpoint.safetensors", "pt") as file, torch.no_grad():
        for key in file.keys():  # noqa: SIM118 - safe_open is no mapping
            if key.startswith("average."):
                parameters[key.removeprefix("average.")].copy_(file.get_tensor(key))
    return reader.eval()


def main() -> None:
    """Print a line for each held-out set."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--each", type=int, default=400)
    given = parser.parse_args()
    for name, row in dev_scores(
        load(given.work), Material(given.work), given.work, given.each
    ).items():
        print(name, *row)


if __name__ == "__main__":
    main()
