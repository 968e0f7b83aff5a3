"""clang-tidy has nothing to say of our sources, by the checks of .clang-tidy.

usage: WARPSHOP_TIDY=part|all tidy_test.py SOURCE_ROOT BUILD_DIR      exit status 77: not asked for, or no clang-tidy 14

All of it takes ten minutes of a processor, so it runs where WARPSHOP_TIDY asks for it: `all`, or `part`, one part in
sixteen, chosen by the time of the last commit. Files that the build compiles together are checked together."""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

PARTS = 16
root, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
asked = os.environ.get("WARPSHOP_TIDY")
everything = asked == "all"
if asked not in ("part", "all"):
    print("skipped: WARPSHOP_TIDY=part or all runs it")
    sys.exit(77)

tidy = shutil.which("clang-tidy-14")
headers = pathlib.Path("/usr/lib/llvm-14/lib/clang")  # the compiler's own: <stddef.h>, <immintrin.h>
if not tidy or not headers.is_dir():
    print("skipped: no clang-tidy-14 (the Debian package of that name)")
    sys.exit(77)


def clang_arguments(command):
    """GCC's command line as Clang takes it: without ccache and without headers that GCC has compiled."""
    words = shlex.split(command)
    while "ccache" in words[0]:
        words = words[1:]
    kept, skip = ["clang++"], False
    for word, following in zip(words[1:], words[2:] + [""]):
        if skip:
            skip = False
        elif word == "-include" and "cmake_pch" in following:
            skip = True
        elif word not in ("-Winvalid-pch", "-Wno-subobject-linkage"):
            kept.append(word)
    return kept + ["-Wno-unknown-warning-option"]


def is_ours(path):
    """Compiled from app/ or tests/, alone or with others in a file of the build's."""
    inside = path.is_relative_to(root / "app") or path.is_relative_to(root / "tests")
    unity = path.parent.name == "Unity" and (path.is_relative_to(build / "app") or path.is_relative_to(build / "tests"))
    return inside or unity


commands = {}
for entry in json.loads((build / "compile_commands.json").read_text()):
    path = pathlib.Path(entry["file"])
    if is_ours(path):
        commands.setdefault(path, {"directory": entry["directory"], "file": str(path),
                                   "arguments": clang_arguments(entry["command"])})
files = sorted(commands)
assert len(files) > 60, "the sources are elsewhere"

committed = subprocess.run(["git", "-C", root, "log", "-1", "--format=%ct"], capture_output=True, text=True).stdout
part = int(committed or 0) % PARTS
chosen = files if everything else files[part::PARTS]
print(f"{len(chosen)} of {len(files)} files of the build" + ("" if everything else f": part {part + 1} of {PARTS}"))

with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    # The check finds something where there is something to find.
    planted = folder / "planted.cc"
    planted.write_text("int Twice(int a) { return 2 * a; }\n")
    commands[planted] = {"directory": str(folder), "file": str(planted), "arguments": ["clang++", str(planted)]}
    (folder / "compile_commands.json").write_text(json.dumps(list(commands.values())))

    def findings(path):
        """What clang-tidy says of a file, each line once; empty if nothing."""
        command = [tidy, "-p", folder, "--quiet", f"--config-file={root / '.clang-tidy'}", path]
        said = subprocess.run(command, capture_output=True, text=True)
        return said.stdout if said.returncode else ""

    assert "identifier-naming" in findings(planted), "a misnamed function passes"

    found = {}
    for path in chosen:
        said = findings(path)
        for line in said.splitlines():
            if re.match(r"/.*:\d+:\d+: (error|warning): ", line):
                found.setdefault(line.replace(f"{root}/", ""), path)
        if said and not found:
            found[said[-2000:]] = path
for line in found:
    print(line)
sys.exit(bool(found))
