#!/usr/bin/env python3
"""How far predicted times are from measured ones, for every set of measurements that is here.

usage: tests/hardware/accuracy.py PROGRAM [--show N]

Constants may be fitted to two thirds of the H200's kernels only ("fit"); the rest ("kept") shows how the rules do on
kernels that nobody looked at. A kernel belongs to the kept third when the SHA-256 of its name is divisible by three.
The H100's times are for checking alone: nothing is fitted to them. They were taken from Python, whose launches take
longer; the difference is that of the H200's short kernels, which were measured both ways.
Only Python's standard library is needed."""
import argparse, hashlib, json, os, statistics, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MICRO = os.path.join(HERE, "..", "microbench", "results")


def kept(name):
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 3 == 0


def lines(path):
    with open(path) as f:
        return {r["name"]: r["us"] for r in map(json.loads, f)}


def predict(program, spec, gpu):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "r.json")
        subprocess.run([program, "run", "--spec", spec, "--predict", "--gpu", gpu, "--out", out], capture_output=True)
        with open(out) as f:
            return {r["name"]: r for r in json.load(f)}


def row(title, pairs, bar):
    errors = sorted(abs(p - t) / t * 100 for _, p, t in pairs)
    if not errors:
        return print(f"| {title} | 0 | | | | {bar} |")
    p95 = errors[min(len(errors) - 1, int(len(errors) * 0.95))]
    print(f"| {title} | {len(errors)} | {statistics.mean(errors):.1f} % | {errors[len(errors) // 2]:.1f} % | {p95:.0f} % | {bar} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--show", type=int, default=10, help="worst kernels to list")
    a = parser.parse_args()
    spec = os.path.join(HERE, "timing", "cases.json")
    with open(os.path.join(HERE, "timing", "truth.json")) as f:
        h200 = {t["name"]: t["us"] for t in json.load(f)}
    python_h200 = lines(os.path.join(MICRO, "h200_kernel_times.jsonl"))
    slower = statistics.median(python_h200[n] - us for n, us in h200.items() if us < 30 and n in python_h200)
    h100 = {n: us - slower for n, us in lines(os.path.join(MICRO, "h100_kernel_times.jsonl")).items()}
    worst = []
    print("| set | kernels | mean absolute error | median | 95th percentile | bar (mean, 95th) |\n|---|---|---|---|---|---|")
    for gpu, truth, bar in (("h200", h200, "10 %, 30 %"), ("h100", h100, "15 %, 40 %")):
        got = predict(a.program, spec, gpu)
        pairs = [(n, got[n]["predicted_us"], us) for n, us in truth.items() if n in got and got[n].get("predicted_us")]
        missing = [n for n in truth if n not in got or not got[n].get("predicted_us")]
        if gpu == "h200":
            row("h200, fit", [p for p in pairs if not kept(p[0])], "")
            row("h200, kept", [p for p in pairs if kept(p[0])], "12 %, 35 %")
        row(gpu + ", all", pairs, bar)
        worst += [((p - t) / t * 100, f"{gpu} {n}: predicted {p:.1f} us, measured {t:.1f} us") for n, p, t in pairs]
        for n in missing:
            print(f"{gpu} {n}: no prediction: {got.get(n, {}).get('error')}", file=sys.stderr)
    print()
    for error, text in sorted(worst, key=lambda w: -abs(w[0]))[: a.show]:
        print(f"{error:+6.1f} %  {text}")


if __name__ == "__main__":
    main()
