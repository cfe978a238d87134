"""How long `rag --help` takes beside `python -c "import typer, rich"`; prints the ratio.

python benchmarks/startup.py [--repeats 10]
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=10)
    repeats = parser.parse_args().repeats
    rag = shutil.which("rag", path=str(Path(sys.executable).parent)) or "rag"
    commands = {
        "python -c 'import typer, rich'": [sys.executable, "-c", "import typer, rich"],
        "rag --help": [rag, "--help"],
        "rag list-indexes": [rag, "list-indexes", "--store", "does-not-exist"],
    }
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(repeats):
        for name, command in commands.items():
            best[name] = min(best[name], seconds(command))
    for name, value in best.items():
        print(f"{name:34}{value * 1000:8.0f} ms")
    base, help_ = best["python -c 'import typer, rich'"], best["rag --help"]
    print(f"\nrag --help: {help_ / base:.2f}x the imports alone (goal at most 2)")


if __name__ == "__main__":
    main()
