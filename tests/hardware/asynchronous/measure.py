#!/usr/bin/env python3
"""What Nsight Compute counts for the kernels of kernels.cu, on a GPU of compute capability 9.0.

    measure.py cases   writes cases.json from kernels.cu
    measure.py count   compiles the kernels and writes truth.json (needs nvcc and ncu)
"""
import csv
import ctypes
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
COUNTERS = HERE.parents[2] / "app/core/include/core/counters.def"
IN_BYTES, OUT_BYTES = 16384, 16384
MAP = {"tensor_map": "f32", "extents": [64, 32], "box": [32, 8], "fill": "f32"}


def case_of(name):
    """The launch of a kernel, which follows from its name."""
    clusters = name.startswith(("k_remote", "k_st_async", "k_red_async", "k_bulk_remote"))
    args = [{"buffer": IN_BYTES, "fill": "f32"}, {"buffer": OUT_BYTES, "fill": "f32"}]
    if name.startswith("k_tensor"):
        args.append(dict(MAP, swizzle=128) if name.endswith("swizzled") else MAP)
    return {"name": name[2:], "source": "kernels.cu", "kernel": name, "grid": [2 if clusters else 1, 1, 1],
            "block": [128 if name.startswith("k_wgmma") else 32, 1, 1], "args": args}


def cases():
    text = (HERE / "kernels.cu").read_text()
    return [case_of(name) for name in re.findall(r"^\w+\((k_\w+)", text, re.M)]


def launch_all(cubin):
    """Each kernel once, by the driver."""
    cuda = ctypes.CDLL("libcuda.so.1")

    def call(name, *args):
        result = getattr(cuda, name)(*args)
        if result:
            raise SystemExit(f"{name}: error {result}")

    call("cuInit", 0)
    device, context, module = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p()
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)
    call("cuModuleLoad", ctypes.byref(module), str(cubin).encode())
    buffers = []
    for size in (IN_BYTES, OUT_BYTES, 64 * 32 * 4):
        p = ctypes.c_uint64()
        call("cuMemAlloc_v2", ctypes.byref(p), ctypes.c_size_t(size))
        call("cuMemsetD8_v2", p, 0, ctypes.c_size_t(size))
        buffers.append(p)
    for case in cases():
        function = ctypes.c_void_p()
        call("cuModuleGetFunction", ctypes.byref(function), module, case["kernel"].encode())
        space = ctypes.create_string_buffer(256)  # a map needs a multiple of 64
        at = -ctypes.addressof(space) % 64 + ctypes.addressof(space)
        args = [ctypes.addressof(buffers[0]), ctypes.addressof(buffers[1])]
        if len(case["args"]) == 3:
            swizzle = 3 if "swizzle" in case["args"][2] else 0
            extents, strides = (ctypes.c_uint64 * 2)(*MAP["extents"]), (ctypes.c_uint64 * 1)(4 * MAP["extents"][0])
            box, ones = (ctypes.c_uint32 * 2)(*MAP["box"]), (ctypes.c_uint32 * 2)(1, 1)
            call("cuTensorMapEncodeTiled", ctypes.c_void_p(at), 7, 2, buffers[2], extents, strides, box, ones, 0, swizzle, 0, 0)
            args.append(at)
        pointers = (ctypes.c_void_p * len(args))(*args)
        call("cuLaunchKernel", function, case["grid"][0], 1, 1, case["block"][0], 1, 1, 0, None, pointers, None)
        call("cuCtxSynchronize")


def metrics():
    """Nsight Compute's metric for each of our counters."""
    rows = re.findall(r"^(?:GPU_)?COUNTER\((\w+),.*?\"([\w.]*)\"\)$", COUNTERS.read_text(), re.M | re.S)
    return {name: metric if "." in metric or metric.startswith("memory_") else metric + ".sum"
            for name, metric in rows if metric}


def count():
    cubin, log = HERE / "kernels.cubin", HERE / "counters.csv"
    names = metrics()
    subprocess.run(["nvcc", "-arch=sm_90a", "-std=c++17", "-cubin", "-o", cubin, HERE / "kernels.cu"], check=True)
    subprocess.run(["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--log-file", log, "--metrics",
                    ",".join(names.values()), sys.executable, __file__, "launch", cubin], check=True)
    lines = [line for line in log.read_text().splitlines() if not line.startswith("==")]
    rows = list(csv.DictReader(lines))[1:]  # the first has the units
    truth = [{"name": row["Kernel Name"][2:],
              "counters": {name: int(float(row[metric].replace(",", ""))) for name, metric in names.items()}}
             for row in rows]
    (HERE / "truth.json").write_text("[" + ",\n ".join(json.dumps(row) for row in truth) + "]\n")


if __name__ == "__main__":
    if sys.argv[1] == "cases":
        (HERE / "cases.json").write_text("[" + ",\n ".join(json.dumps(case) for case in cases()) + "]\n")
    elif sys.argv[1] == "launch":
        launch_all(sys.argv[2])
    else:
        count()
