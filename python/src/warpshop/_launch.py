"""A kernel of one's own, with NumPy arrays in and out."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ._arguments import ArgumentWriter, Parameter
from ._program import CompileError, Diagnostic, call_json, diagnostics_of, gpu_name

_FILE = "kernel.cu"  # the source, in messages


@dataclass(frozen=True)
class Launch:
    """What a launch did. In a notebook it shows itself with maps of its accesses.

    `launch["y"]` is the array that the kernel left in the parameter y.
    """

    kernel: str
    gpu: str
    completed: bool
    outputs: dict[str, np.ndarray[Any, Any]] = field(repr=False)  # by parameter: copies, as the kernel left them
    findings: list[Diagnostic]
    counters: dict[str, int]
    registers: int
    occupancy_pct: float
    printed: str
    predicted_us: float | None  # with predict=True
    json: dict[str, Any] = field(repr=False)  # all that the program knows: docs/cli.md, "run"
    html: str = field(repr=False)

    @property
    def ok(self) -> bool:
        """Whether the kernel completed and nothing was found but warnings and notes."""
        return self.completed and all(finding.severity != "error" for finding in self.findings)

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        """Return the array of a parameter."""
        if name not in self.outputs:
            raise KeyError(f"{name}: the kernel's arrays are {', '.join(self.outputs) or 'none'}")
        return self.outputs[name]

    def __repr__(self) -> str:
        """Return the verdict, the findings and the counters that are not zero."""
        found = (
            f"{len(self.findings)} findings"
            if len(self.findings) > 1
            else "1 finding"
            if self.findings
            else "no findings"
        )
        words = f"completed, {found}" if self.completed else "did not complete"
        lines = [f"{'✓' if self.ok else '✗'} {self.kernel}: {words}"]
        lines += [str(finding) for finding in self.findings]
        lines += [f"  {name.replace('_', ' ')}: {value:,}" for name, value in self.counters.items() if value]
        if self.predicted_us is not None:
            lines.append(f"  predicted time: {self.predicted_us:.2f} µs")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return self.html


def run(
    source: str,
    kernel: str | None = None,
    *,
    grid: int | Sequence[int],
    block: int | Sequence[int],
    args: Sequence[Any] = (),
    gpu: str = "h200",
    shared: int = 0,
    predict: bool = False,
    in_place: bool = False,
    cooperative: bool = False,
    cluster: int | Sequence[int] | None = None,
    options: Sequence[str] = (),
    seed: int = 0,
    budget: int | None = None,
) -> Launch:
    """Run a kernel on the emulator.

    source: CUDA C++, which may be a whole program: host code is left out. kernel: its name, such as
    "saxpy" or "scale<16>"; None if there is one only. grid, block, cluster: a number, or up to three.
    args: an argument for each parameter: NumPy arrays for pointers, numbers, tuples for vectors and
    structs, None for a null pointer, uninitialised(…) for an output. shared: bytes of dynamic shared
    memory. options: for the compiler, such as "-DTILE=16"; headers are also found in the current
    folder. seed: shuffles the order of blocks and warps. budget: thread instructions after which the
    kernel is ended.

    The arrays that are passed stay as they are; the result has those that the kernel left. With
    in_place=True they are also copied back into the arrays that were passed for pointers to non-const.

    Findings, such as races and accesses out of bounds, are part of the result. Error: TypeError or
    ValueError for an argument that does not fit its parameter; CompileError with every message and
    its place; WarpshopError for anything else that the program refuses.
    """
    if not isinstance(source, str):
        raise TypeError(f"source: expected the kernel's text, got {type(source).__name__}")
    size = sum(value.nbytes for value in args if isinstance(value, np.ndarray))
    with _temporary_folder(3 * size) as folder:
        (folder / _FILE).write_text(source, encoding="utf-8")
        options = [*options, f"-I{os.getcwd()}"]
        kernel, parameters = _signature(folder, kernel)
        writer = ArgumentWriter(folder, parameters)
        words = ["run", _FILE, "--kernel", kernel, "--grid", _dim(grid, "grid"), "--block", _dim(block, "block")]
        words += ["--device", "emulator", "--gpu", gpu_name(gpu), "--shared", str(shared), "--seed", str(seed)]
        words += ["--dump", "out", "--html", "result.html"]
        words += ["--cluster", _dim(cluster, "cluster")] if cluster is not None else []
        words += ["--cooperative"] if cooperative else []
        words += ["--predict"] if predict else []
        words += ["--budget", str(budget)] if budget is not None else []
        words += [f"--option={option}" for option in options]
        words += [f"--arg={word}" for word in writer.words(list(args))]
        for buffer in writer.buffers:
            if in_place and buffer.written and buffer.source is not None and not buffer.source.flags.writeable:
                raise ValueError(f"{buffer.name}: the array is read-only, so in_place=True cannot copy into it")
        result = call_json(*words, folder=str(folder))
        if not result["ran"]:
            messages = diagnostics_of(result["errors"], source, _FILE)
            raise CompileError("\n".join(map(str, messages)), messages)
        dumped = [folder / "out" / f"{Path(_FILE).stem}.{n}.bin" for n in range(len(writer.buffers))]
        arrays = [buffer.read(file) for buffer, file in zip(writer.buffers, dumped)]
        html = (folder / "result.html").read_text(encoding="utf-8")
    if in_place:
        for buffer, array in zip(writer.buffers, arrays):
            if buffer.written and buffer.source is not None:
                np.copyto(buffer.source, array)
    return _launch_of(result, kernel, gpu, source, {b.name: array for b, array in zip(writer.buffers, arrays)}, html)


def _launch_of(
    result: dict[str, Any], kernel: str, gpu: str, source: str, outputs: dict[str, np.ndarray[Any, Any]], html: str
) -> Launch:
    did = result["run"]
    return Launch(
        kernel=kernel,
        gpu=gpu,
        completed=did["completed"],
        outputs=outputs,
        findings=diagnostics_of(result["errors"] + did["findings"], source, _FILE),
        counters=did["counters"],
        registers=did["registers"],
        occupancy_pct=did["occupancy"]["percent"],
        printed=did["printed"],
        predicted_us=did.get("prediction", {}).get("time_us"),
        json=result,
        html=html,
    )


def _signature(folder: Path, kernel: str | None) -> tuple[str, list[Parameter] | None]:
    """Return the kernel's name and its parameters; None for those that the source does not show plainly."""
    words = ["run", _FILE, "--list", *(["--kernel", kernel] if kernel else [])]
    kernels = call_json(*words, folder=str(folder))["kernels"]
    names = [entry["name"] for entry in kernels]
    if kernel is None:
        if len(kernels) != 1:
            raise ValueError(f"kernel: which one? The source has {', '.join(names) or 'no __global__ function'}")
        if kernels[0]["template_parameters"]:
            raise ValueError(f"kernel: {names[0]} is a template; name it with its arguments, such as '{names[0]}<16>'")
        kernel = str(names[0])
    plain = re.split(r"[<(]", kernel)[0].strip()
    matching = [entry for entry in kernels if entry["name"] == plain or entry["name"].rpartition("::")[2] == plain]
    if len(matching) != 1:
        return kernel, None  # overloads; or unknown, which the program explains
    return kernel, [Parameter(entry["type"], entry["name"]) for entry in matching[0]["parameters"]]


def _dim(value: int | Sequence[int], name: str) -> str:
    parts = list(value) if isinstance(value, (tuple, list)) else [value]
    if not 1 <= len(parts) <= 3 or not all(isinstance(part, (int, np.integer)) for part in parts):
        raise TypeError(f"{name}: expected one to three whole numbers, got {value!r}")
    return ",".join(str(part) for part in parts)


@contextmanager
def _temporary_folder(size: int) -> Iterator[Path]:
    """Yield a folder for arrays: in memory if they fit there well, since large ones pass through it twice."""
    memory = "/dev/shm"
    fits = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 2 * size
    with tempfile.TemporaryDirectory(prefix="warpshop-", dir=memory if fits else None) as folder:
        yield Path(folder)
