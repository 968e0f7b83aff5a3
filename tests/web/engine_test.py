#!/usr/bin/env python3
"""The engine in WebAssembly says what it says here, bit for bit.

    engine_test.py SOURCE BUILD ENGINE_CHECK ANSWER_REQUEST [SET]...

Builds engine_check with Emscripten in BUILD/web and runs it in Node.js. A SET is a folder of tests/hardware with
cases.json, `timing` and `unseen` for predicted times, or labs[:LAB] for every exercise. Without one: those of SETS.
Exit status 1 where results differ.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

TOOLCHAIN = "/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake"
PREDICTED = ("timing",)
SETS = ["cases", "instructions", "bugs", "atomics", "labs:coalescing"]
CLOCKS = {"seconds", "compile_seconds", "sass_seconds"}  # keys that say how long something took
SHOWN = 10


def build(source, folder):
    toolchain = os.environ.get("EMSCRIPTEN_TOOLCHAIN", TOOLCHAIN)
    subprocess.run(["cmake", "-S", source, "-B", folder, "-G", "Ninja", f"-DCMAKE_TOOLCHAIN_FILE={toolchain}",
                    "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "--target", "engine_check"], check=True)
    return folder / "tests" / "web" / "engine_check.js"


def without_clocks(value):
    if isinstance(value, dict):
        out = {key: without_clocks(inner) for key, inner in value.items() if key not in CLOCKS}
        if "stages" in out:
            for stage in out["stages"].values():
                if re.fullmatch(r"[0-9.]+ m?s", stage.get("summary") or ""):
                    del stage["summary"]  # how long it took
        return out
    if isinstance(value, list):
        return [without_clocks(inner) for inner in value]
    return value


def first_difference(here, there, path=""):
    """The path of the first value that differs, and both values."""
    if type(here) is not type(there):
        return path, here, there
    if isinstance(here, dict):
        for key in {**here, **there}:
            if key not in here or key not in there:
                return f"{path}.{key}", here.get(key), there.get(key)
            found = first_difference(here[key], there[key], f"{path}.{key}")
            if found:
                return found
        return None
    if isinstance(here, list):
        if len(here) != len(there):
            return f"{path} (length)", len(here), len(there)
        for n, pair in enumerate(zip(here, there)):
            found = first_difference(*pair, f"{path}[{n}]")
            if found:
                return found
        return None
    return None if here == there else (path, here, there)


def name_of(result):
    return result.get("name") or f"{result['lab']}/{result['step']} {'solved' if result['solved'] else 'start'}"


def words_of(one, source, out):
    if one.split(":")[0] == "labs":
        return ["labs", out, *one.split(":")[1:]]
    cases = source / "tests" / "hardware" / one / "cases.json"
    return ["spec", cases, out, *(["--predict"] if one in PREDICTED else [])]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for word in ("source", "build", "engine_check", "answer_request"):
        options.add_argument(word, type=pathlib.Path)
    options.add_argument("sets", nargs="*")
    given = options.parse_args()
    folder = given.build.resolve() / "web"
    page = build(given.source.resolve(), folder)
    answers = folder / "answers"
    answers.mkdir(exist_ok=True)
    surroundings = {**os.environ, "WEB_ANSWERS": str(answers), "WEB_ANSWER_PROGRAM": str(given.answer_request.resolve()),
                    "WARPSHOP_DATA": str(given.build.resolve() / "share" / "warpshop")}
    good = True
    for one in given.sets or SETS:
        results, seconds = [], []
        for where, command in (("here", [given.engine_check.resolve()]), ("there", ["node", page])):
            out = folder / f"{one.replace(':', '-')}-{where}.json"
            start = time.monotonic()
            subprocess.run([*command, *words_of(one, given.source.resolve(), out)], check=True, env=surroundings)
            seconds.append(time.monotonic() - start)
            results.append([without_clocks(result) for result in json.loads(out.read_text(encoding="utf-8"))])
        here, there = results
        differing = [(name_of(a), first_difference(a, b)) for a, b in zip(here, there) if a != b]
        equal = bool(here) and len(here) == len(there) and not differing
        print(f"{one}: {len(here) - len(differing)} of {len(here)} equal; {seconds[0]:.1f} s here, {seconds[1]:.1f} s in "
              "Node.js")
        for name, (path, a, b) in differing[:SHOWN]:
            print(f"    {name}{path}: {str(a)[:200]} here, {str(b)[:200]} in WebAssembly")
        if len(differing) > SHOWN:
            print(f"    … and {len(differing) - SHOWN} more")
        good = good and equal
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
