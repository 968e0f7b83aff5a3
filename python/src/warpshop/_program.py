"""Starts the program that this package brings, and turns its errors into exceptions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

_NO_VERDICT = 3  # exit status: the tool itself failed


@dataclass(frozen=True)
class Diagnostic:
    """A message with its place in the source."""

    severity: str  # "error", "warning" or "note"
    kind: str
    message: str
    help: str = ""
    file: str = ""
    line: int = 0  # 0: the message has no place
    column: int = 0
    source_line: str = ""

    def __str__(self) -> str:
        """Return the message as compilers write it, with its source line and a caret."""
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        text = f"{place}: {self.severity}: {self.message}" if place else f"{self.severity}: {self.message}"
        if self.source_line:
            margin = f"{self.line:>3} | "
            text += f"\n{margin}{self.source_line}"
            if self.column:
                text += f"\n{'|':>{len(margin) - 1}} {' ' * (self.column - 1)}^"
        return text + (f"\n  help: {self.help}" if self.help else "")


class WarpshopError(RuntimeError):
    """The program refused its input, or failed. `diagnostics` has every message with its place."""

    def __init__(self, message: str, diagnostics: list[Diagnostic] | None = None) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics or []

    def _render_traceback_(self) -> list[str]:
        """Show the messages alone in a notebook: where in this package they were raised helps nobody."""
        return [f"{type(self).__name__}: {self}"]


class CompileError(WarpshopError):
    """A kernel that does not compile, or that no GPU would launch."""


def program() -> Path:
    """Return the path of the program: $WARPSHOP_PROGRAM, else the one in this package."""
    own = os.environ.get("WARPSHOP_PROGRAM")
    path = Path(own) if own else Path(__file__).parent / "program" / "bin" / "warpshop"
    if not path.is_file():
        raise WarpshopError(f"there is no program at {path}" + (" (WARPSHOP_PROGRAM)" if own else ""))
    return path


def environment() -> dict[str, str]:
    """Return the program's environment: NVIDIA's wheels are where the compiler and its headers are."""
    out = dict(os.environ)
    if out.get("WARPSHOP_LABS"):  # the program runs in folders of its own
        out["WARPSHOP_LABS"] = ":".join(os.path.abspath(folder) for folder in out["WARPSHOP_LABS"].split(":"))
    for variable, distribution, name in (
        ("WARPSHOP_CUDA", "nvidia-cuda-nvrtc", "libnvrtc.so.13"),
        ("WARPSHOP_NVDISASM", "nvidia-cuda-nvdisasm", "nvdisasm"),
    ):
        if out.get(variable):
            continue
        found = _file_of(distribution, name)
        if found is not None:
            out[variable] = str(found.parent.parent if variable == "WARPSHOP_CUDA" else found)
    return out


def gpu_name(gpu: str) -> str:
    """Return the id, or a profile's absolute path: the program runs in a folder of its own."""
    return os.path.abspath(gpu) if gpu.endswith(".toml") else gpu


def _file_of(distribution: str, name: str) -> Path | None:
    try:
        files = metadata.files(distribution) or []
    except metadata.PackageNotFoundError:
        return None
    return next((Path(str(file.locate())) for file in files if file.name == name), None)


def call(*arguments: str, folder: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run the program, in a folder, and return its output, whatever its status."""
    return subprocess.run(
        [str(program()), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env=environment(),
        cwd=folder,
    )


def call_json(*arguments: str, folder: str | None = None) -> dict[str, Any]:
    """Run the program with --json. Error: WarpshopError with what it says when it writes no JSON."""
    done = call(*arguments, "--json", folder=folder)
    if done.returncode == _NO_VERDICT or not done.stdout.startswith("{"):
        raise WarpshopError(_message_of(done))
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def _message_of(done: subprocess.CompletedProcess[str]) -> str:
    message = done.stderr.strip()
    for prefix in ("warpshop: ", "error: "):
        if message.startswith(prefix):
            message = message[len(prefix) :]
    if message:
        return message
    if done.returncode < 0:
        return f"the program was ended by signal {-done.returncode}"
    return f"the program ended with status {done.returncode} and said nothing"


def diagnostics_of(entries: list[dict[str, Any]], source: str, name: str) -> list[Diagnostic]:
    """Return the program's messages, with the source line of those that have a place in the file `name`."""
    lines = source.split("\n")
    out = []
    for entry in entries:
        line = entry.get("line") or 0
        here = 0 < line <= len(lines) and entry.get("file") == name
        out.append(
            Diagnostic(
                entry["severity"],
                entry["kind"],
                entry["message"],
                entry.get("help") or entry.get("cause") or "",
                entry.get("file") or "",
                line,
                entry.get("column") or 0,
                lines[line - 1] if here else "",
            )
        )
    return out


def main() -> None:
    """Become the program: the command `warpshop`."""
    try:
        os.execve(program(), ["warpshop", *sys.argv[1:]], environment())
    except (OSError, WarpshopError) as error:
        sys.exit(f"warpshop: {error}")
