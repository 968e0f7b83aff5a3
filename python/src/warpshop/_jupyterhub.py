"""The lab in a tab beside JupyterLab or on a JupyterHub, through jupyter-server-proxy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ._program import WarpshopError, call, environment, program


def setup() -> dict[str, Any]:
    """Return jupyter-server-proxy's entry: how to start the lab's server, and its place in the launcher.

    The launcher shows the lab only if this package's program has a server. The proxy asks who people
    are, and strips its own prefix; the lab's addresses are relative to its page.
    """
    found = _can_serve()
    return {
        "command": [
            str(program()) if found else "warpshop",
            *("serve", "--one-user", "--address", "127.0.0.1", "--port", "{port}"),
        ],
        "environment": environment(),
        "timeout": 30,
        # For one user, the server refuses names that it does not know, such as the hub's.
        "request_headers_override": {"Host": "127.0.0.1:{port}"},
        # A page inside JupyterLab's has no threads: it is not isolated from other origins.
        "new_browser_tab": True,
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
