"""ragcli: retrieval-augmented generation (Lewis et al. 2020) as a command and a library."""

__version__ = "0.1.0"
