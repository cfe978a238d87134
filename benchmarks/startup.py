"""How long `rag --help` takes beside `python -c "import typer, rich"`; prints the ratio.

    python benchmarks/startup.py [--repeats 10] [--quick]

The numbers hold for a warm disk: each command runs several times and the shortest counts.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

from common import best_seconds, options


def main() -> None:
    chosen = options(__doc__, repeats=(10, 1))
    rag = shutil.which("rag", path=str(Path(sys.executable).parent)) or "rag"
    commands = {
        "python -c 'import typer, rich'": [sys.executable, "-c", "import typer, rich"],
        "rag --help": [rag, "--help"],
        "rag list-indexes": [rag, "list-indexes", "--store", "does-not-exist"],
    }
    runs = {
        name: partial(subprocess.run, command, check=True, capture_output=True)
        for name, command in commands.items()
    }
    best = best_seconds(runs, chosen.repeats)
    for name, seconds in best.items():
        print(f"{name:34}{seconds * 1000:8.0f} ms")
    ratio = best["rag --help"] / best["python -c 'import typer, rich'"]
    print(f"\nrag --help: {ratio:.2f}x the imports alone (goal at most 2)")


if __name__ == "__main__":
    main()
