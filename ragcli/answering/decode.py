"""From retrieved passages to the n best answers, with the passage summed out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ragcli.core import marginalize as m
from ragcli.core.beam_search import MarginalStepper, beam_search
from ragcli.core.prompting import fit
from ragcli.core.surface import restore_surface
from ragcli.errors import SettingsError
from ragcli.protocols import Generator, Ints, Reading, Stepper, TokenLogProbs
from ragcli.records import Candidate, Hypothesis, Passes, RetrievedPassage
from ragcli.settings import AnswerSettings

Floats = NDArray[np.float64]
Tokens = tuple[int, ...]


class Scorable(Protocol):
    """Pairs under which hypotheses can be scored: what rescoring needs of a `Reading`."""

    @property
    def rows(self) -> int: ...

    def silence(self) -> Floats | None: ...

    def token_log_probs(self, rows: Ints, targets: Sequence[tuple[int, ...]]) -> TokenLogProbs: ...


@dataclass(frozen=True, slots=True)
class Decoded:
    """What decoding one question gave."""

    candidates: tuple[Candidate, ...]
    passes: Passes
    no_answer: float | None = None


def read(
    generator: Generator, questions: Sequence[str], retrieved: Sequence[Sequence[RetrievedPassage]]
) -> Reading:
    """Encode every (question, passage) pair once: row q·k + j is passage j of question q."""
    pairs = [
        (question, r.passage.title, r.passage.text)
        for question, passages in zip(questions, retrieved, strict=True)
        for r in passages
    ]
    return generator.encode(
        fit(pairs, generator.prompting, generator.tokenize_inputs, generator.reserved)
    )


def decode(
    generator: Generator,
    questions: Sequence[str],
    retrieved: Sequence[Sequence[RetrievedPassage]],
    settings: AnswerSettings,
    explain: bool = False,
    reading: Reading | None = None,
) -> list[Decoded]:
    """Answer questions that have the same number of passages, in one batch.

    With `explain`, RAG-Sequence's best answer too gets a posterior by token: p(z|x,y_≤i).
    `reading` spares the encoder if these pairs were read before.
    """
    reading = reading or read(generator, questions, retrieved)
    priors = np.array([[r.log_prior for r in passages] for passages in retrieved])
    run = _token if settings.variant == "token" else _sequence
    decoded = run(generator, reading, priors, settings, explain)
    silence = reading.silence()
    silent = None if silence is None else (np.exp(priors) * silence.reshape(priors.shape)).sum(-1)
    return [
        replace(
            d,
            candidates=tuple(_written(generator, c, passages) for c in d.candidates),
            no_answer=None if silent is None else float(silent[q]),
        )
        for q, (d, passages) in enumerate(zip(decoded, retrieved, strict=True))
    ]


def require_answers(counts: Sequence[int], settings: AnswerSettings) -> None:
    """Raise if the search left a question without any hypothesis."""
    if not all(counts):
        raise SettingsError(
            f"the search found no answer of {settings.min_tokens} to {settings.max_tokens} tokens",
            "loosen --min-tokens, --max-tokens or --no-repeat-ngram",
        )


def _sequence(
    generator: Generator, reading: Reading, priors: Floats, settings: AnswerSettings, explain: bool
) -> list[Decoded]:
    """RAG-Sequence: a beam for each passage, then Σ_z p(z|x) p(y|x,z) for each hypothesis."""
    k = priors.shape[1]
    stepper = Counted(reading.stepper())
    beams = beam_search(stepper, reading.rows, generator.ends, settings)
    tables = [Table(beams[q * k : q * k + k]) for q in range(len(priors))]
    require_answers([len(table.hypotheses) for table in tables], settings)
    if settings.mode == "thorough":
        firsts = [
            first_tokens(reading, table.hypotheses)[:, q * k : q * k + k]
            for q, table in enumerate(tables)
        ]
        rescore_winners(reading, tables, priors, firsts, settings.n_best)
    decoded = []
    for q, table in enumerate(tables):
        marginals = m.sequence_marginal(priors[q], table.log_likelihoods)
        best = np.argsort(-marginals, kind="stable")[: settings.n_best]
        posteriors = m.posterior(priors[q], table.log_likelihoods)
        by_token = None
        if explain:
            rows = np.arange(q * k, q * k + k)
            log_probs, _ = _numpy(reading.token_log_probs(rows, [table.hypotheses[best[0]]] * k))
            by_token = m.posterior(priors[q], np.cumsum(log_probs, axis=-1).T)
        candidates = tuple(
            _candidate(
                table.hypotheses[i],
                float(marginals[i]),
                table.log_likelihoods[i],
                posteriors[i],
                by_token if n == 0 else None,
            )
            for n, i in enumerate(best)
        )
        stepped = int(stepper.rows[q * k : q * k + k].sum())
        rescored = table.rescored + (k if explain else 0)
        decoded.append(Decoded(candidates, Passes(k, stepped, rescored)))
    return decoded


def _token(
    generator: Generator, reading: Reading, priors: Floats, settings: AnswerSettings, explain: bool
) -> list[Decoded]:
    """RAG-Token: one beam for each question on the marginal; posteriors come with every answer."""
    k = priors.shape[1]
    stepper = Counted(reading.stepper())
    marginal = MarginalStepper(stepper, priors, generator.ends)
    beams = beam_search(marginal, len(priors), generator.ends, settings)
    require_answers([len(beam) for beam in beams], settings)
    decoded = []
    for q, hypotheses in enumerate(beams):
        candidates = tuple(
            _token_candidate(h, priors[q], marginal.token_log_probs(q, h.tokens))
            for h in hypotheses[: settings.n_best]
        )
        rows = int(stepper.rows[q * k : q * k + k].sum())
        decoded.append(Decoded(candidates, Passes(k, rows)))
    return decoded


class Table:
    """log p(y|x,z) for the hypotheses of one question: (hypotheses, k), −inf where not scored."""

    def __init__(self, beams: Sequence[Sequence[Hypothesis]]) -> None:
        order: dict[Tokens, int] = {}
        for beam in beams:
            for hypothesis in beam:
                order.setdefault(hypothesis.tokens, len(order))
        self.hypotheses = list(order)
        self.log_likelihoods: Floats = np.full((len(order), len(beams)), -np.inf)
        self.rescored = 0
        for j, beam in enumerate(beams):
            for hypothesis in beam:
                self.log_likelihoods[order[hypothesis.tokens], j] = hypothesis.log_prob

    def missing(self) -> NDArray[np.int64]:
        """The (hypothesis, passage) pairs that are not scored yet: (n, 2)."""
        return np.argwhere(np.isneginf(self.log_likelihoods))


def rescore_winners(
    reading: Scorable,
    tables: Sequence[Table],
    priors: Floats,
    firsts: Sequence[Floats],
    n_best: int = 1,
) -> None:
    """Thorough: score exactly what may be among the `n_best`, and nothing else.

    First the likeliest hypotheses of each question are completed, then whatever can still beat
    one of them; the `n_best` and their log p(y|x) are those of the full rescoring. `firsts` holds
    for each question log p(y_1|x,z) of its hypotheses: (hypotheses, k).
    """
    silence = reading.silence()
    silent = np.zeros_like(priors) if silence is None else silence.reshape(priors.shape)
    for completing in (True, False):
        missing = []
        for table, prior, quiet, first in zip(tables, priors, silent, firsts, strict=True):
            if completing:
                lower = m.sequence_marginal(prior, table.log_likelihoods)
                wanted = np.zeros(len(lower), dtype=np.bool_)
                wanted[np.argsort(-lower, kind="stable")[:n_best]] = True
            else:
                wanted = m.may_be_among_best(
                    n_best, prior, table.log_likelihoods, quiet, np.exp(first)
                )
            pairs = table.missing()
            missing.append(pairs[wanted[pairs[:, 0]]])
        _rescore(reading, missing, tables)


def first_tokens(reading: Reading, hypotheses: Sequence[Tokens]) -> Floats:
    """log p(y_1|x,z) of each hypothesis under each pair: (hypotheses, rows)."""
    return reading.first_log_probs([hypothesis[0] for hypothesis in hypotheses]).T


def _rescore(
    reading: Scorable, missing: Sequence[NDArray[np.int64]], tables: Sequence[Table]
) -> None:
    """Thorough: one more forward pass for each (hypothesis, passage) that no beam scored."""
    k = reading.rows // len(tables)
    rows = np.concatenate([q * k + pairs[:, 1] for q, pairs in enumerate(missing)])
    targets = [
        table.hypotheses[i] for table, pairs in zip(tables, missing, strict=True) for i, _ in pairs
    ]
    if not targets:
        return
    log_probs, mask = _numpy(reading.token_log_probs(rows, targets))
    sums = m.sequence_log_likelihood(log_probs, mask)
    first = 0
    for table, pairs in zip(tables, missing, strict=True):
        table.log_likelihoods[pairs[:, 0], pairs[:, 1]] = sums[first : first + len(pairs)]
        table.rescored += len(pairs)
        first += len(pairs)


def _numpy(scored: TokenLogProbs) -> tuple[Floats, NDArray[Any]]:
    return np.asarray(scored.log_probs, dtype=np.float64), np.asarray(scored.mask)


def _token_candidate(hypothesis: Hypothesis, prior: Floats, log_probs: Floats) -> Candidate:
    by_token = m.token_posterior(prior, log_probs)
    return _candidate(
        hypothesis.tokens,
        hypothesis.log_prob,
        log_probs.sum(axis=-1),
        by_token.mean(axis=-1),
        by_token.T,
    )


def _candidate(
    tokens: Tokens, log_prob: float, likelihoods: Floats, posterior: Floats, by_token: Floats | None
) -> Candidate:
    return Candidate(
        text="",
        tokens=tokens,
        token_texts=(),
        log_prob=log_prob,
        log_likelihoods=tuple(map(float, likelihoods)),
        posterior=tuple(map(float, posterior)),
        token_posterior=None if by_token is None else tuple(map(tuple, by_token.tolist())),
    )


def _written(
    generator: Generator, candidate: Candidate, passages: Sequence[RetrievedPassage]
) -> Candidate:
    """The candidate with its text."""
    text = written(generator, candidate.tokens, candidate.posterior, passages)
    return replace(candidate, text=text, token_texts=generator.token_texts(candidate.tokens))


def written(
    generator: Generator,
    tokens: Tokens,
    posterior: Sequence[float],
    passages: Sequence[RetrievedPassage],
) -> str:
    """An answer's text, in the passages' own spelling if the vocabulary lost it."""
    text = generator.text(tokens)
    if not generator.uncased:
        return text
    likeliest = sorted(range(len(passages)), key=lambda j: -posterior[j])
    texts = (f"{passages[j].passage.text} {passages[j].passage.title}" for j in likeliest)
    return restore_surface(text, texts)


class Counted:
    """A stepper that counts the rows it pushes through the decoder, by the row they began as."""

    def __init__(self, inner: Stepper) -> None:
        self._inner, self.columns = inner, inner.columns
        self._origin: Ints = np.zeros(0, dtype=np.int64)
        self.rows: Ints = np.zeros(0, dtype=np.int64)

    def step(self, tokens: Ints | None, parents: Ints) -> Any:
        if tokens is None:
            self._origin, self.rows = parents, np.zeros(len(parents), dtype=np.int64)
        else:
            self._origin = self._origin[parents]
        self.rows += np.bincount(self._origin, minlength=len(self.rows))
        return self._inner.step(tokens, parents)

    def allowed(self) -> Any | None:
        return self._inner.allowed()

    def answered(self) -> Any | None:
        return self._inner.answered()
