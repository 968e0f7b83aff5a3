"""An exercise's checks, and points for graders."""

from __future__ import annotations

import json
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ._program import Diagnostic, WarpshopError, call, call_json, diagnostics_of, gpu_name


@dataclass(frozen=True)
class CheckLine:
    """One check of an exercise: what was counted, and what the exercise wants."""

    id: str
    title: str
    passed: bool
    evaluated: bool  # False: the run did not get that far
    got: str
    wanted: str
    message: str = ""  # help, if the check failed


@dataclass(frozen=True)
class Check:
    """A kernel's run in an exercise. In a notebook it shows itself with maps of its accesses."""

    place: str  # "coalescing/stride"
    gpu: str
    passed: bool
    checks: list[CheckLine]
    findings: list[Diagnostic]  # of the compiler and of the emulator
    counters: dict[str, int]  # at the exercise's first size
    reference_counters: dict[str, int]
    predicted_us: float | None  # with predict=True
    reference_predicted_us: float | None
    json: dict[str, Any] = field(repr=False)  # all that the program knows: docs/cli.md, "check --json"
    html: str = field(repr=False)

    def __repr__(self) -> str:
        """Return the verdict with a line for each check and finding."""
        mark = {True: "✓", False: "✗"}
        judged = [check for check in self.checks if check.evaluated]
        failed = sum(not check.passed for check in judged)
        words = f"{failed} of {len(judged)} checks fail" if judged else "not judged"
        words = "all checks pass" if self.passed else words
        lines = [f"{mark[self.passed]} {self.place}: {words}"]
        lines += [f"  {mark[check.passed]} {check.title}: {_got_and_wanted(check)}" for check in judged]
        lines += [str(finding) for finding in self.findings]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return self.html


def _got_and_wanted(check: CheckLine) -> str:
    if check.passed:
        return check.got
    help_text = f". {check.message}" if check.message else ""
    return f"got {check.got}, wanted {check.wanted}{help_text}"


def check(
    source: str,
    place: str,
    *,
    gpu: str = "h200",
    predict: bool = False,
    seed: int = 0,
    inputs: int = 0,
    budget: int | None = None,
) -> Check:
    """Run a kernel in an exercise and judge it.

    source: the text of the exercise's file; place: "LAB/STEP"; gpu: an id of `warpshop gpus`;
    predict: also predict times; seed: shuffles the order of blocks and warps; inputs: the seed of the
    random inputs, 0 for the lab's own; budget: thread instructions after which a kernel is ended.

    A kernel that fails, or does not compile, is a result. Error: WarpshopError for an unknown
    exercise or GPU, and if the program itself fails.
    """
    if not isinstance(source, str):
        raise TypeError(f"source: expected the kernel's text, got {type(source).__name__}")
    _lab, step = _lab_and_step(place)
    with tempfile.TemporaryDirectory(prefix="warpshop-") as folder:
        name = f"{step}.cu"
        (Path(folder) / name).write_text(source, encoding="utf-8")
        arguments = ["check", place, "--file", name, "--device", "emulator", "--gpu", gpu_name(gpu)]
        arguments += ["--html", "result.html"]
        arguments += ["--seed", str(seed), "--inputs", str(inputs)]
        arguments += ["--predict"] if predict else []
        arguments += ["--budget", str(budget)] if budget is not None else []
        result = call_json(*arguments, folder=folder)
        html = (Path(folder) / "result.html").read_text(encoding="utf-8")
    return _check_of(result["runs"][0], place, source, html)


def _lab_and_step(place: str) -> tuple[str, str]:
    """Return the two names; they become those of a file and its folder."""
    named = re.fullmatch(r"(\w[\w-]*)/(\w[\w-]*)", place)
    if named is None:
        raise WarpshopError(f"{place}: expected LAB/STEP, such as coalescing/stride; warpshop.labs() lists them")
    return named[1], named[2]


def _check_of(run: dict[str, Any], place: str, source: str, html: str) -> Check:
    first = run["sizes"][0] if run["sizes"] else None
    timed = run.get("timed") or first or {}
    findings: dict[Any, dict[str, Any]] = {}  # the same finding may recur at each size
    for entry in run["diagnostics"] + [f for size in run["sizes"] for f in size["student"]["findings"]]:
        findings.setdefault((entry["kind"], entry["line"], entry.get("cause") or entry["message"]), entry)

    def predicted(whose: str) -> float | None:
        time: float | None = timed.get(whose, {}).get("prediction", {}).get("time_us")
        return time

    return Check(
        place=place,
        gpu=run["gpu"],
        passed=run["passed"],
        checks=[CheckLine(**{**entry, "message": entry["message"] or ""}) for entry in run["checks"]],
        findings=diagnostics_of(list(findings.values()), source, run["file"]),
        counters=first["student"]["counters"] if first else {},
        reference_counters=first["reference"]["counters"] if first else {},
        predicted_us=predicted("student"),
        reference_predicted_us=predicted("reference"),
        json=run,
        html=html,
    )


def grade(
    source: str, place: str, points: float = 1.0, *, inputs: int | None = None, partial: bool = False, gpu: str = "h200"
) -> float:
    """Return the points of a submission: all of them if the exercise is passed, else 0.

    The submission is compiled and run as by `warpshop grade`: in a sandbox, without network, with
    limits, and with random inputs that it cannot know unless `inputs` is their seed (0: the lab's own).
    partial: if the result is correct and nothing was found, the share of the checks that pass. The
    reason is printed, so that it appears below the cell. For nbgrader, a cell that ends in this value
    has these points.

    Error: WarpshopError if there is no verdict, which is not the submission's fault.
    """
    lab, step = _lab_and_step(place)
    with tempfile.TemporaryDirectory(prefix="warpshop-") as folder:
        submission = Path(folder) / "submissions" / "student" / lab / f"{step}.cu"
        submission.parent.mkdir(parents=True)
        submission.write_text(source, encoding="utf-8")
        out = Path(folder) / "grades"
        arguments = ["grade", str(Path(folder) / "submissions"), "--out", str(out), "--exercise", place]
        arguments += ["--gpu", gpu_name(gpu), "--jobs", "1"]
        arguments += ["--inputs", str(inputs)] if inputs is not None else []
        done = call(*arguments)
        grades = out / "grades.json"
        if not grades.is_file():
            raise WarpshopError(done.stderr.strip() or f"no grade: status {done.returncode}")
        (given,) = json.loads(grades.read_text(encoding="utf-8"))["grades"]
    if given["verdict"] == "no-verdict":
        raise WarpshopError(f"no verdict: {given['reason']}")
    if given["verdict"] == "passed":
        print(f"{place}: all checks pass")
        return float(points)
    print(f"{place}: {given['verdict']}. {given['reason']}")
    passed = {entry["id"]: entry["passed"] for entry in given["checks"]}
    if not partial or not (passed.get("correct") and passed.get("no-findings")):
        return 0.0
    return float(points) * sum(passed.values()) / len(passed)


def labs() -> list[str]:
    """Return every exercise as "LAB/STEP"."""
    found = call_json("labs")["labs"]
    return [f"{lab['id']}/{step['id']}" for lab in found for step in lab["steps"] if step["exercise"]]


def skeleton(place: str) -> str:
    """Return the text that a student starts from."""
    done = call("labs", "--skeleton", place)
    if done.returncode != 0:
        raise WarpshopError(done.stderr.strip())
    return done.stdout
