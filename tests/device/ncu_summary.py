#!/usr/bin/env python3
"""Compares the worker's times in OUT/times.json with Nsight Compute's gpu__time_duration in OUT/ncu-CASE.csv.

The worker launches a kernel once for its buffers, then 3 + 21 times cold, then 21 pairs whose second launch
is warm: the last 42 launches are the warm pairs, the 21 before them the cold ones. If only the first 25
launches were profiled, they contain only cold ones.
"""
import csv
import json
import pathlib
import statistics
import sys


def durations(file):
    rows = list(csv.reader(line for line in file.read_text().splitlines() if not line.startswith("==")))
    column = rows[0].index("gpu__time_duration.sum")
    scale = {"ns": 1e-3, "us": 1, "usecond": 1, "nsecond": 1e-3, "ms": 1e3}[rows[1][column]]
    return [float(row[column].replace(",", "")) * scale for row in rows[2:]]


def main():
    out = pathlib.Path(sys.argv[1])
    times = {case["name"]: case["measured"] for case in json.loads((out / "times.json").read_text())}
    table = []
    for file in sorted(out.glob("ncu-*.csv")):
        name = file.stem[4:]
        us = durations(file)
        if len(us) not in (25, 65):
            print(f"{name}: {len(us)} launches")
            continue
        ours = times[name]
        row = {"case": name}
        for what, launches in (("cold", us[4:25] if len(us) == 25 else us[-63:-42]), ("warm", us[25:][-42:][1::2])):
            if launches:
                ncu = statistics.median(launches)
                row |= {f"ncu_{what}_us": round(ncu, 2), f"{what}_us": round(ours[f"{what}_us"], 2),
                        f"{what}_pct": round(100 * (ours[f"{what}_us"] / ncu - 1), 2)}
        table.append(row)
        print(json.dumps(table[-1]))
    (out / "ncu.json").write_text("[\n " + ",\n ".join(json.dumps(row) for row in table) + "\n]\n")


if __name__ == "__main__":
    main()
