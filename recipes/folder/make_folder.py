"""Make a folder of some 160 ordinary files: real ones of this machine, and invented papers."""

from __future__ import annotations

import re
import shutil
import sys
import sysconfig
from argparse import ArgumentParser
from pathlib import Path

from papers import write_papers

LIST = Path(__file__).parent / "files.txt"
PACKAGES = Path(sysconfig.get_path("purelib"))
DOCS = Path("/usr/share/doc")


def gather(folder: Path) -> tuple[int, list[str]]:
    """Copy the files of the list: how many there are, and the names of those that are not here."""
    copied, missing = 0, []
    for line in LIST.read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        under, name = line.split(" ", 1)
        root = DOCS if name.startswith("/") else PACKAGES
        pattern = name.removeprefix(f"{DOCS}/")
        found = next((path for path in sorted(root.glob(pattern)) if path.is_file()), None)
        if found is None:
            missing.append(name)
            continue
        package = re.sub(r"-\d.*", "", found.relative_to(root).parts[0])
        target = folder / under / package / found.name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(found, target)
        copied += 1
    return copied, missing


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="a new folder")
    folder = parser.parse_args().folder
    if folder.exists():
        parser.error(f"{folder} is there already")
    copied, missing = gather(folder)
    print(f"{folder}: {copied} real files and {write_papers(folder)} papers", file=sys.stderr)
    for name in missing:
        print(f"not on this machine: {name}", file=sys.stderr)


if __name__ == "__main__":
    main()
