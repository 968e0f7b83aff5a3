"""The lab in a tab of JupyterLab or JupyterHub, through jupyter-server-proxy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ._program import WarpshopError, call, environment, program


def setup() -> dict[str, Any]:
    """Return jupyter-server-proxy's entry: how to start the lab's server, and its place in the launcher.

    The proxy strips its own prefix, so the server sees paths from its root and answers with relative
    ones. The launcher shows the lab only if this package's program has a server.
    """
    found = _can_serve()
    return {
        "command": [
            str(program()) if found else "warpshop",
            *("serve", "--one-user", "--address", "127.0.0.1", "--port", "{port}"),
        ],
        "environment": environment(),
        "timeout": 30,
        "launcher_entry": {
            "enabled": found,
            "title": "Warpshop",
            "icon_path": str(Path(__file__).parent / "program" / "warpshop.svg"),
        },
    }


def _can_serve() -> bool:
    try:
        return call("serve", "--help").returncode == 0
    except (OSError, WarpshopError):
        return False
