"""Questions made by rules: invented facts, told and asked in many ways.

``examples`` yields dictionaries with ``question``, ``title``, ``text``, ``answer`` (verbatim in the
text, or "" when the text does not hold it), ``start`` (its offset, or -1) and ``kind``.

    python synthesize.py --seed 1 --count 20
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import synth_more
import synth_office
import synth_plain
import synth_world
from synth_engine import Domain, stream


def all_domains() -> list[Domain]:
    """Return every domain questions are drawn from."""
    return [
        *synth_office.domains(),
        *synth_world.domains(),
        *synth_more.domains(),
        *synth_plain.domains(),
    ]


def examples(seed: int, count: int | None = None) -> Iterator[dict[str, Any]]:
    """Yield ``count`` examples (without end when None), the same ones for the same seed."""
    endless = stream(all_domains(), Random(seed))
    return endless if count is None else islice(endless, count)


def main() -> None:
    """Print examples as JSON lines."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--kind", help="print only this kind")
    options = parser.parse_args()
    stream_ = examples(options.seed)
    if options.kind:
        stream_ = (e for e in stream_ if e["kind"] == options.kind)
    for example in islice(stream_, options.count):
        print(json.dumps(example, ensure_ascii=False))


if __name__ == "__main__":
    main()
