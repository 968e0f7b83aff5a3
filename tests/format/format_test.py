"""Every source of ours in app/ and tests/ is as clang-format writes it with .clang-format.

usage: format_test.py CLANG_FORMAT SOURCE_ROOT      exit status 77: no clang-format (./test fetches it)

`clang-format -i FILE` mends a file; version 14.0.6 decides, which is Debian 12's."""
import pathlib
import subprocess
import sys

clang_format, root = sys.argv[1], pathlib.Path(sys.argv[2])
if not pathlib.Path(clang_format).is_file():
    print("skipped: no clang-format in the cache; ./test fetches it")
    sys.exit(77)
# Kernels with mistakes, named by their lines; the labs of tests; texts that are none of a programmer's.
KEPT = ("tests/cli/planted", "tests/fuzz/corpus", "tests/hardware/bugs", "tests/hostile", "tests/lab/data", "tests/ptx/data",
        "tests/window/data")
files = sorted(f for folder in ("app", "tests") for f in (root / folder).rglob("*") if f.suffix in (".cc", ".h", ".cu")
               and not (f.suffix == ".cu" and str(f.relative_to(root)).startswith(KEPT)))
assert len(files) > 1000, "the sources are elsewhere"


def differing(paths):
    """The output of a check; empty if all are as they should be."""
    command = [clang_format, "--dry-run", "-Werror", "--ferror-limit=3", "--style=file", *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True).stderr


# The check finds something where there is something to find.
planted = subprocess.run([clang_format, "--dry-run", "-Werror", "--style=file", f"--assume-filename={root}/app/planted.cc"],
                         input="int  twice(int a){return 2*a;}\n", capture_output=True, text=True)
assert planted.returncode != 0, "a badly formatted line passes"

found = differing(files)
print(found, end="")
sys.exit(bool(found))
