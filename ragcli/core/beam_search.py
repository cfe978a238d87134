"""One beam search for both variants: groups of hypotheses that advance together.

RAG-Sequence runs a group for each (question, passage) pair; RAG-Token runs a group for each
question on the marginal next-token distribution. The search sees only a `Stepper`, so it works the
same on numpy arrays and torch tensors.

Every hypothesis it returns ends with an end-of-sequence token and carries its summed
log-probability: a true log p, never divided by a length. At the last position only such a token may
follow, at its real probability.

Once a group has as many finished hypotheses as beams, a live prefix is dropped as soon as it cannot
enter them. Nothing that is returned changes: log-probabilities only fall, so whatever the prefix
would lead to scores at most what it has (with a length penalty: what it has at the most favourable
length), and whatever it would crowd out of the beam scores less still and could not enter either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragcli.core.marginalize import Array, array_namespace, logsumexp, token_marginal
from ragcli.protocols import Doubles, Ints, Stepper
from ragcli.records import Hypothesis
from ragcli.settings import AnswerSettings

Followed = tuple[float, int, int]
"""A live prefix with one more token: the score, which prefix of its group, and the token."""


@dataclass(slots=True)
class _Group:
    """A beam under way: live prefixes, their scores, and what has finished."""

    prefixes: list[tuple[int, ...]]
    scores: Doubles
    finished: list[tuple[float, Hypothesis]]


class MarginalStepper:
    """RAG-Token's next-token distribution: Σ_z p(z|x) p(y_i|x,z,y_<i), a row for each question.

    Wraps a stepper whose rows are the k passages of each question, in order; `log_prior` is
    (questions, k). Row r of ours stands on rows r·k … r·k+k−1 of the inner one. What each passage
    gave to the tokens that were followed is kept, so that posteriors need no second pass.

    After the first token the distribution is made to sum to 1, which it does already unless the
    generator may say "no answer": see `token_sequence_marginal`.
    """

    def __init__(self, inner: Stepper, log_prior: NDArray[Any], ends: Sequence[int]) -> None:
        self._inner, self._log_prior, self._ends = inner, log_prior, ends
        self.columns = inner.columns
        self._prefixes: list[tuple[int, ...]] = []
        self._last: Array = None
        self._given: dict[tuple[int, ...], Doubles] = {}

    def step(self, tokens: Ints | None, parents: Ints) -> Array:
        k = self._log_prior.shape[1]
        if tokens is None:
            self._prefixes = [(int(question),) for question in parents]
        else:
            self._keep(tokens, parents)
            old = self._prefixes
            self._prefixes = [(*old[p], int(t)) for p, t in zip(parents, tokens, strict=True)]
        rows = (parents[:, None] * k + np.arange(k)).reshape(-1)
        repeated = None if tokens is None else np.repeat(tokens, k)
        log_probs = self._inner.step(repeated, rows)
        xp = array_namespace(log_probs)
        self._last = xp.reshape(log_probs, (len(parents), k, -1))
        for end in self._ends:
            self._keep(np.full(len(parents), end), np.arange(len(parents)))
        prior = self._log_prior[[prefix[0] for prefix in self._prefixes]]
        prior = xp.asarray(prior, dtype=log_probs.dtype, device=log_probs.device)
        marginal, answered = token_marginal(prior, self._last), self._inner.answered()
        if tokens is None or answered is None:
            return marginal
        goes_on = logsumexp(prior + xp.reshape(answered, prior.shape), axis=-1)
        return marginal - goes_on[:, None]

    def answered(self) -> Array | None:
        """Whether there is an answer is settled by the first token."""
        return None

    def allowed(self) -> Array | None:
        """What any of the passages allows."""
        inner = self._inner.allowed()
        if inner is None:
            return None
        xp = array_namespace(inner)
        shape = len(self._prefixes), self._log_prior.shape[1], -1
        return xp.any(xp.reshape(inner, shape), axis=1)

    def _keep(self, tokens: Ints, parents: Ints) -> None:
        """Remember log p(token|x,z,prefix) of each passage, by question and prefix."""
        spots = columns_of(tokens, self.columns)
        given = np.asarray(self._last[parents, :, spots], dtype=np.float64)
        for parent, token, row in zip(parents, tokens, given, strict=True):
            self._given[(*self._prefixes[parent], int(token))] = row

    def token_log_probs(self, question: int, tokens: tuple[int, ...]) -> Doubles:
        """log p(y_i|x,z,y_<i) of a hypothesis that the search returned: (k, t)."""
        path = (question, *tokens)
        return np.stack([self._given[path[: i + 2]] for i in range(len(tokens))], axis=-1)


def beam_search(
    stepper: Stepper, groups: int, ends: Sequence[int], settings: AnswerSettings
) -> list[list[Hypothesis]]:
    """Run `settings.beams` beams for each of `groups` groups; best first by log-probability."""
    search = _Search(stepper, ends, settings)
    every = live = [_Group([()], np.zeros(1), []) for _ in range(groups)]
    log_probs = stepper.step(None, np.arange(groups, dtype=np.int64))
    for position in range(1, settings.max_tokens + 1):
        search.constrain(log_probs, live, position)
        tokens: list[int] = []
        parents: list[int] = []
        still: list[_Group] = []
        for group, first, candidates in search.candidates(log_probs, live):
            chosen = search.advance(group, candidates, position)
            if chosen:
                still.append(group)
                parents += [first + parent for parent, _ in chosen]
                tokens += [token for _, token in chosen]
        if not still or position == settings.max_tokens:
            break
        live = still
        log_probs = stepper.step(np.array(tokens), np.array(parents))
    return [
        sorted((h for _, h in group.finished), key=lambda h: (-h.log_prob, h.tokens))
        for group in every
    ]


def columns_of(tokens: Sequence[int] | Ints, columns: Ints | None) -> Ints:
    """Where tokens that are among the columns stand."""
    found = np.asarray(tokens, dtype=np.int64)
    return found if columns is None else np.searchsorted(columns, found)


class _Search(NamedTuple):
    """What a search goes by: the distribution, the tokens that end an answer, and the settings."""

    stepper: Stepper
    ends: Sequence[int]
    settings: AnswerSettings

    def constrain(self, log_probs: Array, groups: Sequence[_Group], position: int) -> None:
        """Rule tokens out in place: not allowed, too early an end, past the end, repeated."""
        settings, columns = self.settings, self.stepper.columns
        last, allowed = columns_of(self.ends, columns), self.stepper.allowed()
        if allowed is not None and position < settings.max_tokens:
            log_probs[~array_namespace(log_probs).asarray(allowed)] = -np.inf
        if position < settings.min_tokens:
            log_probs[:, last] = -np.inf
        if position == settings.max_tokens:
            kept = log_probs[:, last]
            log_probs[:, :] = -np.inf
            log_probs[:, last] = kept
        elif settings.no_repeat_ngram:
            prefixes = (prefix for group in groups for prefix in group.prefixes)
            for row, prefix in enumerate(prefixes):
                repeated = columns_of([*_repeats(prefix, settings.no_repeat_ngram)], columns)
                log_probs[row, repeated] = -np.inf

    def candidates(
        self, log_probs: Array, groups: Sequence[_Group]
    ) -> Iterator[tuple[_Group, int, list[Followed]]]:
        """For each group: its first row and its best (score, parent, token), best first.

        For every beam one more is needed than there are end tokens, because all of those may end
        here. They are among the best of each row, so the vocabulary is searched by row, whatever
        number of rows a group has.
        """
        count, columns = (1 + len(self.ends)) * self.settings.beams, self.stepper.columns
        values, places = top_k(log_probs, min(count, log_probs.shape[1]))
        places = places if columns is None else columns[places]
        first, width = 0, values.shape[1]
        for group in groups:
            rows = slice(first, first + len(group.prefixes))
            totals = (values[rows].astype(np.float64) + group.scores[:, None]).reshape(-1)
            tokens = places[rows].reshape(-1)
            best = [i for i in np.argsort(-totals, kind="stable")[:count] if totals[i] > -np.inf]
            yield group, first, [(float(totals[i]), int(i) // width, int(tokens[i])) for i in best]
            first = rows.stop

    def advance(
        self, group: _Group, candidates: Sequence[Followed], position: int
    ) -> list[tuple[int, int]]:
        """File the candidates that end, keep the best `beams` that may matter: (parent, token).

        Candidates come best first.
        """
        beams = self.settings.beams
        for score, parent, token in candidates[:beams]:
            # Like every beam search, an end counts only if it is among the best `beams`.
            if token in self.ends:
                hypothesis = Hypothesis((*group.prefixes[parent], token), score)
                penalized = score / position**self.settings.length_penalty
                group.finished.append((penalized, hypothesis))
        group.finished.sort(key=lambda item: -item[0])
        del group.finished[beams:]
        chosen = [each for each in candidates if each[2] not in self.ends][:beams]
        if len(group.finished) == beams:
            least = group.finished[-1][0]
            chosen = [each for each in chosen if self._reach(each[0], position) > least]
        group.prefixes = [(*group.prefixes[parent], token) for _, parent, token in chosen]
        group.scores = np.array([score for score, _, _ in chosen])
        return [(parent, token) for _, parent, token in chosen]

    def _reach(self, score: float, position: int) -> float:
        """The best penalized score that a live prefix of `position` tokens may still end with."""
        penalty = self.settings.length_penalty
        length = self.settings.max_tokens if penalty > 0 else position + 1
        return float(score / length**penalty)


def _repeats(prefix: tuple[int, ...], n: int) -> set[int]:
    """Tokens that would complete an n-gram that `prefix` already holds."""
    tail = prefix[len(prefix) - n + 1 :] if n > 1 else ()
    spans = range(len(prefix) - n + 1)
    return {prefix[i + n - 1] for i in spans if prefix[i : i + n - 1] == tail}


def top_k(x: Array, k: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """The k largest of each row of x (rows, n), largest first: (values, places) as numpy."""
    if not isinstance(x, np.ndarray):
        values, places = x.topk(k, dim=-1)
        return values.cpu().numpy(), places.cpu().numpy()
    found = np.argpartition(-x, k - 1, axis=-1)[:, :k]
    largest = np.take_along_axis(x, found, axis=-1)
    order = np.argsort(-largest, axis=-1, kind="stable")
    return np.take_along_axis(largest, order, axis=-1), np.take_along_axis(found, order, axis=-1)
