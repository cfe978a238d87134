"""The loss and its gradients: finite differences, the slow way, and Hugging Face's own classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from transformers import DPRQuestionEncoder

from ragcli.answering.score import score_many
from ragcli.core.loss import loss
from ragcli.core.prompting import fit
from ragcli.models.catalog import load_model
from ragcli.models.dpr import DprNetwork, dpr_settings
from ragcli.models.torch_generator import TorchGenerator
from ragcli.models.trainable import TrainableGenerator
from tests import tiny
from tests.answering.test_decode import TEXTS, passages, tiny_generator, token_log_probs

QUESTIONS = ["what is the capital of france ?", "who is king of peru ?"]
ANSWERS = ["paris", "the king of lima"]
DOCUMENTS = torch.tensor(np.random.default_rng(0).standard_normal((2, 3, 16)))


def inputs(generator: TorchGenerator) -> list[list[int]]:
    pairs = [(question, title, text) for question in QUESTIONS for title, text in TEXTS]
    return fit(pairs, generator.prompting, generator.tokenize_inputs)


def query_network() -> DprNetwork:
    torch.manual_seed(5)
    model = DPRQuestionEncoder(tiny.dpr_config()).eval().double()
    return DprNetwork(model, tiny.tokenizer(), dpr_settings(model, "tiny"))


def whole_loss(
    generator: TorchGenerator, network: DprNetwork, variant: Any, scale: torch.Tensor
) -> torch.Tensor:
    """-log p(y|x), from questions and answers to one number."""
    scores = scale.exp() * torch.einsum("qd,qkd->qk", network(QUESTIONS), DOCUMENTS)
    targets = [generator.tokenize(answer) for answer in ANSWERS]
    scored = TrainableGenerator(generator, size=60).score(inputs(generator), targets)
    total: torch.Tensor = loss(scores, scored.log_probs, scored.mask, variant).sum()
    return total


@pytest.mark.parametrize("kind", ["bart", "t5"])
@pytest.mark.parametrize("size", [1, 60, 2048])
def test_scores_equal_one_pass_for_each_pair(kind: str, size: int) -> None:
    generator = tiny_generator(kind)
    targets = [generator.tokenize(answer) for answer in ANSWERS]
    scored = TrainableGenerator(generator, smoothing=True, size=size).score(
        inputs(generator), targets
    )
    assert scored.mask.sum(-1).tolist() == [len(target) for target in targets]
    for q, question in enumerate(QUESTIONS):
        for j, (title, text) in enumerate(TEXTS):
            joined = f"{title} / {text} // {question}" if title else f"{text} // {question}"
            expected = token_log_probs(generator, joined, targets[q])
            found = scored.log_probs[q, j][scored.mask[q]].tolist()
            assert found == pytest.approx(expected, abs=1e-9)
            every = [
                token_log_probs(generator, joined, (*targets[q][:1], v))[1]
                for v in range(generator.model.config.vocab_size)
            ]
            assert scored.means is not None
            assert scored.means[q, j, 1].item() == pytest.approx(np.mean(every), abs=1e-9)


def test_the_loss_is_what_decoding_scores_for_a_model_that_may_say_no_answer() -> None:
    generator = tiny_generator("bart")
    generator.no_answer = generator.tokenizer.convert_tokens_to_ids("lima")
    answers = ["paris", "the king of france"]
    targets = [generator.tokenize(answer) for answer in answers]
    found = [passages(), passages((0.2, 0.3, 0.5))]
    scored = TrainableGenerator(generator, smoothing=True).score(inputs(generator), targets)
    prior = torch.tensor([[r.log_prior for r in each] for each in found], dtype=torch.float64)
    assert scored.answered is not None
    assert bool((scored.answered[0, 0, : len(targets[0])] < 0).all())
    values = loss(prior, scored.log_probs, scored.mask, "token", scored.answered)
    plain = loss(prior, scored.log_probs, scored.mask, "token")
    for q, answer in enumerate(answers):
        [expected] = score_many(generator, [QUESTIONS[q]], [[answer]], [found[q]])[0]
        assert values[q].item() == pytest.approx(-expected.token_log_prob, abs=1e-9)
        assert values[q].item() < plain[q].item()


@pytest.mark.parametrize("kind", ["bart", "t5"])
@pytest.mark.parametrize("variant", ["sequence", "token"])
def test_gradients_equal_those_of_the_slow_way(kind: str, variant: str) -> None:
    """One unbatched pass for each pair, the sums written as the paper writes them."""
    generator, network = tiny_generator(kind), query_network()
    scale = torch.zeros((), dtype=torch.float64)
    weights = [*generator.model.parameters(), *network.module.parameters()]
    ours = torch.autograd.grad(
        whole_loss(generator, network, variant, scale), weights, allow_unused=True
    )
    total = torch.zeros((), dtype=torch.float64)
    rows = inputs(generator)
    for q, answer in enumerate(ANSWERS):
        target = torch.tensor(generator.tokenize(answer))
        given = torch.tensor([[*generator.start, *target.tolist()[:-1]]])
        prior = (network([QUESTIONS[q]])[0] @ DOCUMENTS[q].T).softmax(-1)
        probs = torch.stack(
            [
                generator.model(input_ids=torch.tensor([row]), decoder_input_ids=given)
                .logits[0, -len(target) :]
                .softmax(-1)
                .gather(-1, target[:, None])[:, 0]
                for row in rows[3 * q : 3 * q + 3]
            ]
        )
        if variant == "sequence":
            total = total - (prior @ probs.prod(-1)).log()
        else:
            total = total - (prior @ probs).log().sum()
    slow = torch.autograd.grad(total, weights, allow_unused=True)
    for fast, expected in zip(ours, slow, strict=True):
        assert (fast is None) == (expected is None)
        if fast is not None:
            torch.testing.assert_close(fast, expected, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("variant", ["sequence", "token"])
def test_gradients_equal_finite_differences(variant: str) -> None:
    """Along random directions of all weights, of q(x) through the prior, and of the scale."""
    generator, network = tiny_generator("bart"), query_network()
    step = 1e-6
    scale = torch.zeros((), dtype=torch.float64, requires_grad=True)
    whole_loss(generator, network, variant, scale).backward()
    parts = {
        "generator": list(generator.model.parameters()),
        "query encoder": list(network.module.parameters()),
        "scale": [scale],
    }
    random = torch.Generator().manual_seed(7)
    for name, weights in parts.items():
        weights = [w for w in weights if w.grad is not None]
        for _ in range(3):
            ways = [torch.randn(w.shape, generator=random, dtype=w.dtype) for w in weights]
            expected = sum(float((w.grad * v).sum()) for w, v in zip(weights, ways, strict=True))
            sides = []
            for size in (step, -2 * step):
                with torch.no_grad():
                    for w, v in zip(weights, ways, strict=True):
                        w.add_(v, alpha=size)
                    sides.append(float(whole_loss(generator, network, variant, scale)))
            with torch.no_grad():
                for w, v in zip(weights, ways, strict=True):
                    w.add_(v, alpha=step)
            assert abs(expected) > 1e-6, name
            assert (sides[0] - sides[1]) / (2 * step) == pytest.approx(expected, rel=1e-5), name


@pytest.mark.parametrize("variant", ["sequence", "token"])
def test_every_single_weight_of_the_query_path(variant: str) -> None:
    """No direction can hide a mistake: each weight of one layer of q(x), one by one."""
    generator, network = tiny_generator("bart"), query_network()
    scale = torch.zeros((), dtype=torch.float64)
    weight = network.module.question_encoder.bert_model.encoder.layer[0].output.dense.bias
    whole_loss(generator, network, variant, scale).backward()
    for n in range(len(weight)):
        with torch.no_grad():
            sides = []
            for size in (1e-5, -2e-5):
                weight[n] += size
                sides.append(float(whole_loss(generator, network, variant, scale)))
            weight[n] += 1e-5
        assert (sides[0] - sides[1]) / 2e-5 == pytest.approx(float(weight.grad[n]), abs=1e-7)


@pytest.mark.parametrize("variant", ["sequence", "token"])
def test_loss_and_gradients_of_hugging_face(variant: str, tmp_path: Any) -> None:
    """The same weights, passages and targets; outside the trap of one-token targets."""
    theirs = tiny.rag_checkpoint(tmp_path, variant, tiny.bart(seed=3))
    model: Any = load_model(str(tmp_path))
    generator, network = model.generator, model.encoder.query_network()
    targets = [generator.tokenize(answer) for answer in ANSWERS]
    documents = DOCUMENTS.float()

    joined = [f"{t} / {x} // {q}" if t else f"{x} // {q}" for q in QUESTIONS for t, x in TEXTS]
    contexts = generator.tokenizer(joined, padding=True, return_tensors="pt")
    asked = generator.tokenizer(QUESTIONS, padding=True, return_tensors="pt")
    width = max(map(len, targets)) + 1
    labels = torch.full((2, width), 1)
    for n, target in enumerate(targets):
        labels[n, : len(target) + 1] = torch.tensor([*generator.start, *target])
    queries = theirs.rag.question_encoder(
        asked.input_ids, attention_mask=asked.attention_mask
    ).pooler_output
    their_loss = theirs(
        context_input_ids=contexts.input_ids,
        context_attention_mask=contexts.attention_mask,
        doc_scores=torch.einsum("qd,qkd->qk", queries, documents),
        labels=labels,
        n_docs=3,
        reduce_loss=True,
    ).loss
    their_loss.backward()

    scores = torch.einsum("qd,qkd->qk", network(QUESTIONS), documents)
    scored = TrainableGenerator(generator, size=60).score(inputs(generator), targets)
    our_loss = loss(scores, scored.log_probs, scored.mask, variant).sum()  # type: ignore[arg-type]
    our_loss.backward()
    assert our_loss.item() == pytest.approx(their_loss.item(), abs=1e-4)
    compared = 0
    for ours, part in (
        (generator.model, theirs.rag.generator),
        (network.module, theirs.rag.question_encoder),
    ):
        known = dict(part.named_parameters())
        for name, weight in ours.named_parameters():
            if weight.grad is None:
                assert known[name].grad is None or not known[name].grad.any(), name
                continue
            torch.testing.assert_close(weight.grad, known[name].grad, atol=1e-4, rtol=1e-4)
            compared += bool(weight.grad.any())
    assert compared > 60


def test_each_pair_passes_once_and_only_targets_meet_the_vocabulary() -> None:
    generator = tiny_generator("bart")
    rows: list[tuple[str, int]] = []
    generator.model.get_encoder().register_forward_hook(
        lambda m, a, k, o: rows.append(("encoder", o.last_hidden_state.shape[0])), with_kwargs=True
    )
    generator.model.get_decoder().register_forward_hook(
        lambda m, a, k, o: rows.append(("decoder", o.last_hidden_state.shape[0])), with_kwargs=True
    )
    project = generator.output._project

    def counted(hidden: Any) -> Any:
        rows.append(("vocabulary", hidden.shape[0]))
        return project(hidden)

    generator.output._project = counted  # type: ignore[method-assign]
    targets = [generator.tokenize(answer) for answer in ANSWERS]
    TrainableGenerator(generator, size=30).score(inputs(generator), targets)
    tokens = 3 * sum(map(len, targets))
    for name, expected in (("encoder", 6), ("decoder", 6), ("vocabulary", tokens)):
        assert sum(count for kind, count in rows if kind == name) == expected
