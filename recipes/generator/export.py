"""Write a checkpoint as a folder that ragcli opens: int8 weights, configs, tokenizer, ONNX graphs.

    python export.py --work WORK --out WORK/export [--bias 2]

The averaged weights are written: each matrix in whole numbers from -127 to 127, with a scale for
each row, which is a quarter of single precision; vectors and position tables in half precision.
--bias is added to the logit of [CLS], by which the generator says that a passage does not answer.
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
from safetensors.torch import save_file
from transformers import AutoTokenizer, GenerationConfig

from ragcli.models.onnx.export import write_graphs
from ragcli.models.seq2seq import load_generator
from ragcli.models.source import Source

LIMIT = 64_000_000
"""The most bytes that the exported weights may take."""


def packed(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Matrices as int8 with `NAME.scale` for their rows, everything else in half precision."""
    found: dict[str, torch.Tensor] = {}
    for name, value in state.items():
        if value.ndim < 2 or "embed_positions" in name or name == "final_logits_bias":
            found[name] = value.half()
        elif ".embed_tokens." not in name and name != "lm_head.weight":  # tied to `shared`
            scale = value.abs().amax(1).clamp_min(1e-9) / 127
            found[name] = (value / scale[:, None]).round().to(torch.int8)
            found[f"{name}.scale"] = scale.float()
    return {name: value.contiguous() for name, value in found.items()}


def export(work: Path, out: Path, bias: float) -> int:
    """Write the folder and return the size of its weights in bytes."""
    reader = load(work)
    bart, tokenizer = reader.bart, AutoTokenizer.from_pretrained(work / "initial")
    bart.final_logits_bias[0] = reader.bias.detach()
    bart.final_logits_bias[0, SILENT] += bias
    bart.config.dtype = torch.float32
    bart.config.save_pretrained(out)
    GenerationConfig(
        decoder_start_token_id=SILENT, bos_token_id=SILENT, eos_token_id=tokenizer.sep_token_id,
        pad_token_id=tokenizer.pad_token_id, suppress_tokens=[SILENT], max_new_tokens=48,
    ).save_pretrained(out)  # fmt: skip
    tokenizer.save_pretrained(out)
    weights = out / "model.safetensors"
    save_file(packed(bart.state_dict()), weights, metadata={"format": "pt"})
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
        "also": ["yes", "no"],
        "prefixes": {"label": PREFIXES["claim"], "sentence": PREFIXES["sentence"],
                     "question": PREFIXES["ask"]},
        "no_answer_token_id": SILENT,
    }  # fmt: skip
    (out / "rag.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    digest = hashlib.sha256(weights.read_bytes()).hexdigest()
    (out / "SHA256").write_text(f"{digest}  {weights.name}\n", encoding="utf-8")
    generator = load_generator(Source("embedded", str(out), local=True))
    write_graphs(out, out / "onnx", generator.digest)
    return weights.stat().st_size


def main() -> None:
    """Read the command line, export and check the size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--bias", type=float, default=0.0, help="on the logit of silence")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    size = export(given.work, given.out, given.bias)
    print(f"{given.out}: {size:,} bytes")
    if size > LIMIT:
        raise SystemExit(f"the weights take more than {LIMIT:,} bytes")


if __name__ == "__main__":
    main()
