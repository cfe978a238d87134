"""From retrieved passages to the n best answers, with the passage summed out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragcli.core import marginalize as m
from ragcli.core.beam_search import MarginalStepper, beam_search
from ragcli.core.prompting import fit
from ragcli.core.surface import restore_surface
from ragcli.errors import SettingsError
from ragcli.protocols import Doubles, Generator, Ints, Reading, Stepper
from ragcli.records import Candidate, Hypothesis, Passes, RetrievedPassage
from ragcli.settings import AnswerSettings

Mask = NDArray[np.bool_]
Tokens = tuple[int, ...]
Retrieved = Sequence[RetrievedPassage]
Texts = tuple[str, str, str]
"""Question, caption and text."""
Score = Callable[[Ints, list[Tokens]], Doubles]
"""log p(y|x,z) of hypothesis n under pair rows[n]."""
Found = tuple[Hypothesis, Doubles, Doubles, Doubles | None]
"""A hypothesis, log p(y|x,z) and p(z|x,y) of each passage (k), and the latter by token (t, k)."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """What decoding one question gave."""

    candidates: tuple[Candidate, ...]
    passes: Passes
    no_answer: float | None = None


def read(generator: Generator, questions: Sequence[str], retrieved: Sequence[Retrieved]) -> Reading:
    """Encode every (question, passage) pair once: row q·k + j is passage j of question q."""
    pairs = pairs_of(questions, retrieved)
    return generator.encode(
        fit(pairs, generator.prompting, generator.tokenize_inputs, generator.reserved)
    )


def pairs_of(questions: Sequence[str], retrieved: Sequence[Retrieved]) -> list[Texts]:
    """Every question with each of its passages."""
    return [
        (question, r.passage.caption, r.text)
        for question, passages in zip(questions, retrieved, strict=True)
        for r in passages
    ]


def decode(
    generator: Generator,
    questions: Sequence[str],
    retrieved: Sequence[Retrieved],
    settings: AnswerSettings,
    explain: bool = False,
    reading: Reading | None = None,
) -> list[Decoded]:
    """Answer questions that have the same number of passages, in one batch.

    With `explain`, RAG-Sequence's best answer too gets a posterior by token: p(z|x,y_≤i).
    `reading` spares the encoder if these pairs were read before.
    """
    reading = reading or read(generator, questions, retrieved)
    priors = log_priors(retrieved)
    run = _token if settings.variant == "token" else _sequence
    decoded = run(generator, reading, priors, settings, explain)
    silence = reading.silence()
    silent: list[float | None] = [None] * len(decoded)
    if silence is not None:
        silent = (np.exp(priors) * silence.reshape(priors.shape)).sum(-1).tolist()
    return [
        Decoded(tuple(_candidate(generator, passages, *each) for each in best), passes, no_answer)
        for (best, passes), passages, no_answer in zip(decoded, retrieved, silent, strict=True)
    ]


def log_priors(retrieved: Sequence[Retrieved]) -> Doubles:
    """log p(z|x) of each question's passages: (questions, k)."""
    return np.array([[r.log_prior for r in passages] for passages in retrieved])


def _sequence(
    generator: Generator, reading: Reading, priors: Doubles, settings: AnswerSettings, explain: bool
) -> list[tuple[list[Found], Passes]]:
    """RAG-Sequence: a beam for each passage, then Σ_z p(z|x) p(y|x,z) for each hypothesis."""
    questions, k = priors.shape
    stepper = Counted(reading.stepper())
    beams = beam_search(stepper, reading.rows, generator.ends, settings)
    silence = quiet(reading).reshape(priors.shape)
    own = [slice(q * k, q * k + k) for q in range(questions)]
    tables = [
        Table(beams[rows], prior, silent, reading.first()[rows])
        for rows, prior, silent in zip(own, priors, silence, strict=True)
    ]
    require_answers(tables, settings)
    if settings.mode == "thorough":
        rescore(partial(likelihoods, reading), tables, settings.n_best)
    decoded = []
    for rows, table in zip(own, tables, strict=True):
        marginals = table.marginals()
        best = np.argsort(-marginals, kind="stable")[: settings.n_best]
        posteriors = m.posterior(table.prior, table.log_likelihoods)
        by_token: list[Doubles | None] = [None] * len(best)
        if explain:
            targets = [table.hypotheses[best[0]]] * k
            log_probs = reading.token_log_probs(np.arange(rows.start, rows.stop), targets).log_probs
            so_far = np.cumsum(np.asarray(log_probs, dtype=np.float64), axis=-1)
            by_token[0] = m.posterior(table.prior, so_far.T)
        found = [
            (
                Hypothesis(table.hypotheses[i], float(marginals[i])),
                table.log_likelihoods[i],
                posteriors[i],
                shares,
            )
            for i, shares in zip(best, by_token, strict=True)
        ]
        rescored = table.rescored + (k if explain else 0)
        decoded.append((found, Passes(k, int(stepper.rows[rows].sum()), rescored)))
    return decoded


def _token(
    generator: Generator, reading: Reading, priors: Doubles, settings: AnswerSettings, explain: bool
) -> list[tuple[list[Found], Passes]]:
    """RAG-Token: one beam for each question on the marginal; posteriors come with every answer."""
    questions, k = priors.shape
    stepper = Counted(reading.stepper())
    marginal = MarginalStepper(stepper, priors, generator.ends)
    beams = beam_search(marginal, questions, generator.ends, settings)
    require_answers(beams, settings)
    decoded = []
    for q, hypotheses in enumerate(beams):
        found: list[Found] = []
        for hypothesis in hypotheses[: settings.n_best]:
            log_probs = marginal.token_log_probs(q, hypothesis.tokens)
            shares = m.token_posterior(priors[q], log_probs)
            found.append((hypothesis, log_probs.sum(-1), shares.mean(-1), shares.T))
        decoded.append((found, Passes(k, int(stepper.rows[q * k : q * k + k].sum()))))
    return decoded


class Table:
    """log p(y|x,z) for the hypotheses of one question: (hypotheses, k), −inf where not scored.

    `prior` (k) is log p(z|x), `silence` (k) p(no answer|x,z), and `first` (k, vocabulary) what the
    first step gave for each passage.
    """

    def __init__(
        self, beams: Sequence[Sequence[Hypothesis]], prior: Doubles, silence: Doubles, first: Any
    ) -> None:
        self.hypotheses = list(dict.fromkeys(h.tokens for beam in beams for h in beam))
        places = {tokens: n for n, tokens in enumerate(self.hypotheses)}
        self.log_likelihoods: Doubles = np.full((len(places), len(beams)), -np.inf)
        for j, beam in enumerate(beams):
            for hypothesis in beam:
                self.log_likelihoods[places[hypothesis.tokens], j] = hypothesis.log_prob
        self.prior, self.silence, self._first = prior, silence, first
        self.rescored = 0

    def __len__(self) -> int:
        return len(self.hypotheses)

    def marginals(self) -> Doubles:
        """log p(y|x) of each hypothesis, as far as it is scored."""
        marginals: Doubles = m.sequence_marginal(self.prior, self.log_likelihoods)
        return marginals

    def bounds(self) -> m.Bounds:
        """Between what p(y|x) of each hypothesis lies, and what is left for all others."""
        tokens = [hypothesis[0] for hypothesis in self.hypotheses]
        first = np.stack([np.asarray(row[tokens], dtype=np.float64) for row in self._first], axis=1)
        return m.bounds(self.prior, self.log_likelihoods, self.silence, np.exp(first))


def rescore(score: Score, tables: Sequence[Table], n_best: int = 1) -> None:
    """Thorough: one more forward pass for each (hypothesis, passage) that no beam scored.

    Only what may be among the `n_best` is scored: first the likeliest hypotheses of each question
    are completed, then whatever can still beat one of them. The `n_best` and their log p(y|x) are
    those of the full rescoring.
    """
    complete_leaders(score, tables, n_best)
    complete(score, tables, [table.bounds().may_be_among(n_best) for table in tables])


def complete_leaders(score: Score, tables: Sequence[Table], count: int = 1) -> None:
    """Score the likeliest hypotheses of each table under every passage."""
    ranks = [np.argsort(np.argsort(-table.marginals(), kind="stable")) for table in tables]
    complete(score, tables, [rank < count for rank in ranks])


def complete(score: Score, tables: Sequence[Table], wanted: Sequence[Mask]) -> None:
    """Score the wanted hypotheses of each table under every passage where they are not."""
    k = len(tables[0].prior)
    missing = [
        np.argwhere(np.isneginf(table.log_likelihoods) & which[:, None])
        for table, which in zip(tables, wanted, strict=True)
    ]
    rows = np.concatenate([q * k + pairs[:, 1] for q, pairs in enumerate(missing)])
    targets = [
        table.hypotheses[i] for table, pairs in zip(tables, missing, strict=True) for i, _ in pairs
    ]
    if not targets:
        return
    sums = score(rows, targets)
    for table, pairs in zip(tables, missing, strict=True):
        mine, sums = sums[: len(pairs)], sums[len(pairs) :]
        table.log_likelihoods[pairs[:, 0], pairs[:, 1]] = mine
        table.rescored += len(pairs)


def likelihoods(reading: Reading, rows: Ints, targets: list[Tokens]) -> Doubles:
    """log p(y|x,z) of target n under pair rows[n]."""
    log_probs, mask, _ = reading.token_log_probs(rows, targets)
    precise = np.asarray(log_probs, dtype=np.float64)
    sums: Doubles = m.sequence_log_likelihood(precise, np.asarray(mask))
    return sums


def quiet(reading: Reading) -> Doubles:
    """p(no answer|x,z) of each pair, 0 for generators that cannot say so."""
    silence = reading.silence()
    return np.zeros(reading.rows) if silence is None else silence


def require_answers(found: Sequence[Any], settings: AnswerSettings) -> None:
    """Raise if the search left a question without any hypothesis."""
    if not all(map(len, found)):
        raise SettingsError(
            f"the search found no answer of {settings.min_tokens} to {settings.max_tokens} tokens",
            "loosen --min-tokens, --max-tokens or --no-repeat-ngram",
        )


def _candidate(
    generator: Generator,
    passages: Retrieved,
    hypothesis: Hypothesis,
    log_likelihoods: Doubles,
    posterior: Doubles,
    by_token: Doubles | None,
) -> Candidate:
    return Candidate(
        text=written(generator, passages, hypothesis.tokens, posterior),
        tokens=hypothesis.tokens,
        token_texts=generator.token_texts(hypothesis.tokens),
        log_prob=hypothesis.log_prob,
        log_likelihoods=tuple(log_likelihoods.tolist()),
        posterior=tuple(posterior.tolist()),
        token_posterior=None if by_token is None else tuple(map(tuple, by_token.tolist())),
    )


def written(generator: Generator, passages: Retrieved, tokens: Tokens, posterior: Doubles) -> str:
    """An answer's text, in the passages' own spelling if the vocabulary lost it."""
    text = generator.text(tokens)
    if not generator.uncased:
        return text
    likeliest = (passages[j] for j in np.argsort(-posterior, kind="stable"))
    return restore_surface(text, (f"{each.text} {each.passage.caption}" for each in likeliest))


class Counted:
    """A stepper that counts the rows it pushes through the decoder, by the row they began as."""

    def __init__(self, inner: Stepper) -> None:
        self.columns, self.allowed, self.answered = inner.columns, inner.allowed, inner.answered
        self._inner = inner
        self._origin: Ints = np.zeros(0, dtype=np.int64)
        self.rows: Ints = self._origin

    def step(self, tokens: Ints | None, parents: Ints) -> Any:
        if tokens is None:
            self._origin, self.rows = parents, np.zeros_like(parents)
        else:
            self._origin = self._origin[parents]
        self.rows += np.bincount(self._origin, minlength=len(self.rows))
        return self._inner.step(tokens, parents)
