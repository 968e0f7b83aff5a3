"""clang-tidy has nothing to say of our sources, by the checks of .clang-tidy.

usage: tidy_test.py CLANG_TIDY SOURCE_ROOT BUILD_DIR K/N      exit status 77: no clang-tidy (./test fetches it)

Part K of N is every Nth file of the build from the Kth on. Files that the build compiles together are checked together."""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

tidy, root, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
part, parts = (int(number) for number in sys.argv[4].split("/"))
if not tidy.is_file():
    print("skipped: no clang-tidy in the cache; ./test fetches it")
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
    if path.is_relative_to(build / "tests/sanitized"):
        return False  # files of the emulator and its tests once more, with other options
    if "warpshop_lanes_avx" in str(path):
        return False  # those of warpshop_lanes_hot once more, likewise
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
chosen = files[part - 1::parts]
print(f"{len(chosen)} of {len(files)} files of the build")

with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    # The check finds something where there is something to find.
    planted = folder / "planted.cc"
    planted.write_text("int Twice(int a) { return 2 * a; }\n")
    commands[planted] = {"directory": str(folder), "file": str(planted), "arguments": ["clang++", str(planted)]}
    (folder / "compile_commands.json").write_text(json.dumps(list(commands.values())))

    def findings(path):
        """What clang-tidy says of a file; empty if nothing."""
        command = [tidy, "-p", folder, "--quiet", f"--config-file={root / '.clang-tidy'}", path]
        said = subprocess.run(command, capture_output=True, text=True)
        return said.stdout + said.stderr if said.returncode else ""

    assert "identifier-naming" in findings(planted), "a misnamed function passes"

    found = {}  # each line once, though several files may include a header
    for path in chosen:
        said = findings(path)
        lines = [line for line in said.splitlines() if re.match(r"/.*:\d+:\d+: (error|warning): ", line)]
        for line in lines or [said[-2000:]] * bool(said):
            found[line.replace(f"{root}/", "")] = path
for line in found:
    print(line)
sys.exit(bool(found))
