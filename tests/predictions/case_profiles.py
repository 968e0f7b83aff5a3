#!/usr/bin/env python3
"""The profiles in the texts of labs/cases: tables of predicted figures, as the program predicts them today.

    case_profiles.py PROGRAM           compares them; exit status 1 where a table says something else
    case_profiles.py PROGRAM --write   writes the cells

A case without a repair has its command at the end of its text; one with a repair is that exercise's start."""
import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = ROOT / "labs" / "cases"
UNITS = {"the data stage of shared memory and L1": "data stage of L1 and shared memory",
         "the register file's ports": "ports of the register file",
         "the busiest L2 slice": "busiest slice of L2",
         "the special function pipe": "special-function pipe",
         "the unit for constant loads and barriers (ADU)": "constants and barriers"}
SECTION = re.compile(r"## The profile\n.*?(?=\n## |\Z)", re.S)


def run(program, arguments, folder):
    out = subprocess.run([program, *arguments, "--predict", "--json"], cwd=folder, capture_output=True, text=True,
                         env={"WARPSHOP_DATA": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(pathlib.Path.home())})
    return json.loads(out.stdout)


def prediction_of(program, name, text):
    command = re.search(r"^warpshop (run .*?)\n```", text, re.S | re.M)
    if command:
        arguments = [word for word in shlex.split(command[1].replace("\\\n", " ")) if word != "--predict"]
        return run(program, arguments, ROOT / "kernels" / "cases")["run"]["prediction"]
    started = run(program, ["check", f"cases/{name}-repair", "--start"], ROOT)["runs"][0]
    return started["timed"]["student"]["prediction"]


def us(value):
    return f"{value:,.0f} µs" if value >= 1000 else f"{value:,.1f} µs"


def rows_of(shares, number):
    ranked = sorted(((round(share), name) for name, share in shares.items()), key=lambda row: -row[0])[:number]
    return [(UNITS.get(name, name.removeprefix("the ").removeprefix("Stall ")), f"{share}%") for share, name in ranked]


def profile(text, p):
    """The section with today's figures. Rows that are not predicted stay as they are."""
    cells = {
        "achieved occupancy; waves of blocks": f"{p['achieved_occupancy_pct']:.0f}%; {p['waves']:.2f}",
        "duration": us(p["time_us"]),
        "DRAM: read; written": f"{p['dram_read_bytes'] / 1e6:.0f} MB; {p['dram_write_bytes'] / 1e6:.0f} MB",
        "DRAM throughput": f"{p['dram_gb_s']:,.0f} GB/s",
        "bytes in flight per SM; needed to fill the memory":
            f"{p['bytes_in_flight']:,.0f}; {p['bytes_in_flight_needed']:,.0f}",
        "latency of a global load": f"{p['latency_cycles']:,.0f} cycles",
        "instructions per cycle and SM": f"{p['instructions_per_cycle']:.2f} of 4"}
    lines = text.split("\n")
    for head, shares in (("| busiest units |", p["busy_pct"]), ("| warp states |", p["states_pct"])):
        at = next(i for i, line in enumerate(lines) if line.startswith(head)) + 2
        end = next(i for i in range(at, len(lines)) if not lines[i].startswith("|"))
        lines[at:end] = [f"| {name} | {share} |" for name, share in rows_of(shares, end - at)]
    for i, line in enumerate(lines):
        name = line.strip("| ").split(" | ")[0]
        if line.startswith("|") and name in cells:
            lines[i] = f"| {name} | {cells[name]} |"
    return "\n".join(lines)


def main(arguments):
    program, findings = str(pathlib.Path(arguments[0]).resolve()), []
    for file in sorted(CASES.glob("*.md")):
        text = file.read_text(encoding="utf-8")
        section = SECTION.search(text)
        if not section:
            continue
        today = profile(section[0], prediction_of(program, file.stem, text))
        changed = [f"  {old} → {new}" for old, new in zip(section[0].split("\n"), today.split("\n")) if old != new]
        if changed:
            findings += [f"labs/cases/{file.name}:", *changed]
        if "--write" in arguments:
            file.write_text(text.replace(section[0], today), encoding="utf-8")
    print("\n".join(findings) if findings else "the profiles of the cases are what the program predicts")
    return 1 if findings and "--write" not in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
