"""Where training begins: the generator of the previous release, without its bias for silence.

    python make_model.py --begin ../../ragcli/models/embedded --out WORK/initial

Any exported folder will do as a beginning; weights in whole numbers or in half precision are
widened to single precision.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from transformers import AutoTokenizer

from ragcli.models.seq2seq import load_generator
from ragcli.models.source import Source


def main() -> None:
    """Write the beginning and its tokenizer to a folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--begin", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    bart = load_generator(Source("begin", str(given.begin), local=True)).model.float()
    with torch.no_grad():
        bart.final_logits_bias.zero_()
    print(f"parameters: {sum(p.numel() for p in bart.parameters()):,}")
    bart.save_pretrained(given.out)
    AutoTokenizer.from_pretrained(given.begin).save_pretrained(given.out)


if __name__ == "__main__":
    main()
