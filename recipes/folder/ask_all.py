"""Ask the forty questions of the index and print what comes, as a table in Markdown.

What is given to this program is given on to `rag ask`: `ask_all.py --retriever hybrid`. An accepted
answer is right, and so is doubt where no file answers. On anything else the column "by hand" has
the verdict that judged.tsv holds on just this answer, or `?` where it holds none.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from ragcli.core.metrics import exact_match

HERE = Path(__file__).parent


def answered(questions: str, options: list[str]) -> list[dict[str, Any]]:
    """The record of each question, in their order."""
    command = [sys.executable, "-m", "ragcli", "ask", "-", "--json", *options]
    done = subprocess.run(command, input=questions, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def place(asked: dict[str, Any], record: dict[str, Any]) -> str:
    """Whether the passage that the answer leans on most is in the right file, or any is."""
    if not asked["file"]:
        return "–"
    passages = sorted(record["passages"], key=lambda passage: -passage["posterior"])
    ranks = [n for n, one in enumerate(passages, 1) if one["source"].endswith(asked["file"])]
    if not ranks:
        return "not found"
    page = passages[ranks[0] - 1].get("page")
    wrong = f", page {page}" if page and page != asked.get("page", page) else ""
    return f"{ranks[0]}{wrong}"


def main() -> None:
    text = (HERE / "questions.jsonl").read_text("utf-8")
    questions = [json.loads(line) for line in text.splitlines()]
    with (HERE / "judged.tsv").open(encoding="utf-8", newline="") as file:
        judged = {(row[0], row[1]): row[2] for row in csv.reader(file, delimiter="\t")}
    print("| | question | accepted | answer | exact | warned | file | by hand |")
    print("|---|---|---|---|---|---|---|---|")
    counts: Counter[str] = Counter()
    records = answered(
        "".join(json.dumps({"question": q["question"]}) + "\n" for q in questions), sys.argv[1:]
    )
    for number, (asked, record) in enumerate(zip(questions, records, strict=True), 1):
        answer, warned = record["answer"] or "", bool(record.get("doubted"))
        exact = exact_match(answer, asked["answers"]) if asked["answers"] else warned or not answer
        otherwise = judged.get((str(number), answer), "?") if asked["answers"] else "wrong"
        verdict = "right" if exact else otherwise
        found = place(asked, record)
        counts["right file among the passages"] += found not in ("–", "not found")
        counts.update([f"by hand {verdict}"] + ["exact"] * exact + ["warned"] * warned)
        counts["by hand wrong and not warned"] += verdict == "wrong" and not warned
        cells = (
            number,
            asked["question"],
            asked["answers"][0] if asked["answers"] else "no file says",
            answer,
            "yes" if exact else "",
            "warned" if warned else "",
            found,
            verdict,
        )
        print("|", " | ".join(str(cell).replace("|", "\\|") for cell in cells), "|")
    print("\n" + ", ".join(f"{name}: {count}" for name, count in sorted(counts.items())))


if __name__ == "__main__":
    main()
