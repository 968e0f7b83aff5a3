"""What the wheel holds beside the Python files: the program, its data, and what it depends on.

The program is the target warpshop_portable of the build in build/, or in the folder that
WARPSHOP_BUILD names.
"""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

REPOSITORY = Path(__file__).resolve().parent.parent
DATA = ("assets", "kernels", "labs", "solutions")
SYSTEM_LIBRARIES = re.compile(r"lib(c|m|dl|rt|pthread)\.so\.\d+|ld-linux-.*\.so\.\d+")
MACHINES = {"Advanced Micro Devices X86-64": "x86_64", "AArch64": "aarch64"}


class MetadataHook(MetadataHookInterface):
    """The dependencies: NVIDIA's wheels, in the versions that ./start fetches."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the dependencies."""
        pins = runpy.run_path(str(REPOSITORY / "cmake" / "fetch.py"))["PINS"]

        def pinned(*folders: str) -> list[str]:
            return [archive["requirement"] for folder in folders for archive in pins[folder]["archives"]]

        metadata["dependencies"] = ["numpy>=1.22", *pinned("cuda-13.0", "nvdisasm-13.2")]
        metadata["optional-dependencies"] = {
            "notebook": ["jupyterlab>=4"],
            "hub": ["jupyter-server-proxy>=4.1"],
            "curand": pinned("curand-10.4"),
        }


class BuildHook(BuildHookInterface):
    """Packs the program, and tags the wheel with what the program needs of a machine."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the program with its data, and the tag."""
        if version == "editable":
            return  # WARPSHOP_PROGRAM names the program then
        build = built()
        program = build / "portable" / "warpshop"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform_of(program)}"
        packed = {
            program: "bin/warpshop",
            build / "share" / "warpshop" / "NOTICES.txt": "share/warpshop/NOTICES.txt",
            REPOSITORY / "docs" / "GLOSSARY.md": "share/warpshop/docs/GLOSSARY.md",
            REPOSITORY / "LICENSE": "LICENSE",
            REPOSITORY / "assets" / "web" / "warpshop.svg": "warpshop.svg",
        }
        packed.update({REPOSITORY / folder: f"share/warpshop/{folder}" for folder in DATA})
        build_data["force_include"].update({str(file): f"warpshop/program/{place}" for file, place in packed.items()})


def built() -> Path:
    """Return the folder of the build, with the program in it."""
    folder = Path(os.environ.get("WARPSHOP_BUILD") or REPOSITORY / "build").resolve()
    if not (folder / "CMakeCache.txt").is_file():
        sys.exit(f"there is no build in {folder}: run ./start --no-open first, or set WARPSHOP_BUILD to its folder")
    run("cmake", "--build", str(folder), "--parallel", str(os.cpu_count() or 1), "--target", "warpshop_portable")
    return folder


def run(*command: str) -> str:
    """Return the program's output. Error: ends the build with the program's messages."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=REPOSITORY)
    if done.returncode != 0:
        sys.exit(f"{done.stdout[-4000:]}\n{' '.join(command)}: status {done.returncode}")
    return done.stdout


def platform_of(program: Path) -> str:
    """Return PEP 600's tag, such as manylinux_2_36_x86_64: the newest symbol of the C library decides."""
    facts = run("readelf", "--wide", "--file-header", "--dynamic", "--version-info", str(program))
    machine = MACHINES.get(re.search(r"Machine:\s+(.*)", facts)[1].strip())
    if machine is None:
        sys.exit(f"{program} is for neither x86-64 nor arm64")
    foreign = [name for name in re.findall(r"\(NEEDED\).*\[(.*)\]", facts) if not SYSTEM_LIBRARIES.fullmatch(name)]
    if foreign:
        sys.exit(f"{program} needs {', '.join(foreign)}, which other machines may lack")
    newest = max(tuple(map(int, version)) for version in re.findall(r"GLIBC_(\d+)\.(\d+)", facts))
    return f"manylinux_{newest[0]}_{newest[1]}_{machine}"
