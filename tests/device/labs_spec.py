#!/usr/bin/env python3
"""Turns every exercise's solution, at every size, into a spec for `warpshop run --spec`, to compare the
emulator's buffers with a GPU's bit for bit.

    labs_spec.py PROGRAM DATA OUT       writes OUT/cases.json, with sources and fills beside it
    labs_spec.py compare A.json B.json  names the cases whose buffers differ, and counts the others

Grids and blocks come from `PROGRAM check LAB --solution --json`. Needs Python 3.11 and numpy.
"""
import json
import pathlib
import subprocess
import sys
import tomllib

TYPES = {"u8": 1, "u16": 2, "i32": 4, "u32": 4, "i64": 8, "f32": 4, "f64": 8}


def evaluate(expression, variables):
    """An expression of a lab file: + - * / %, ceil_div, min, max, floor, ceil, abs over integers."""
    import math

    names = dict(variables)
    names.update(ceil_div=lambda a, b: -(-a // b), min=min, max=max, floor=math.floor,
                 ceil=math.ceil, abs=abs)
    value = eval(expression, {"__builtins__": {}}, names)  # the lab's own file
    return value


def words(count, start):
    """mix() of docs/writing-a-lab.md for the words start, start + 1, …"""
    import numpy as np

    x = (np.arange(count, dtype=np.uint64) + start).astype(np.uint32)
    x ^= x >> np.uint32(16)
    x *= np.uint32(0x7FEB352D)
    x ^= x >> np.uint32(15)
    x *= np.uint32(0x846CA68B)
    x ^= x >> np.uint32(16)
    return x


def random_fill(kind, count, seed):
    import numpy as np

    bits = words(count, seed * 0x9E3779B9 & 0xFFFFFFFF)
    if kind == "f32":
        return ((bits & 0xFFFF).astype(np.float32) / np.float32(65536) - np.float32(0.25)).tobytes()
    if kind == "f64":
        return ((bits & 0xFFFFFF).astype(np.float64) / 16777216 - 0.25).tobytes()
    types = {"u8": np.uint8, "u16": np.uint16, "i32": np.uint32, "u32": np.uint32, "i64": np.uint64}
    return bits.astype(types[kind]).tobytes()


def unmarked(text):
    """The solution without its marks: text after //! belongs to the skeleton."""
    return "".join(line for line in text.splitlines(True) if not line.lstrip().startswith("//!"))


def spec_argument(arg, position, buffers_before, size, name, out):
    if "scalar" in arg:
        value = evaluate(arg["value"], size)
        return {"i64" if arg["scalar"] == "i64" else "f32" if arg["scalar"] == "f32" else "i32":
                value if arg["scalar"] == "f32" else int(value)}
    out_arg = {}
    if "buffer" in arg:
        kind = arg["buffer"]
        count = int(evaluate(arg["count"], size))
    else:  # an object: extents are numbers, all else is said as in the lab
        kind = arg.get("texture") or arg["surface"]
        count = arg.get("channels", 1)
        for key in ("count", "width", "height"):
            if key in arg:
                out_arg[key] = int(evaluate(arg[key], size))
                count *= out_arg[key]
        out_arg |= {key: arg[key] for key in ("texture", "surface", "channels", "address", "filter",
                                              "read", "normalized") if key in arg}
    fill = arg.get("fill", "none")
    if fill.startswith("chase="):
        fill = f"chase={int(evaluate(fill[6:], size))}"
    if fill == "random":
        file = out / f"{name}-{position}.bin"
        file.write_bytes(random_fill(kind, count, arg.get("seed", buffers_before)))
        fill = "file=" + file.name
    if "buffer" in arg:
        out_arg["buffer"] = count * TYPES[kind]
    return out_arg | {"fill": fill}


def write_spec(program, data, out):
    out.mkdir(parents=True, exist_ok=True)
    cases = []
    for lab_file in sorted(data.glob("labs/*/lab.toml")):
        lab = tomllib.loads(lab_file.read_text())
        checked = subprocess.run([program, "check", lab["id"], "--solution", "--json", "--device",
                                  "emulator"], capture_output=True, text=True)
        runs = {run["step"]: run for run in json.loads(checked.stdout)["runs"]}
        for step in lab["step"]:
            exercise = step.get("exercise")
            if exercise is None:
                continue
            source = out / f"{lab['id']}-{step['id']}.cu"
            source.write_text(unmarked((data / "solutions" / lab["id"] / exercise["solution"]).read_text()))
            for number, (size, run) in enumerate(zip(exercise["sizes"], runs[step["id"]]["sizes"])):
                name = f"{lab['id']}-{step['id']}-{number}"
                args, buffers = [], 0
                for position, arg in enumerate(exercise["args"]):
                    args.append(spec_argument(arg, position, buffers, size, name, out))
                    buffers += "scalar" not in arg
                student = run["student"]
                cases.append({
                    "name": name, "source": source.name, "kernel": exercise["kernel"],
                    "options": [f"--pre-include={data}/assets/prelude/warpshop.h"],
                    "grid": student["grid"], "block": student["block"],
                    "dynamic_shared": student["dynamic_shared"], "args": args})
    (out / "cases.json").write_text(json.dumps(cases))
    print(f"{len(cases)} cases")


def compare(ours, theirs):
    a = {case["name"]: case for case in json.loads(pathlib.Path(ours).read_text())}
    b = {case["name"]: case for case in json.loads(pathlib.Path(theirs).read_text())}
    failed = [name for name in a if a[name]["error"] or b[name]["error"]]
    different = [name for name in a if name not in failed and a[name]["buffers"] != b[name]["buffers"]]
    print(f"{len(a)} cases: {len(a) - len(failed) - len(different)} equal bit for bit, "
          f"{len(different)} different, {len(failed)} not run")
    for name in different:
        print("different:", name)
    for name in failed:
        print("not run:", name, a[name]["error"], b[name]["error"])


if __name__ == "__main__":
    if sys.argv[1] == "compare":
        compare(sys.argv[2], sys.argv[3])
    else:
        write_spec(sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve())
