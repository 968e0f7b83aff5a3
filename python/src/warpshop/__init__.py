"""A teaching lab for GPU memory performance: CUDA kernels run on an exact emulator, without a GPU.

    import warpshop
    warpshop.run(source, grid=4, block=256, args=[2.0, x, y, 1024])["y"]

and in a notebook, after `%load_ext warpshop`, a cell that starts with `%%warpshop coalescing/stride`.
docs/notebooks.md explains both.
"""

from __future__ import annotations

from importlib import metadata
from typing import TYPE_CHECKING

from ._arguments import Uninitialised, uninitialised
from ._check import Check, CheckLine, check, grade, labs, skeleton
from ._launch import Launch, run
from ._program import CompileError, Diagnostic, WarpshopError

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

try:
    __version__ = metadata.version("warpshop")
except metadata.PackageNotFoundError:  # from the source tree
    __version__ = "0"

__all__ = [
    "Check",
    "CheckLine",
    "CompileError",
    "Diagnostic",
    "Launch",
    "Uninitialised",
    "WarpshopError",
    "check",
    "grade",
    "labs",
    "run",
    "skeleton",
    "uninitialised",
]


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Make `%%warpshop` known: `%load_ext warpshop`."""
    from ._notebook import register

    register(shell)
