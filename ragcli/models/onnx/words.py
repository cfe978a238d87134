"""Tokenizers without transformers: a `tokenizer.json` is all they need."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ragcli.errors import ModelError, ModelNotFoundError


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object of a model folder; empty if there is no such file."""
    if not path.is_file():
        return {}
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: {error}") from error
    return found


class Tokenizer:
    """A fast tokenizer that neither pads nor cuts."""

    def __init__(self, folder: Path) -> None:
        from tokenizers import Tokenizer as Fast

        path = folder / "tokenizer.json"
        if not path.is_file():
            raise ModelNotFoundError(f"{folder} has no tokenizer.json")
        try:
            self._fast = Fast.from_file(str(path))
        except Exception as error:  # tokenizers raises nothing more exact
            raise ModelError(f"{path}: {error}") from error
        self._config = read_json(folder / "tokenizer_config.json")
        self._fast.no_padding()
        self._fast.no_truncation()
        special = self._fast.get_added_tokens_decoder().values()
        self.special = tuple(token.content for token in special if token.special)

    def __len__(self) -> int:
        return int(self._fast.get_vocab_size())

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text, special tokens included."""
        return [encoding.ids for encoding in self._fast.encode_batch_fast(list(texts))]

    def text(self, ids: Sequence[int], skip_special: bool) -> str:
        """Token ids as text."""
        return str(self._fast.decode(list(ids), skip_special_tokens=skip_special))

    def pieces(self) -> list[str]:
        """Every piece of the vocabulary, by id."""
        vocabulary = self._fast.get_vocab(with_added_tokens=True)
        found = [""] * (max(vocabulary.values()) + 1)
        for piece, number in vocabulary.items():
            found[number] = piece
        return found

    @property
    def separator(self) -> int:
        """The id of what stands between two texts."""
        named = self._config.get("sep_token") or "[SEP]"
        found = self._fast.token_to_id(named["content"] if isinstance(named, dict) else named)
        if found is None:
            raise ModelError(f"the tokenizer has no token {named}")
        return int(found)
