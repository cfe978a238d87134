"""A query encoder that does not belong to the index is refused."""

import numpy as np
import pytest

from ragcli.answering.belonging import check_encoder
from ragcli.errors import CorruptIndexError, EncoderMismatchError, IndexNotFoundError
from ragcli.indexing.build import build_index
from ragcli.store.store import Store
from tests.fakes import HashEncoder


def open_index(store, reference=None, encoder=None, trust_query_encoder=False, verify=False):
    index = store.open(reference, verify)
    if encoder is not None:
        try:
            check_encoder(index, encoder, trust_query_encoder)
        except BaseException:
            index.close()
            raise
    return index


@pytest.fixture
def store(tmp_path) -> Store:
    path = tmp_path / "facts.txt"
    path.write_text(" ".join(f"word{n}" for n in range(1000)))
    store = Store(tmp_path / "store")
    build_index(store, HashEncoder(16), [str(path)], version="1")
    return store


def test_the_encoder_it_was_built_with(store):
    with open_index(store, encoder=HashEncoder(16)) as index:
        assert (index.name, index.version, len(index)) == ("default", "1", 10)


def test_without_an_encoder_nothing_is_compared(store):
    with open_index(store, "default@1") as index:
        assert index.version == "1"


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [
        ("kind", "dpr", "kind 'dpr', in the index 'hash'"),
        ("normalize", False, "normalisation False, in the index True"),
        ("query_prefix", "query: ", "query prefix 'query: ', in the index ''"),
        ("document_prefix", "passage: ", "document prefix 'passage: ', in the index ''"),
        ("max_length", 256, "maximum length 256, in the index 512"),
        ("document_digest", "ab" * 32, "document encoder's digest 'abababababab…, in the index"),
        ("query_digest", "ab" * 32, "query encoder's digest 'abababababab…, in the index"),
    ],
)
def test_every_setting_that_differs_is_named(store, setting, value, words):
    with pytest.raises(EncoderMismatchError) as caught:
        open_index(store, encoder=HashEncoder(16, **{setting: value}))
    assert caught.value.message.startswith(
        "the encoder hash-16 does not belong to the index default@1: "
    )
    assert words in caught.value.message
    assert "use the encoder hash-16" in str(caught.value)


def test_another_dimension_names_both(store):
    with pytest.raises(EncoderMismatchError, match="dimension 8, in the index 16"):
        open_index(store, encoder=HashEncoder(8))


def test_names_do_not_matter_where_digests_agree(store):
    moved = HashEncoder(16, query_name="/elsewhere/model", document_name="/elsewhere/model")
    open_index(store, encoder=moved).close()


class Impostor(HashEncoder):
    """Claims the settings of `HashEncoder(16)` and returns something else."""

    def __init__(self, factor: float, noise: float) -> None:
        super().__init__(16)
        self.factor, self.noise = factor, noise

    def encode_passages(self, passages, batch_size=32, progress=None):
        return super().encode_passages(passages) * self.factor + np.float32(self.noise)


@pytest.mark.parametrize(("factor", "noise"), [(2.0, 0.0), (-1.0, 0.0), (1.0, 0.01), (np.nan, 0.0)])
def test_the_probe_finds_an_impostor(store, factor, noise):
    with pytest.raises(EncoderMismatchError, match="differs from its stored vector"):
        open_index(store, encoder=Impostor(factor, noise))


def test_the_probe_allows_for_rounding(store):
    open_index(store, encoder=Impostor(1.0, 1e-5)).close()


def test_the_probe_looks_at_first_middle_and_last(store):
    seen: list[str] = []

    class Watched(HashEncoder):
        def encode_passages(self, passages, batch_size=32, progress=None):
            seen.extend(passage.id for passage in passages)
            return super().encode_passages(passages)

    open_index(store, encoder=Watched(16)).close()
    assert seen == ["facts.txt#0", "facts.txt#5", "facts.txt#9"]


def test_an_index_of_one_passage_can_be_probed(tmp_path):
    (tmp_path / "one.txt").write_text("Lima")
    store = Store(tmp_path / "store")
    build_index(store, HashEncoder(16), [str(tmp_path / "one.txt")])
    open_index(store, encoder=HashEncoder(16)).close()


def test_encoders_of_queries_only_must_be_trusted(store):
    encoder = HashEncoder(16, kind="dpr", document_digest="", query_digest="x")
    with pytest.raises(EncoderMismatchError, match=r"encodes queries only.*--trust-query-encoder"):
        open_index(store, encoder=encoder)
    open_index(store, encoder=encoder, trust_query_encoder=True).close()
    with pytest.raises(EncoderMismatchError, match="dimension 8, in the index 16"):
        open_index(store, encoder=HashEncoder(8, document_digest=""), trust_query_encoder=True)


def test_a_trained_query_encoder_is_trusted_but_its_document_encoder_is_checked(store):
    trained = HashEncoder(16, query_digest="trained")
    with pytest.raises(EncoderMismatchError, match="query encoder's digest"):
        open_index(store, encoder=trained)
    open_index(store, encoder=trained, trust_query_encoder=True).close()
    foreign = HashEncoder(16, salt="other")
    with pytest.raises(EncoderMismatchError, match="document encoder's digest"):
        open_index(store, encoder=foreign, trust_query_encoder=True)


def test_verify_is_passed_on(store):
    path = store.root / "default/versions/1/embeddings-0.npy"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    open_index(store).close()
    with pytest.raises(CorruptIndexError, match="sha256"):
        open_index(store, verify=True)


def test_no_such_index(store):
    with pytest.raises(IndexNotFoundError):
        open_index(store, "wiki", HashEncoder(16))
