#!/usr/bin/env python3
"""Brings the pinned things that no Debian package has into the cache, through pip.

    python3 cmake/fetch.py CACHE NAME...           each NAME is a folder of PINS below
    python3 cmake/fetch.py --check CACHE NAME...   status 0: all of them are there

pip is used as configured on this machine (index, proxy, certificates), so that a mirror or an
offline folder of archives works as well. Every archive is checked against its SHA-256. A folder
appears whole or not at all; its file `complete` holds the pins it was made from.
"""

import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

# From Dear ImGui Bundle: only the libraries that cmake/window_libraries.cmake compiles, and fonts.
BUNDLE_PARTS = [
    "LICENSE",
    "bindings/imgui_bundle/assets/fonts/Font_Awesome_6_Free-Solid-900.otf",
    "bindings/imgui_bundle/assets/fonts/Inconsolata-Medium.ttf",
    "bindings/imgui_bundle/assets/fonts/Roboto/",
    "external/ImGuiColorTextEdit/ImGuiColorTextEdit/",
    "external/glfw/glfw/",
    "external/imgui/imgui/",
    "external/imgui_md/md4c/",
    "external/imgui_test_engine/imgui_test_engine/imgui_test_engine/",
    "external/portable_file_dialogs/portable_file_dialogs/",
]


def wheel(requirement, **sha256_by_machine):
    return {"requirement": requirement, "sha256": sha256_by_machine, "backend": None}


def sources(requirement, sha256, backend):
    return {"requirement": requirement, "sha256": {"any": sha256}, "backend": backend}


# Folder in the cache: what fills it.
PINS = {
    "imgui-bundle-1.92.801": {
        "what": "Dear ImGui, GLFW, text editor, md4c and fonts (48 MB)",
        "archives": [
            sources(
                "imgui-bundle==1.92.801",
                "7d790708affe7476969d397784b40eb91760a201ce752131e5bedf4d514e3a45",
                backend="scikit_build_core.build",
            )
        ],
        # inside the archive, below its top folder: where it goes
        "parts": {part: part for part in BUNDLE_PARTS},
    },
    # The compiler decides register counts, so its version is part of the lab.
    "cuda-13.0": {
        "what": "NVRTC 13.0 and the CUDA headers (95 MB)",
        "archives": [
            wheel(
                "nvidia-cuda-nvrtc==13.0.88",
                x86_64="ad9b6d2ead2435f11cbb6868809d2adeeee302e9bb94bcf0539c7a40d80e8575",
                aarch64="d27f20a0ca67a4bb34268a5e951033496c5b74870b868bacd046b1b8e0c3267b",
            ),
            wheel(
                "nvidia-cuda-runtime==13.0.96",
                x86_64="7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548",
                aarch64="ef9bcbe90493a2b9d810e43d249adb3d02e98dd30200d86607d8d02687c43f55",
            ),
            # crt/ and nv/target, cuda/std/: included by mma.h and cooperative_groups.h
            wheel(
                "nvidia-cuda-crt==13.0.88",
                x86_64="2c8043c7c9e02492716426e9919fc78d2c5b3b2a7a768a88e952676b08aa55a4",
                aarch64="ee2ea2a97073e02ee62bb27841f437332be2c248e3eac013df07997ada39c003",
            ),
            wheel(
                "nvidia-cuda-cccl==13.0.85",
                x86_64="e0da7ad981f3a8aff08241b5bfc1af868742a63e2762f53a5171c492ef242649",
                aarch64="6f0203e29fed809ee2b7fe9b1344df66ecab990c37d6a2e0e189b26d6c97ed7c",
            ),
        ],
        "parts": {"nvidia/cu13/include/": "include/", "nvidia/cu13/lib/libnvrtc": "lib/libnvrtc"},
    },
    # Random numbers in kernels: curand_kernel.h and what it includes. The wheel's library is for hosts, and is left out.
    "curand-10.4": {
        "what": "cuRAND's headers for kernels (60 MB, of which 2 MB are kept)",
        "archives": [
            wheel(
                "nvidia-curand==10.4.0.35",
                x86_64="1aee33a5da6e1db083fe2b90082def8915f30f3248d5896bcec36a579d941bfc",
                aarch64="133df5a7509c3e292aaa2b477afd0194f06ce4ea24d714d616ff36439cee349a",
            )
        ],
        "parts": {"nvidia/cu13/include/": "include/"},
    },
    # The machine code as text, beside the PTX: a program that the lab starts, and can do without. There is no wheel of it
    # for 13.0; 13.2 is the oldest, and reads what 13.0 writes.
    "nvdisasm-13.2": {
        "what": "nvdisasm 13.2 (4 MB)",
        "archives": [
            wheel(
                "nvidia-cuda-nvdisasm==13.2.51",
                x86_64="5a7acf77c55d6d2911ed6155d4d5bc156ffadf9df7a68a89b0c1155f4b13688c",
                aarch64="483c8f652c1ca006135584b4faf7ea1d2bafe4c40ec1c9ef57a04c6acfbdd57f",
            )
        ],
        "parts": {"nvidia/cu13/bin/nvdisasm": "bin/nvdisasm"},
    },
    # For ./test alone: other versions format differently. The same version as Debian 12's package.
    "clang-format-14.0.6": {
        "what": "clang-format 14.0.6 (1 MB)",
        "archives": [
            wheel(
                "clang-format==14.0.6",
                x86_64="d7c1c5e404c58e55f0170f01b3c5611dce6c119e62b5d1020347e0ad97d5a047",
                aarch64="dbfd60528eb3bb7d7cfe8576faa70845fbf93601f815ef75163d36606e87f388",
            )
        ],
        "parts": {"clang_format/data/bin/clang-format": "bin/clang-format"},
    },
    # Likewise: other versions have other checks. The oldest that does not check the system's headers as well, which
    # took most of the time.
    "clang-tidy-22.1.8": {
        "what": "clang-tidy 22.1.8 (44 MB)",
        "archives": [
            wheel(
                "clang-tidy==22.1.8",
                x86_64="1a3de07ba82d4403d8b692ae63a5520d4db5c606014c92c24bbcef9259057bf1",
                aarch64="1eaddaa7415e8c5e39aeefbfd15174f1ab2a671c86f7ebb200eb523cf9465559",
            )
        ],
        "parts": {"clang_tidy/data/bin/": "bin/", "clang_tidy/data/lib/": "lib/"},
    },
    # Only where the system has no toml++ 3 (Ubuntu 22.04): its Python wrapper carries the headers.
    "tomlplusplus-3.4.0": {
        "what": "toml++ 3.4 (1 MB)",
        "archives": [
            sources(
                "pytomlpp==1.1.0",
                "61a0f73e7ba2fe8bba4e99ce6d2701491885850b53aad8f3e46d03c4b31e594d",
                backend="setuptools.build_meta",
            )
        ],
        "parts": {
            "third_party/tomlplusplus/LICENSE": "LICENSE",
            "third_party/tomlplusplus/include/": "include/",
        },
    },
}

# pip asks a source distribution's build backend for its metadata before it hands the archive over.
# We want the sources alone; this stand-in answers, where the real backend would have to be fetched
# (unpinned) and started.
STAND_IN = """
import os, sys
__legacy__ = sys.modules[__name__]  # setuptools' name for itself where there is no pyproject.toml
def get_requires_for_build_wheel(config_settings=None): return []
def prepare_metadata_for_build_wheel(directory, config_settings=None):
    folder = {name!r} + "-" + {version!r} + ".dist-info"
    os.mkdir(os.path.join(directory, folder))
    with open(os.path.join(directory, folder, "METADATA"), "w") as file:
        file.write("Metadata-Version: 2.1\\nName: " + {name!r} + "\\nVersion: " + {version!r} + "\\n")
    return folder
"""


def main(arguments):
    check = arguments[:1] == ["--check"]
    arguments = arguments[1:] if check else arguments
    if not arguments or any(name not in PINS for name in arguments[1:]):
        sys.exit(f"usage: fetch.py [--check] CACHE NAME...   with NAME one of: {' '.join(PINS)}")
    cache, names = Path(arguments[0]), arguments[1:]
    if check:
        sys.exit(not all(is_complete(cache, name) for name in names))
    for name in names:
        if not is_complete(cache, name):
            print(f"-- fetching {PINS[name]['what']}", flush=True)
            fill(cache, name)


def is_complete(cache, name):
    marker = cache / name / "complete"
    return marker.is_file() and marker.read_text() == pins_text(name)


def pins_text(name):
    lines = [
        f"{archive['requirement']} sha256:{sha256_here(archive)}\n"
        for archive in PINS[name]["archives"]
    ]
    parts = [f"{source} -> {target}\n" for source, target in PINS[name]["parts"].items()]
    return "".join(lines + parts)


def sha256_here(archive):
    sha256 = archive["sha256"]
    machine = platform.machine()
    if machine not in sha256 and "any" not in sha256:
        sys.exit(f"fetch.py: no {archive['requirement']} is published for {machine}")
    return sha256.get(machine) or sha256["any"]


def fill(cache, name):
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".fetch-", dir=cache) as temporary:
        temporary = Path(temporary)
        folder = temporary / "folder"
        for archive in PINS[name]["archives"]:
            unpack(download(archive, temporary), PINS[name]["parts"], folder)
        (folder / "complete").write_text(pins_text(name))
        shutil.rmtree(cache / name, ignore_errors=True)
        folder.rename(cache / name)


def download(archive, temporary):
    """The path of the archive on this machine."""
    name, version = archive["requirement"].split("==")
    here = temporary / name
    here.mkdir()
    requirements = here / "requirements.txt"
    requirements.write_text(f"{archive['requirement']} --hash=sha256:{sha256_here(archive)}\n")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes",
               "--disable-pip-version-check", "--dest", str(here / "out"), "-r", str(requirements)]
    environment = dict(os.environ)
    if archive["backend"]:
        command += ["--no-binary", ":all:", "--no-build-isolation", "--use-pep517"]
        package, module = archive["backend"].split(".")
        (here / package).mkdir()
        (here / package / "__init__.py").touch()
        (here / package / f"{module}.py").write_text(
            STAND_IN.format(name=name.replace("-", "_"), version=version))
        environment["PYTHONPATH"] = str(here)
    else:
        command += ["--only-binary", ":all:"]
    if subprocess.run(command, env=environment).returncode != 0:
        by_hand = "--no-binary :all:" if archive["backend"] else "--only-binary :all:"
        sys.exit(f"fetch.py: pip could not bring {archive['requirement']}. Try it by hand:\n"
                 f"    {sys.executable} -m pip download --no-deps {by_hand} {archive['requirement']}")
    (path,) = (here / "out").iterdir()
    return path


def unpack(path, parts, folder):
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            for entry in archive.namelist():
                target = target_of(entry, parts)
                if target:
                    write(folder / target, archive.read(entry))
                elif "/licenses/" in entry:
                    write(folder / "licenses" / f"{path.name.split('-')[0]}.txt",
                          archive.read(entry))
        return
    with tarfile.open(path) as archive:
        for entry in archive:
            target = target_of(entry.name.partition("/")[2], parts)
            if entry.isfile() and target:
                write(folder / target, archive.extractfile(entry).read())


def target_of(entry, parts):
    """Where an archive's entry goes; None for what we do not need."""
    if entry.endswith("/") or ".alt.so" in entry or ".." in entry.split("/"):
        return None
    for source, target in parts.items():
        if entry.startswith(source):
            return target + entry[len(source):]
    return None


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    if path.parent.name == "bin":
        path.chmod(0o755)  # a wheel's entries have no rights to go by


if __name__ == "__main__":
    main(sys.argv[1:])
