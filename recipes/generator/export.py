"""Write a checkpoint as a folder that ragcli opens: fp16 weights, configs, tokenizer, ONNX graphs.

    python export.py --work WORK --out WORK/export [--bias 6] [--mean 0.3]

The averaged weights are written, or a mean with those that training began from, of which --mean is
the share.  --bias is added to the logit of [CLS], by which the generator says that a passage does
not answer; training leaves that out.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import torch
from batches import SILENT
from evaluate import load
from examples import PREFIXES
from transformers import AutoTokenizer, BartForConditionalGeneration, GenerationConfig

from ragcli.models.onnx.export import write_graphs
from ragcli.models.seq2seq import load_generator
from ragcli.models.source import Source

LIMIT = 64_000_000
"""The most bytes that the exported weights may take."""

ABOUT = {
    "prompting": {
        "question_first": True,
        "prefix": "",
        "title_separator": " / ",
        "question_separator": " [SEP] ",
        "max_length": 256,
        "styles": {
            "sentence": PREFIXES["sentence"],
            "question": PREFIXES["ask"],
            "label": PREFIXES["claim"],
        },
    },
    "uncased": True,
    "copies": True,
    "also": ["yes", "no"],
    "no_answer_token_id": SILENT,
}


@torch.no_grad()
def export(work: Path, out: Path, bias: float, share: float) -> int:
    """Write the folder and return the size of its weights in bytes."""
    reader = load(work)
    bart, tokenizer = reader.bart, AutoTokenizer.from_pretrained(work / "initial")
    begun = BartForConditionalGeneration.from_pretrained(work / "initial", dtype=torch.float32)
    for mine, other in zip(bart.parameters(), begun.parameters(), strict=True):
        mine.lerp_(other, share)
    bart.final_logits_bias[0] = reader.bias * (1 - share)
    bart.final_logits_bias[0, SILENT] += bias
    bart = bart.half()
    bart.generation_config = GenerationConfig(
        decoder_start_token_id=SILENT, bos_token_id=SILENT, eos_token_id=tokenizer.sep_token_id,
        pad_token_id=tokenizer.pad_token_id, suppress_tokens=[SILENT], max_new_tokens=48,
    )  # fmt: skip
    bart.save_pretrained(out)
    tokenizer.save_pretrained(out)
    (out / "rag.json").write_text(json.dumps(ABOUT, indent=2) + "\n", encoding="utf-8")
    weights = out / "model.safetensors"
    digest = hashlib.sha256(weights.read_bytes()).hexdigest()
    (out / "SHA256").write_text(f"{digest}  {weights.name}\n", encoding="utf-8")
    generator = load_generator(Source("export", str(out), local=True))
    write_graphs(out, out / "onnx", generator.digest)
    return weights.stat().st_size


def main() -> None:
    """Read the command line, export and check the size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--bias", type=float, default=0.0, help="on the logit of silence")
    parser.add_argument("--mean", type=float, default=0.0, help="share of the beginning's weights")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    size = export(given.work, given.out, given.bias, given.mean)
    print(f"{given.out}: {size:,} bytes")
    if size > LIMIT:
        raise SystemExit(f"the weights take more than {LIMIT:,} bytes")


if __name__ == "__main__":
    main()
