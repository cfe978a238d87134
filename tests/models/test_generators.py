"""Loading generators: what their files say is heeded, and what is missing is named."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from ragcli.answering.ask import ask
from ragcli.answering.decode import decode
from ragcli.answering.session import Session
from ragcli.errors import ModelError, ModelNotFoundError, SettingsError
from ragcli.models.catalog import load_model
from ragcli.models.language import Manner
from ragcli.models.model_folder import save_generator
from ragcli.models.rag_checkpoint import WIKI_DPR_PARTNER
from ragcli.models.seq2seq import load_generator
from ragcli.models.source import Source, locate
from ragcli.models.torch_generator import TorchGenerator, similar
from ragcli.settings import AnswerSettings as Settings
from ragcli.settings import Confidence, Prompting
from tests import tiny
from tests.answering.test_decode import QUESTION, passages, slow_marginals, tiny_generator


def saved(folder: Path, kind: str = "bart", tokenizer: bool = True) -> Path:
    getattr(tiny, kind)().save_pretrained(folder)
    if tokenizer:
        tiny.tokenizer(kind == "bart").save_pretrained(folder)
    return folder


def rewrite(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


@pytest.mark.parametrize("kind", ["bart", "t5"])
def test_a_folder_opens(tmp_path: Path, kind: str) -> None:
    generator = load_generator(locate(str(saved(tmp_path, kind))))
    assert generator.ends == (2,)
    assert generator.start == ((2,) if kind == "bart" else (1,))
    assert generator.prompting.max_length == (64 if kind == "bart" else 300)
    assert len(generator.digest) == 64
    assert generator.text(generator.tokenize("paris is")) == "paris is"
    assert generator.token_texts(generator.tokenize("paris"))[-1] == "</s>"


def test_a_forced_first_token_is_given_not_chosen(tmp_path: Path) -> None:
    """It stands in every hypothesis' context, has no probability, and is not counted twice."""
    folder = saved(tmp_path)
    rewrite(folder / "generation_config.json", forced_bos_token_id=0)
    generator = load_generator(locate(str(folder)))
    assert generator.start == (2, 0)
    assert generator.tokenize("paris") == (4, 2)  # the first word of the vocabulary, the end
    found = passages()
    [decoded] = decode(generator, [QUESTION], [found], Settings(beams=3, max_tokens=5))
    for candidate in decoded.candidates[:2]:
        exact, _ = slow_marginals(generator, candidate.tokens, found)
        assert candidate.log_prob == pytest.approx(math.log(exact), abs=1e-4)


def test_inputs_of_similar_length_are_read_together() -> None:
    assert list(similar([100, 10, 11, 100, 50])) == [[1, 2], [4], [0, 3]]
    assert [len(batch) for batch in similar([7] * 40)] == [16, 16, 8]
    # Ten inputs that would be padded by 3 tokens each cost less than a call, by 4 more.
    assert len(list(similar([20] * 10 + [23]))) == 1
    assert len(list(similar([20] * 10 + [24]))) == 2
    assert list(similar([])) == []


def test_every_end_ends_an_answer(tmp_path: Path) -> None:
    """The first of several is what an answer to score gets; the search may stop at any."""
    folder = saved(tmp_path)
    rewrite(folder / "generation_config.json", eos_token_id=[2, 5])
    generator = load_generator(locate(str(folder)))
    assert generator.ends == (2, 5)
    assert generator.tokenize("paris")[-1] == 2
    settings = Settings(beams=40, max_tokens=3, n_best=999)
    [decoded] = decode(generator, [QUESTION], [passages()], settings)
    assert {c.tokens[-1] for c in decoded.candidates} == {2, 5}
    assert not any({2, 5} & {*c.tokens[:-1]} for c in decoded.candidates)


def test_what_rag_json_says(tmp_path: Path) -> None:
    folder = saved(tmp_path)
    about = {
        "prompting": {"question_first": True, "question_separator": " [SEP] ", "max_length": 40},
        "uncased": True,
        "no_answer_token_id": 7,
    }
    (folder / "rag.json").write_text(json.dumps(about))
    generator = load_generator(locate(str(folder)))
    assert generator.prompting == Prompting(True, "", " / ", " [SEP] ", 40)
    assert generator.uncased
    assert generator.no_answer == 7
    for bad in ("[]", "{", '{"prompting": {"colour": 1}}', '{"prompting": 3}'):
        (folder / "rag.json").write_text(bad)
        with pytest.raises(ModelError, match=r"rag\.json"):
            load_generator(locate(str(folder)))


def test_an_uncased_generator_takes_the_passages_spelling() -> None:
    generator = tiny_generator("bart", seed=2)
    generator.uncased = True
    texts = [("", "Paris LYON France King ? The Of Lima")]
    [decoded] = decode(generator, [QUESTION], [passages((1.0,), texts)], Settings(max_tokens=3))
    written = generator.text(decoded.candidates[0].tokens)
    assert decoded.candidates[0].text.lower() == written.lower()
    single = [c for c in decoded.candidates if generator.text(c.tokens) in {"paris", "lyon", "of"}]
    for candidate in single:
        assert candidate.text in {"Paris", "LYON", "Of"}


def test_length_penalty_steers_the_search() -> None:
    """More of it never makes the found answers shorter, and sometimes longer."""

    def length(penalty: float, seed: int) -> float:
        generator = tiny_generator("bart", seed)
        decoding = Settings(beams=2, max_tokens=8, length_penalty=penalty)
        [decoded] = decode(generator, [QUESTION], [passages()], decoding)
        sizes = [len(c.tokens) for c in decoded.candidates]
        return sum(sizes) / len(sizes)

    differences = [length(5.0, seed) - length(-5.0, seed) for seed in range(4)]
    assert max(differences) > 0
    for bad in (2000.0, float("nan")):
        with pytest.raises(SettingsError, match="length-penalty"):
            Settings(length_penalty=bad)


def test_files_that_are_missing_or_broken(tmp_path: Path) -> None:
    without = saved(tmp_path / "without", tokenizer=False)
    with pytest.raises(ModelNotFoundError, match="has no tokenizer"):
        load_generator(locate(str(without)))
    broken = saved(tmp_path / "broken")
    weights = broken / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(ModelNotFoundError, match="not a usable encoder–decoder"):
        load_generator(locate(str(broken)))


def test_more_tokens_than_the_decoder_has(tmp_path: Path) -> None:
    generator: Any = tiny_generator("bart")
    assert generator.max_tokens == 64
    with pytest.raises(SettingsError, match="max-tokens 100 is more than tiny writes"):
        list(ask(Session(None, None, generator, Settings(max_tokens=100)), ["?"]))  # type: ignore[arg-type]


def test_what_a_checkpoint_brings(tmp_path: Path) -> None:
    """Prefix, forced first token, and the document encoder its index was made with."""
    tiny.rag_checkpoint(tmp_path, "sequence")
    path = tmp_path / "config.json"
    config = json.loads(path.read_text())
    config["dataset"] = "wiki_dpr"
    config["generator"] |= {"forced_bos_token_id": 0, "prefix": "answer: "}
    path.write_text(json.dumps(config))
    model = load_model(str(tmp_path))
    generator: Any = model.generator
    assert isinstance(generator, TorchGenerator)
    assert model.partner == WIKI_DPR_PARTNER
    assert generator.start == (2, 0)
    assert generator.prompting.prefix == "answer: "
    assert generator.target_prefix == " "
    config["dataset"] = "my_own"
    path.write_text(json.dumps(config))
    assert load_model(str(tmp_path)).partner is None


def test_a_hub_model_is_loaded_by_one_decision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once it is decided that a model must be fetched, nothing later falls back to the cache."""
    folder = saved(tmp_path)
    asked: list[bool] = []
    monkeypatch.setattr(
        "ragcli.models.catalog.locate", lambda name: Source(name, str(folder), local=False)
    )
    monkeypatch.setattr(
        "ragcli.models.seq2seq.load_generator",
        lambda source, placement: asked.append(source.local),
    )
    _ = load_model("tiny/bart").generator
    assert asked == [False]


def test_what_is_saved_is_what_was_loaded(tmp_path: Path) -> None:
    """A trained model must search, read and write as the one it was trained from."""
    made = TorchGenerator(
        tiny.bart(),
        tiny.tokenizer(),
        "tiny",
        Manner(Prompting(question_first=True, max_length=40), True, 5, True, " "),
    )
    save_generator(tmp_path, made)
    found = load_generator(locate(str(tmp_path)))
    names = ("prompting", "uncased", "no_answer", "copies", "target_prefix", "digest", "start")
    assert [getattr(found, name) for name in names] == [getattr(made, name) for name in names]


def test_how_sure_to_be_belongs_to_the_weights_it_was_fitted_for(tmp_path: Path) -> None:
    sure = Confidence({"read": 1.0}, 0.5, 0.25)
    made = TorchGenerator(tiny.bart(), tiny.tokenizer(), "tiny", Manner(confidence=sure))
    save_generator(tmp_path / "exported", made, made.confidence)
    assert load_generator(locate(str(tmp_path / "exported"))).confidence == sure
    save_generator(tmp_path / "trained", made)
    assert load_generator(locate(str(tmp_path / "trained"))).confidence is None
