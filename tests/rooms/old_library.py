"""Nothing in app/ uses a part of the standard library that the browser edition's lacks: libc++ 14, of
Debian 12's Emscripten. The browser edition is not built with each change.

usage: old_library.py APP"""
import pathlib
import re
import sys

LACKS = re.compile(r"std::(ranges|views|format|jthread|stop_token|source_location)\b")

files = [f for f in sorted(pathlib.Path(sys.argv[1]).rglob("*")) if f.suffix in (".cc", ".h")]
found = [f"{f}:{n}: {line.strip()}" for f in files for n, line in enumerate(f.read_text().splitlines(), 1)
         if LACKS.search(line)]
assert len(files) > 500
sys.exit("\n".join(found) or 0)
