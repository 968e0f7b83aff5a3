"""No line in app/ matches a regular expression.

usage: no_match.py APP REGEX"""
import pathlib
import re
import sys

forbidden = re.compile(sys.argv[2])
files = [f for f in sorted(pathlib.Path(sys.argv[1]).rglob("*")) if f.suffix in (".cc", ".h", ".def")]
found = [f"{f}:{n}: {line.strip()}" for f in files for n, line in enumerate(f.read_text().splitlines(), 1)
         if forbidden.search(line)]
assert len(files) > 500
sys.exit("\n".join(found) or 0)
