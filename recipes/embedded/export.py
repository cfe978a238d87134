"""Write a checkpoint as a Hugging Face folder: fp16 safetensors, configs and tokenizer.

    python export.py --work WORK --stage E --out WORK/export [--mean WORK/earlier] [--bias 3]

The averaged weights are written, or the mean of them and of an earlier export.  --bias is added to
the logit of abstaining, as BART's own `final_logits_bias`; training leaves that out.  The folder
opens with `BartForConditionalGeneration.from_pretrained`; [CLS] is the generator's way to say
that a passage does not hold the answer, and is suppressed by the generation defaults.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import torch
from make_model import load_tokenizer
from reader import Reader
from safetensors import safe_open
from transformers import BartForConditionalGeneration, GenerationConfig

LIMIT = 64_000_000
"""The most bytes that the exported weights may take."""


def averaged(work: Path, stage: str) -> BartForConditionalGeneration:
    """The generator with the averaged weights of a stage's checkpoint."""
    bart = BartForConditionalGeneration.from_pretrained(work / "initial")
    reader = Reader(bart)
    parameters = dict(reader.named_parameters())
    with safe_open(work / stage / "checkpoint.safetensors", "pt") as file, torch.no_grad():
        for key in file.keys():  # noqa: SIM118 - safe_open is no mapping
            if key.startswith("average."):
                parameters[key.removeprefix("average.")].copy_(file.get_tensor(key))
    bart.set_attn_implementation("sdpa")
    return bart.eval()


def mean(bart: BartForConditionalGeneration, folder: Path) -> BartForConditionalGeneration:
    """The generator with the mean of its weights and an exported one's."""
    earlier = BartForConditionalGeneration.from_pretrained(folder, dtype=torch.float32)
    with torch.no_grad():
        for mine, other in zip(bart.parameters(), earlier.parameters(), strict=True):
            mine.lerp_(other, 0.5)
    return bart


def export(work: Path, stage: str, out: Path, earlier: Path | None, bias: float) -> int:
    """Write the folder and return the size of its weights in bytes."""
    tokenizer = load_tokenizer()
    bart = averaged(work, stage)
    bart = (mean(bart, earlier) if earlier else bart).half()
    bart.final_logits_bias[0, tokenizer.cls_token_id] = bias
    bart.generation_config = GenerationConfig(
        decoder_start_token_id=tokenizer.cls_token_id,
        bos_token_id=tokenizer.cls_token_id,
        eos_token_id=tokenizer.sep_token_id,
        pad_token_id=tokenizer.pad_token_id,
        suppress_tokens=[tokenizer.cls_token_id],
        max_new_tokens=32,
    )
    bart.save_pretrained(out)
    tokenizer.save_pretrained(out)
    about = {
        "prompting": {
            "question_first": True,
            "prefix": "",
            "title_separator": " / ",
            "question_separator": " [SEP] ",
            "max_length": 256,
        },
        "uncased": True,
        "copies": True,
        "no_answer_token_id": tokenizer.cls_token_id,
    }
    (out / "rag.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    weights = out / "model.safetensors"
    digest = hashlib.sha256(weights.read_bytes()).hexdigest()
    (out / "SHA256").write_text(f"{digest}  {weights.name}\n", encoding="utf-8")
    return (out / "model.safetensors").stat().st_size


def main() -> None:
    """Read the command line, export and check the size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--stage", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--mean", type=Path, help="an earlier export to take the mean with")
    parser.add_argument("--bias", type=float, default=0.0, help="on the logit of abstaining")
    given = parser.parse_args()
    size = export(given.work, given.stage, given.out, given.mean, given.bias)
    print(f"{given.out}: {size:,} bytes")
    if size > LIMIT:
        raise SystemExit(f"the weights take more than {LIMIT:,} bytes")


if __name__ == "__main__":
    main()
