#!/usr/bin/env python3
"""Writes cases.json and, for the program that times them, launches.inc: copies into shared memory by registers, cp.async and
cp.async.bulk, and matrix products with mma.sync."""
import json
import pathlib

HERE = pathlib.Path(__file__).parent
MIB = 1 << 20
cases = []


def three(dim):
    dim = dim if isinstance(dim, (list, tuple)) else [dim]
    return list(dim) + [1] * (3 - len(dim))


def add(name, kernel, grid, block, args):
    cases.append({"name": name, "source": "kernels.cu", "kernel": kernel, "options": [], "grid": three(grid),
                  "block": three(block), "dynamic_shared": 0, "args": args})


def buffer(size, fill="f32"):
    return {"buffer": int(size), "fill": fill}


def i32(value):
    return {"i32": int(value)}


def stream(label, kernel, per_sm, threads, mib, where):
    """`mib` through the chip, from DRAM or from the first 8 MiB, which L2 holds."""
    tiles = mib * MIB // (16 * threads)
    window = mib if where == "dram" else 8
    mask = window * MIB // (16 * threads) - 1
    add(f"{label}-{where}-{per_sm}", kernel, 132 * per_sm, threads,
        [buffer(window * MIB), buffer(4 * 132 * per_sm * threads, "none"), i32(tiles), i32(mask)])


WIDE = ("registers", "prefetch", "async-1", "async-2", "async-4", "async-8", "bulk-1", "bulk-2", "bulk-4", "bulk-8")
for where in ("dram", "l2"):
    for label in WIDE:
        for per_sm in (1, 4):
            if label.endswith("-8") and per_sm > 1:
                continue
            stream(label, "k_" + label.replace("-", "_"), per_sm, 256, 128 if per_sm > 1 else 64, where)
    for label in ("registers-128", "prefetch-128", "async-128-1", "async-128-2", "async-128-4", "async-128-8"):
        stream(label, "k_" + label.replace("-", "_"), 1, 128, 32, where)
    for label in ("async-4b-2", "async-4b-4", "async-8b-2", "arrival-2", "arrival-4", "async-forgotten"):
        stream(label, "k_" + label.replace("-", "_"), 2, 256, 64, where)
    for label in ("registers-work", "prefetch-work", "async-work-1", "async-work-2", "async-work-4", "bulk-work-2"):
        stream(label, "k_" + label.replace("-", "_"), 2, 256, 64, where)
for label in ("registers", "async-1", "async-2"):
    stream(label, "k_" + label.replace("-", "_"), 8, 256, 256, "dram")

for n in (512, 1024, 2048):
    for how in ("store", "prefetch", "async-2", "async-3", "async-4"):
        add(f"product-{how}-{n}", "k_product_" + how.replace("-", "_"), [n // 64, n // 64], 256,
            [buffer(4 * n * n), buffer(4 * n * n), buffer(4 * n * n, "none"), i32(n)])
for n in (512, 1024, 2048):
    for how in ("64-store", "64-prefetch", "64-async-2", "64-async-4", "64-unpadded", "128-store", "128-prefetch", "128-async-2"):
        edge = int(how.split("-")[0])
        add(f"tensor-{how}-{n}", "k_tensor_" + how.replace("-", "_"), [n // edge, n // edge], 128 if edge == 64 else 256,
            [buffer(2 * n * n, "zero"), buffer(2 * n * n, "zero"), buffer(4 * n * n, "none"), i32(n)])
for kind in ("f16-f32", "f16-f16", "bf16-f32", "f16-k8", "tf32", "s8", "e4m3"):
    for warps in (1, 4, 8, 16):
        add(f"rate-{kind}-{warps}", "k_rate_" + kind.replace("-", "_"), 132, warps * 32,
            [buffer(16384, "zero"), buffer(4 * 132 * warps * 32, "none"), i32(1024)])
for warps in (4, 16):
    add(f"rate-f64-{warps}", "k_rate_f64", 132, warps * 32,
        [buffer(16384, "zero"), buffer(8 * 132 * warps * 32, "none"), i32(1024)])
for kind in ("f16-f32", "s8"):
    add(f"latency-{kind}", "k_latency_" + kind.replace("-", "_"), 132, 128,
        [buffer(16384, "zero"), buffer(4 * 132 * 128, "none"), i32(4096)])
for step in (16, 32, 64, 80, 128, 144):
    for warps in (1, 8):
        add(f"ldmatrix-{step}-{warps}", "k_ldmatrix", 132, warps * 32,
            [buffer(4 * 132 * warps * 32, "none"), i32(step), i32(512)])

(HERE / "cases.json").write_text("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
lines = []
for c in cases:
    args = ", ".join("{%s, %d, \"%s\"}" % (("true", a["buffer"], a["fill"]) if "buffer" in a else ("false", a["i32"], ""))
                     for a in c["args"])
    g, b = c["grid"], c["block"]
    lines.append('{"%s", (const void*)%s, dim3(%d, %d, %d), dim3(%d, %d, %d), {%s}},' % (c["name"], c["kernel"], *g, *b, args))
(HERE / "launches.inc").write_text("\n".join(lines) + "\n")
