"""The rows of labs/*/h200.csv, each with the kernel's text, its launch and its arguments, as far as these
are in the repository: as a spec for `warpshop run --spec`."""
import csv
import json
import math
import os
import pathlib
import re
import struct
import subprocess

import tomllib  # of Python 3.11

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENVIRONMENT = dict(os.environ, WARPSHOP_DATA=str(ROOT))

TYPES = {"u8": 1, "u16": 2, "i32": 4, "u32": 4, "i64": 8, "f32": 4, "f64": 8}
FILLS = {"u8": "u8", "f32": "f32", "f64": "f64"}  # random; all other types: bits
TEXTURE = {"texture", "width", "height", "count", "channels", "address", "filter", "read", "normalized"}
EXTENTS = {"width", "height", "count"}

# Rows that stand for several exercises, or for one under another name.
SHARED = {"memory-only and compute-only": "memory-only"}
# Launches with more blocks than the lab's.
GRIDS = {("dram-bursts", "rows", "134217728-1056-blocks"): 1056,
         ("dram-bursts", "rows", "134217728-4224-blocks"): 4224}


def evaluate(expression, variables):
    """An expression of a lab file: + - * / %, ceil_div, min, max, floor, ceil, abs over integers."""
    names = dict(variables)
    names.update(ceil_div=lambda a, b: -(-a // b), min=min, max=max, floor=math.floor,
                 ceil=math.ceil, abs=abs)
    return eval(str(expression), {"__builtins__": {}}, names)  # the lab's own file


def unmarked(text):
    """The solution without its marks: what stands behind //! is the skeleton's."""
    return "".join(line for line in text.splitlines(True) if not line.lstrip().startswith("//!"))


def variables_of(lab, exercise, size):
    """A row's size as the exercise's variables: "8192x8192", "n=4096 steps=8", "4194304, 64 steps"."""
    names = [name for name in exercise["sizes"][0] if name != "label"]
    if "=" in size:
        return {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", size)}
    numbers = [int(number) for number in re.findall(r"\d+", size)]
    values = dict.fromkeys(names, numbers[0])  # a square, a cube
    if (lab, names) == ("partition-camping", ["n", "rows"]):
        names = ["rows", "n"]  # rows × columns, as a matrix is written
    if "blocks" not in size:
        values.update(zip(names, numbers))
    if "pitch" in values:
        values["pitch"] = -(-numbers[0] // 32) * 32
    if "first" in values:
        values["first"] = 13
    return values


class Labs:
    def __init__(self, program):
        self.program, self.root = program, ROOT
        self.exercises = {}
        for file in sorted(ROOT.glob("labs/*/lab.toml")):
            lab = tomllib.loads(file.read_text(encoding="utf-8"))
            for step in lab["step"]:
                if "exercise" in step:
                    self.exercises[lab["id"], step["id"]] = step["exercise"]

    def source(self, lab, step, kernel):
        """The kernel file that a row names; None: it is only described in docs/sources.md."""
        folder = self.root / "solutions" / lab
        if kernel == "start":
            return subprocess.run([self.program, "labs", "--skeleton", f"{lab}/{step}"], check=True,
                                  env=ENVIRONMENT, capture_output=True, text=True).stdout
        if kernel == "solution":
            return unmarked((folder / self.exercises[lab, step]["solution"]).read_text(encoding="utf-8"))
        if kernel == "reference":
            file = self.root / "kernels" / lab / self.exercises[lab, step]["reference"]
            return file.read_text(encoding="utf-8")
        file = folder / "wrong" / f"{step}-{kernel}.cu"
        return file.read_text(encoding="utf-8") if file.exists() else None

    def rows(self, lab):
        """(step, kernel, size, measured µs) of a lab's h200.csv, in its order."""
        file = self.root / "labs" / lab / "h200.csv"
        if not file.exists():
            return
        with file.open(newline="", encoding="utf-8") as lines:
            for row in csv.DictReader(lines):
                yield row["exercise"], row["kernel"], row["size"], float(row["us"])

    def cases(self, lab, folder, only=None):
        """The spec's cases of a lab's rows, without grid and block; sources go into `folder`."""
        cases = []
        for step, kernel, size, _ in self.rows(lab):
            key = lab, SHARED.get(step, step)
            if key not in self.exercises or (only and key[1] not in only):
                continue
            source = self.source(*key, kernel)
            if source is None:
                continue
            exercise = self.exercises[key]
            name = "-".join([lab, key[1], kernel])
            (folder / f"{name}.cu").write_text(source, encoding="utf-8")
            variables = variables_of(lab, exercise, size)
            cases.append({
                "name": f"{name}-{len(cases)}", "source": f"{name}.cu", "kernel": exercise["kernel"],
                "options": [f"--pre-include={self.root}/assets/prelude/warpshop.h"],
                "row": [step, kernel, size], "variables": variables,
                "launch": exercise.get("launch") or f"launch({', '.join(sorted(variables))})",
                "blocks": GRIDS.get((lab, step, size)),
                "args": [self.argument(lab, arg, variables) for arg in exercise["args"]]})
        return cases

    def argument(self, lab, arg, variables):
        if "scalar" in arg:
            value = evaluate(arg["value"], variables)
            kind = arg["scalar"]
            if kind == "f64":  # a spec has none: its bits
                return {"i64": struct.unpack("<q", struct.pack("<d", value))[0]}
            return {"f32": value} if kind == "f32" else {"i64" if kind == "i64" else "i32": int(value)}
        if "texture" in arg:
            texture = {key: value for key, value in arg.items() if key in TEXTURE}
            for extent in EXTENTS & texture.keys():
                texture[extent] = int(evaluate(texture[extent], variables))
            return {**texture, "fill": FILLS.get(arg["texture"], "bits")}
        kind = arg["buffer"]
        count = int(evaluate(arg["count"], variables))
        fill = arg.get("fill", "none")
        if fill == "random":
            fill = FILLS.get(kind, "bits")
        elif fill.startswith("chase="):
            fill = f"chase={int(evaluate(fill[6:], variables))}"
        elif fill.startswith("file="):
            fill = f"file={self.root / 'labs' / lab / fill[5:]}"
        return {"buffer": count * TYPES[kind], "fill": fill}


def add_launches(program, cases, folder):
    """Grid, block and shared memory, from each file's own launch function, which the emulator runs."""
    probes = []
    for case in cases:
        values = ", ".join(f"{name} = {value}" for name, value in case["variables"].items())
        probe = folder / f"shape-{case['name']}.cu"
        probe.write_text((folder / case["source"]).read_text(encoding="utf-8") + f"""
extern "C" __global__ void warpshop_shape(unsigned* out) {{
  int {values};
  Launch s = {case["launch"]};
  out[0] = s.grid.x; out[1] = s.grid.y; out[2] = s.grid.z;
  out[3] = s.block.x; out[4] = s.block.y; out[5] = s.block.z; out[6] = s.shared_bytes;
}}
""", encoding="utf-8")
        probes.append({"name": case["name"], "source": probe.name, "kernel": "warpshop_shape",
                       "options": case["options"], "grid": [1, 1, 1], "block": [1, 1, 1],
                       "args": [{"buffer": 28, "fill": "none"}]})
    run_spec(program, probes, folder, "shapes", ["--dump", str(folder)])
    for case in cases:
        shape = struct.unpack("<7I", (folder / f"{case['name']}.0.bin").read_bytes())
        case.update(grid=list(shape[:3]), block=list(shape[3:6]), dynamic_shared=shape[6])
        if case["blocks"]:
            case["grid"] = [case["blocks"], 1, 1]


def run_spec(program, cases, folder, name, more):
    """The results of `run --spec`, in the cases' order; an error of one ends it all."""
    spec, out = folder / f"{name}.json", folder / f"{name}-results.json"
    spec.write_text(json.dumps(cases), encoding="utf-8")
    said = subprocess.run([program, "run", "--spec", str(spec), "--device", "emulator", "--out", str(out), *more],
                          env=ENVIRONMENT, capture_output=True, text=True)
    if not out.exists():
        raise SystemExit(f"{name}: {said.stderr}")
    results = json.loads(pathlib.Path(out).read_text(encoding="utf-8"))
    for result in results:
        if result["error"]:
            raise SystemExit(f"{result['name']}: {result['error']}")
    return results
