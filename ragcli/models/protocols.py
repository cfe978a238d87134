from ragcli.protocols import *  # noqa: F403
from ragcli.protocols import Encoder, Floats, Progress  # noqa: F401
