#!/usr/bin/env python3
"""Measures how long a worker takes to its hello, its first result, and later results.

    warm_worker.py OUT.json COMMAND...     COMMAND starts a worker, e.g. build/warpshop worker

Acts as a client of the worker protocol (docs/worker-protocol.md).
"""
import base64
import json
import pathlib
import struct
import subprocess
import sys
import time

KERNEL = """__global__ void k%d(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = %d * in[i];
}
"""


def job(number, elements):
    kernel = {"source": KERNEL % (number, number), "file": "k.cu", "entry": f"k{number}", "options": [],
              "include_dirs": [], "trailer": "", "prelude": True, "ptx": False,
              "grid": [-(-elements // 256), 1, 1], "block": [256, 1, 1], "dynamic_shared": 0}
    buffer = {"buffer": 4 * elements, "element": "f32", "fill_element": "f32", "seed": 0, "shift": 0}
    return {"gpu": 0, "student": kernel, "reference": kernel, "tolerance": 0, "hashes": False,
            "bytes": False, "time": True, "launches": 21, "time_limit_s": 10,
            "args": [dict(buffer, name="in", output=False, fill="random"),
                     dict(buffer, name="out", output=True, fill="none"),
                     {"scalar": base64.b64encode(struct.pack("<i", elements)).decode()}]}


def main():
    out, command = sys.argv[1], sys.argv[2:]
    begin = time.monotonic()
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    hello = json.loads(worker.stdout.readline())
    result = {"hello_s": round(time.monotonic() - begin, 3), "gpu": hello["gpus"][0]["name"],
              "driver": hello.get("driver_version", ""), "nvrtc": hello["nvrtc"], "results": []}
    # The first job opens the GPU; each job has a new kernel.
    for number, elements in enumerate([65536, 65536, 1 << 20, 1 << 24, 65536, 1 << 26], 2):
        begin = time.monotonic()
        worker.stdin.write(json.dumps({"type": "job", "id": number, "job": job(number, elements)}) + "\n")
        worker.stdin.flush()
        while True:
            message = json.loads(worker.stdout.readline())
            if message["type"] in ("result", "error"):
                break
        assert message["type"] == "result", message
        timing = message["result"]["timing"]
        result["results"].append({
            "elements": elements, "seconds": round(time.monotonic() - begin, 3),
            "cold_us": timing["student"]["median_us"], "warm_us": timing["student"]["warm_median_us"],
            "empty_us": timing["empty_launch_us"], "clock_mhz": timing["clock_mhz"]})
    worker.stdin.write('{"type":"quit"}\n')
    worker.stdin.flush()
    worker.wait(10)
    pathlib.Path(out).write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
