"""log p(y|x,z) with gradient: one encoder row and one decoder row for each (question, passage).

Rows are sorted by length into batches of about as many tokens, so that almost nothing is padded,
and the vocabulary is scored only where a target's token stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragcli.models.reading import totals
from ragcli.models.torch_generator import TorchGenerator

if TYPE_CHECKING:
    import torch

Tokens = tuple[int, ...]

_TOKENS_A_BATCH = 1024


@dataclass(frozen=True, slots=True)
class TargetScores:
    """log p(y_i|x,z,y_<i) (questions, k, t) and its mask (questions, t).

    For label smoothing `means` over the vocabulary, and for generators that may say "no answer"
    log p(`answered`|x,z,y_<i), both (questions, k, t).
    """

    log_probs: torch.Tensor
    mask: torch.Tensor
    means: torch.Tensor | None = None
    answered: torch.Tensor | None = None


class TrainableGenerator:
    """Scores targets under a generator's network, which is shared, not copied."""

    def __init__(
        self, generator: TorchGenerator, smoothing: bool = False, size: int = _TOKENS_A_BATCH
    ):
        self.generator, self.smoothing, self.size = generator, smoothing, size

    def score(self, inputs: Sequence[Sequence[int]], targets: Sequence[Tokens]) -> TargetScores:
        """Score target q under inputs q·k … q·k+k−1, each a question joined with a passage."""
        import torch

        k, left = divmod(len(inputs), len(targets))
        if left or not k:
            raise ValueError(f"{len(inputs)} inputs for {len(targets)} targets")
        order = sorted(range(len(inputs)), key=lambda n: (len(inputs[n]), n))
        found = [
            self._forced([inputs[n] for n in batch], [targets[n // k] for n in batch])
            for batch in self._batches(order, inputs)
        ]
        scored = torch.cat(found, dim=-1)
        device = self.generator.device
        _, mask = _padded(targets, device)
        width = mask.shape[1]
        # Every scored token goes to its place: row by row of `order`, left to right.
        columns = [torch.arange(len(targets[n // k]), device=device) for n in order]
        positions = torch.cat([n * width + at for n, at in zip(order, columns, strict=True)])
        flat = scored.new_zeros((len(scored), len(inputs) * width))
        table = flat.index_copy(1, positions, scored).view(-1, len(targets), k, width)
        means = table[1] if self.smoothing else None
        answered = None if self.generator.no_answer is None else table[-1]
        return TargetScores(table[0], mask, means, answered)

    def _batches(
        self, order: Sequence[int], inputs: Sequence[Sequence[int]]
    ) -> Iterator[list[int]]:
        """Rows in order of length, together as long as they take no more tokens than `size`."""
        batch: list[int] = []
        for n in order:
            if batch and (len(batch) + 1) * len(inputs[n]) > self.size:
                yield batch
                batch = []
            batch.append(n)
        yield batch

    def _forced(self, inputs: Sequence[Sequence[int]], targets: Sequence[Tokens]) -> torch.Tensor:
        """The rows' target tokens end to end, (1, n) to (3, n): what `TargetScores` has of each."""
        import torch

        start, device = self.generator.start, self.generator.device
        ids, mask = _padded(inputs, device)
        y, there = _padded(targets, device)
        given = torch.tensor([start], device=device).expand(len(targets), -1)
        # The logits after the last start token and after each token but the last are wanted.
        wanted = torch.cat([there.new_zeros((len(targets), len(start) - 1)), there], dim=1)
        logits = self.generator.output.logits(
            lambda states: states[wanted],
            input_ids=ids,
            attention_mask=None if bool(mask.all()) else mask.long(),
            decoder_input_ids=torch.cat([given, y[:, :-1]], dim=1),
            use_cache=False,
        )
        total, answered = totals(logits, self.generator.no_answer)
        found = [logits.gather(-1, y[there][:, None]).squeeze(-1) - total]
        if self.smoothing:
            found.append(logits.mean(-1) - total)
        if answered is not None:
            found.append(answered - total)
        return torch.stack(found)


def _padded(
    rows: Sequence[Sequence[int]], device: torch.device
) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows of token ids as one tensor, and where their tokens stand."""
    import torch

    width = max(map(len, rows))
    ids = torch.tensor([[*row, *[0] * (width - len(row))] for row in rows], device=device)
    lengths = torch.tensor([len(row) for row in rows], device=device)
    return ids, torch.arange(width, device=device)[None, :] < lengths[:, None]
