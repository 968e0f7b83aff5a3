"""No `#include "../…"` in app/: it would reach past what a room or a layer sees.

usage: no_climbing.py APP"""
import pathlib
import re
import sys

files = [f for f in sorted(pathlib.Path(sys.argv[1]).rglob("*")) if f.suffix in (".cc", ".h", ".def")]
climbing = [f"{f}:{n}: {line}" for f in files for n, line in enumerate(f.read_text().splitlines(), 1)
            if re.match(r'\s*#\s*include\s+["<][^">]*\.\./', line)]
assert len(files) > 500
sys.exit("\n".join(climbing) or 0)
