#!/usr/bin/env python3
"""The Debian package.

    package_test.py make BUILD      makes it, and everybody can read what it installs
    package_test.py older BUILD     it needs nothing that Ubuntu 22.04 lacks
    package_test.py lintian BUILD   Debian's checker of packages finds no error
Status 77: this machine cannot tell, and why.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# What Ubuntu 22.04 has. A program needs versions of symbols; they come with these versions of the packages.
NEWEST_SYMBOLS = {"GLIBC": (2, 35), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "GCC": (12, 0, 0)}
PACKAGES = {
    "libc6": "2.35-0ubuntu3",
    "libgcc-s1": "12-20220319-1ubuntu1",
    "libgl1": "1.4.0-1",
    "libopengl0": "1.4.0-1",
    "libstdc++6": "12-20220319-1ubuntu1",
    "libx11-6": "2:1.7.5-1",
    "libxcursor1": "1:1.2.0-2build4",
    "libxi6": "2:1.8-1build1",
    "libxinerama1": "2:1.1.4-3",
    "libxrandr2": "2:1.5.2-1build1",
}
SYSTEM_GLIBC = (2, 36)  # Debian 12's: packages made on newer systems are for these


def main():
    what, build = sys.argv[1], Path(sys.argv[2])
    if what == "make":
        return make(build)
    package = made(build)
    if not package:
        return skip("no package was made")
    return {"older": older, "lintian": lintian}[what](package)


def made(build):
    return next(build.glob("warpshop_*.deb"), None)


def skip(why):
    print(f"skipped: {why}")
    return 77


def make(build):
    if not shutil.which("dpkg-shlibdeps"):
        return skip("there is no dpkg-shlibdeps: apt-get install dpkg-dev")
    for former in build.glob("warpshop_*.deb"):
        former.unlink()
    # By somebody who keeps new files to themselves.
    subprocess.run(["cmake", "--build", build, "--target", "package"], check=True, umask=0o077)
    package = made(build)
    print(f"{package.name}: {package.stat().st_size / 1e6:.1f} MB")
    listed = subprocess.run(["dpkg-deb", "--contents", package], check=True, capture_output=True, text=True).stdout
    wrong = [line for line in listed.splitlines()
             if not re.match(r"(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x) root/root ", line)]
    print("\n".join(wrong))
    return 1 if wrong or not listed else 0


def older(package):
    glibc = tuple(map(int, os.confstr("CS_GNU_LIBC_VERSION").split()[1].split(".")))
    if glibc > SYSTEM_GLIBC:
        return skip(f"made with glibc {glibc[0]}.{glibc[1]}: for this system and newer ones")
    wrong = []
    with tempfile.TemporaryDirectory() as unpacked:
        subprocess.run(["dpkg-deb", "--extract", package, unpacked], check=True)
        files = [path for path in Path(unpacked).rglob("*") if path.is_file() and is_program(path)]
        for path in files:
            wrong += [f"{path.relative_to(unpacked)} needs {need}" for need in too_new(path)]
    if not any(path.name == "warpshop" for path in files):
        wrong.append("there is no program in the package")
    depends = field(package, "Depends")
    for entry in depends.split(", "):
        name, version = re.fullmatch(r"(\S+)(?: \(>= (\S+)\))?", entry).groups()
        if name not in PACKAGES:
            wrong.append(f"{name} is not among Ubuntu 22.04's packages that this test knows")
        elif version and subprocess.run(["dpkg", "--compare-versions", PACKAGES[name], "ge", version]).returncode:
            wrong.append(f"{name} {version} is newer than Ubuntu 22.04's {PACKAGES[name]}")
    print(f"{len(files)} programs and libraries; depends on {depends}")
    print("\n".join(wrong))
    return 1 if wrong else 0


def is_program(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def too_new(path):
    listed = subprocess.run(["objdump", "-p", path], check=True, capture_output=True, text=True).stdout
    references = listed.partition("Version References:")[2]
    for family, version in re.findall(r"\b([A-Z]+)_([0-9][0-9.]*)\s*$", references, re.MULTILINE):
        newest = NEWEST_SYMBOLS.get(family)
        if newest and tuple(map(int, version.split("."))) > newest:
            yield f"{family}_{version}"


def field(package, name):
    return subprocess.run(["dpkg-deb", "--field", package, name], check=True, capture_output=True, text=True).stdout.strip()


def lintian(package):
    if not shutil.which("lintian"):
        return skip("there is no lintian: apt-get install lintian")
    return subprocess.run(["lintian", "--allow-root", "--fail-on", "error", "--tag-display-limit", "0", package]).returncode


if __name__ == "__main__":
    sys.exit(main())
