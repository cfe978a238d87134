"""KILT's questions, with the Wikipedia articles in which their answers stand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ragcli.datasets.formats import DatasetFormat
from ragcli.datasets.json_lines import id_of, json_lines, text_of, texts_of
from ragcli.records import QAExample


def _read(path: Path) -> Iterator[QAExample]:
    for place, record in json_lines(path):
        output = record.get("output")
        outputs = [o for o in output if isinstance(o, dict)] if isinstance(output, list) else []
        answers = [o["answer"] for o in outputs if o.get("answer")]
        articles = [
            str(source["wikipedia_id"])
            for o in outputs
            for source in o.get("provenance") or []
            if isinstance(source, dict) and source.get("wikipedia_id")
        ]
        yield QAExample(
            id_of(record, "id", place),
            text_of(record, "input", place),
            tuple(dict.fromkeys(texts_of(answers, "answer in output", place))),
            gold=tuple(dict.fromkeys(articles)),
            place=place,
        )


kilt = DatasetFormat(_read)
