"""What graders and learning platforms are given, checked against the formats that they publish.

    python3 formats_test.py PROGRAM SOURCES

Each check below is written from the format's own description, not from what Warpshop writes:

gradescope   https://gradescope-autograders.readthedocs.io/en/latest/specs/
classroom50  https://github.com/foundation50/classroom50/wiki/Advanced-Autograding, and validate_result in its runner.py
junit        https://github.com/jenkinsci/xunit-plugin, junit-10.xsd; GitLab reads the same elements
canvas       https://github.com/instructure/canvas-lms, lib/gradebook_importer.rb
moodle       https://github.com/moodle/moodle, grade/import/csv/classes/load_data.php
"""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

PROGRAM, SOURCES = (os.path.abspath(argument) for argument in sys.argv[1:3])
VISIBILITY = ("hidden", "after_due_date", "after_published", "visible")
NUMBER = (int, float)


def is_number(value):
    return isinstance(value, NUMBER) and not isinstance(value, bool)


def is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def gradescope_problems(data):
    """Keys: what must hold of the value. Every key is optional, but points must stand somewhere."""
    whole = {
        "score": is_number, "execution_time": is_number, "output": lambda v: isinstance(v, str),
        "visibility": VISIBILITY.__contains__, "stdout_visibility": VISIBILITY.__contains__,
        "extra_data": lambda v: isinstance(v, dict), "tests": lambda v: isinstance(v, list),
        "leaderboard": lambda v: isinstance(v, list), "output_format": lambda v: isinstance(v, str),
        "test_output_format": lambda v: isinstance(v, str), "test_name_format": lambda v: isinstance(v, str),
    }
    test = {
        "score": is_number, "max_score": is_number, "status": ("passed", "failed").__contains__,
        "name": lambda v: isinstance(v, str), "name_format": lambda v: isinstance(v, str),
        "number": lambda v: isinstance(v, str), "output": lambda v: isinstance(v, str),
        "output_format": lambda v: isinstance(v, str), "tags": lambda v: isinstance(v, list),
        "visibility": VISIBILITY.__contains__, "extra_data": lambda v: isinstance(v, dict),
    }
    problems = [f"{key}: {data[key]!r}" for key in data if key not in whole or not whole[key](data[key])]
    if "score" not in data and not all("score" in one for one in data.get("tests", [{}])):
        problems.append("no points")
    for one in data.get("tests", []):
        problems += [f"tests: {key}: {one[key]!r}" for key in one if key not in test or not test[key](one[key])]
        if one.get("score", 0) > one.get("max_score", 0):
            problems.append(f"more points than there are: {one}")
    return problems


def classroom50_problems(data, environment):
    problems = []
    expected = {"schema": "classroom50/result/v1", "classroom": environment["CLASSROOM"],
                "assignment": environment["ASSIGNMENT"], "owner": environment["OWNER"],
                "assignment_type": environment["ASSIGNMENT_TYPE"]}
    problems += [f"{key}: {data.get(key)!r}" for key, value in expected.items() if data.get(key) != value]
    for key in ("submission", "commit", "release", "review", "datetime"):
        if not isinstance(data.get(key), str) or not data[key]:
            problems.append(f"{key} must be a text")
    if not str(data.get("submission")).startswith("submit/"):
        problems.append("submission must start with submit/")
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", str(data.get("datetime"))):
        problems.append("datetime must be UTC, ISO 8601")
    if not is_count(data.get("score")) or not is_count(data.get("max-score")) or data["score"] > data["max-score"]:
        return problems + ["score and max-score must be whole numbers in order"]
    if not isinstance(data.get("tests"), list):
        return problems + ["tests must be a list"]
    for test in data["tests"]:
        if not isinstance(test.get("test-name"), str) or not test["test-name"]:
            problems.append(f"test-name: {test}")
        if not isinstance(test.get("passed"), bool):
            problems.append(f"passed: {test}")
        if not is_count(test.get("score")) or not is_count(test.get("max-score")) or test["score"] > test["max-score"]:
            problems.append(f"score: {test}")
    for key in ("score", "max-score"):
        if sum(test[key] for test in data["tests"]) != data[key]:
            problems.append(f"{key} is not the sum of the tests'")
    return problems


# Element: required attributes, other attributes, children. All text is mixed content, where children are none.
JUNIT = {
    "testsuites": ((), ("name", "time", "tests", "failures", "errors"), ("testsuite",)),
    "testsuite": (("name", "tests", "failures", "errors"),
                  ("group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"),
                  ("testsuite", "properties", "testcase", "system-out", "system-err")),
    "testcase": (("name",), ("time", "classname", "group"),
                 ("skipped", "error", "failure", "rerunFailure", "rerunError", "flakyFailure", "flakyError",
                  "system-out", "system-err")),
    "skipped": ((), ("type", "message"), ()),
    "error": ((), ("type", "message"), ()),
    "failure": ((), ("type", "message"), ()),
}
JUNIT_TIME = re.compile(r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?")


def junit_problems(element):
    if element.tag not in JUNIT:
        return [f"unknown element {element.tag}"]
    needed, others, children = JUNIT[element.tag]
    problems = [f"{element.tag} has no {name}" for name in needed if name not in element.attrib]
    problems += [f"{element.tag} has {name}" for name in element.attrib if name not in needed + others]
    if "time" in element.attrib and not JUNIT_TIME.fullmatch(element.attrib["time"]):
        problems.append(f"time: {element.attrib['time']}")
    if children and (element.text or "").strip():
        problems.append(f"{element.tag} has text")
    if element.tag == "testsuite":
        for name, tag in (("tests", "testcase"), ("failures", ".//failure"), ("errors", ".//error"),
                          ("skipped", ".//skipped")):
            if int(element.attrib[name]) != len(element.findall(tag)):
                problems.append(f"{name} of {element.attrib['name']} is not their number")
    for child in element:
        problems += [f"{child.tag} in {element.tag}"] if child.tag not in children else junit_problems(child)
    return problems


def canvas_rows(data):
    """As GradebookImporter reads it: columns of the students, then assignments; the row of points; students."""
    rows = [row for row in csv.reader(io.StringIO(data.decode("utf-8"), newline=""))]
    header, points, students = rows[0], rows[1], rows[2:]
    assert len(header) > 5, header
    assert "Student" in header[0] and "ID" in header[1], header
    assert re.search(r"SIS\s+User\s+ID", header[2]) and re.search(r"SIS\s+Login\s+ID", header[3]), header
    assert "Section" in header[4], header
    assert "Points Possible" in points[0], points
    assert all(len(row) == len(header) for row in rows), rows
    assert all(re.fullmatch(r"\d+(\.\d+)?", cell) for cell in points[5:]), points
    assert all(re.fullmatch(r"\d*", cell) for row in students for cell in row[5:]), students
    return header[5:], {row[0]: row for row in students}


def moodle_rows(data):
    """As load_data.php reads it: a name in every column, "-" where there is no grade."""
    rows = [row for row in csv.reader(io.StringIO(data.decode("utf-8"), newline=""))]
    assert all(rows[0]) and len(set(rows[0])) == len(rows[0]), rows[0]
    assert all(len(row) == len(rows[0]) for row in rows), rows
    assert all(re.fullmatch(r"\d+(\.\d+)?|-", cell) for row in rows[1:] for cell in row[1:]), rows
    return rows[0], {row[0]: row for row in rows[1:]}


class Formats(unittest.TestCase):
    RUNNER = {"CLASSROOM": "gpus", "ASSIGNMENT": "scale", "OWNER": "ada", "ASSIGNMENT_TYPE": "individual",
              "SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1b2c3d", "COMMIT_URL": "https://example.org/c",
              "RELEASE_URL": "https://example.org/r"}

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="warpshop-formats-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        data = self.folder / "data"
        shutil.copytree(Path(SOURCES) / "tests/lab/data", data)
        (data / "assets").symlink_to(Path(SOURCES) / "assets")

    def run_program(self, *arguments, **environment):
        return subprocess.run(
            [PROGRAM, *arguments], cwd=self.folder, text=True, errors="replace", capture_output=True, check=False,
            env={**os.environ, "WARPSHOP_DATA": str(self.folder / "data"),
                 "WARPSHOP_HOME": str(self.folder / "home"), **environment})

    def hand_in(self, student, text, step="scale"):
        path = self.folder / "class" / student / "fixture" / f"{step}.cu"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def worked(self, step):
        return (self.folder / f"data/solutions/fixture/{step}.cu").read_text()

    HOSTILE = "#error <b>&\"' ]]> \x01 \x1b[31m \ufffe =1+1\n"

    def grade_one(self, student, *options, **environment):
        return self.run_program("grade", f"class/{student}", "--one", "--out", "out", "--exercise", "fixture",
                                *options, **environment)

    def test_gradescope(self):
        self.hand_in("ada", self.worked("scale"))
        self.hand_in("eve", self.HOSTILE)
        for student, points in (("ada", 5), ("eve", 0)):
            done = self.grade_one(student, "--format", "gradescope=results/results.json")
            self.assertEqual(done.returncode, 0, done.stderr)
            data = json.loads((self.folder / "results/results.json").read_text())
            self.assertEqual(gradescope_problems(data), [])
            self.assertEqual(data["score"], points)
            self.assertEqual(data["score"], sum(test["score"] for test in data["tests"]))
            text = json.dumps(data, ensure_ascii=False)
            self.assertFalse(re.search(r"[\x00-\x09\x0b-\x1f]", "".join(
                test["output"] for test in data["tests"])), text)
        self.assertIn("directive: <b>&", text)

    def test_classroom50(self):
        self.hand_in("ada", self.worked("scale"))
        self.hand_in("eve", self.HOSTILE)
        for student, points in (("ada", 7), ("eve", 0)):
            done = self.grade_one(student, "--format", "classroom50=result.json", "--points", "fixture/scale=7",
                                  **self.RUNNER)
            self.assertEqual(done.returncode, 0, done.stderr)
            data = json.loads((self.folder / "result.json").read_text())
            self.assertEqual(classroom50_problems(data, self.RUNNER), [])
            self.assertEqual(data["score"], points)
            self.assertEqual(data["review"], self.RUNNER["COMMIT_URL"])
            self.assertIn(f"{points} of 12 points", done.stdout)

    def test_infrastructure_errors_leave_no_results(self):
        self.hand_in("ada", self.worked("scale"))
        planted = self.folder / "class/ada/results.json"
        planted.write_text('{"score": 100}')
        # The sandbox cannot promise the memory: nothing is graded.
        done = subprocess.run(
            ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", PROGRAM, "grade", "class/ada", "--one", "--out", "out",
             "--exercise", "fixture", "--format", f"gradescope={planted}"],
            cwd=self.folder, capture_output=True, check=False,
            env={**os.environ, "WARPSHOP_DATA": str(self.folder / "data")})
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertFalse(planted.exists())
        done = self.grade_one("ada", "--format", "classroom50")
        self.assertEqual(done.returncode, 2)
        self.assertIn("CLASSROOM is not set", done.stderr)
        done = self.run_program("grade", "class", "--format", "gradescope")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--one", done.stderr)

    def class_of_strange_names(self):
        names = ["ada", "=cmd|'x'!A1", "Zo\u00eb, \"Z\" <M&M>", "a;=1+1", "\ufffe"]
        for name in names:
            self.hand_in(name, self.HOSTILE)
        self.hand_in("ada", self.worked("scale"))
        done = self.run_program("grade", "class", "--out", "out", "--format", "lms", "--points", "fixture=10",
                                "--id-column", "ID number")
        self.assertEqual(done.returncode, 0, done.stderr)
        return ["ada", "'=cmd|'x'!A1", "Zo\u00eb, \"Z\" <M&M>", "a;'=1+1", "%EF%BF%BE"]

    def test_gradebooks(self):
        shown = self.class_of_strange_names()
        columns, students = canvas_rows((self.folder / "out/canvas.csv").read_bytes())
        self.assertEqual(columns, ["fixture/scale"])
        self.assertEqual(sorted(students), sorted(shown))
        self.assertEqual(students["ada"], ["ada", "", "", "ada", "", "10"])
        header, students = moodle_rows((self.folder / "out/moodle.csv").read_bytes())
        self.assertEqual(header, ["ID number", "fixture/scale"])
        self.assertEqual(sorted(students), sorted(shown))
        self.assertEqual([students[name][1] for name in shown], ["10", "0", "0", "0", "0"])
        for data in ((self.folder / "out/canvas.csv").read_text(), (self.folder / "out/moodle.csv").read_text()):
            for row in csv.reader(io.StringIO(data), delimiter=";"):
                for cell in row:
                    self.assertFalse(cell.lstrip(" \"").startswith(("=", "+", "@")), cell)

    def test_junit_and_csv(self):
        self.class_of_strange_names()
        root = ElementTree.fromstring((self.folder / "out/grades.junit.xml").read_bytes())
        self.assertEqual(root.tag, "testsuites")
        self.assertEqual(junit_problems(root), [])
        self.assertEqual(len(root.findall(".//testcase")), 5)
        self.assertIn("directive: <b>&\"' ]]>", "".join(root.find(".//failure").itertext()))
        rows = list(csv.DictReader(io.StringIO((self.folder / "out/grades.csv").read_text(), newline="")))
        self.assertEqual(len(rows), 5)
        self.assertEqual({row["student"]: row["points"] for row in rows}["ada"], "10")
        self.assertEqual({row["max_points"] for row in rows}, {"10"})

    # The examples of docs/graders, where nothing but the program and the assignment differ.
    def example(self, name):
        folder = self.folder / name
        shutil.copytree(Path(SOURCES) / "docs/graders" / name, folder)
        programs = self.folder / "bin"
        programs.mkdir(exist_ok=True)
        (programs / "warpshop").unlink(missing_ok=True)
        (programs / "warpshop").symlink_to(PROGRAM)
        return folder

    def start(self, command, cwd, **environment):
        return subprocess.run(
            command, cwd=cwd, text=True, capture_output=True, check=False,
            env={**os.environ, "WARPSHOP_DATA": str(self.folder / "data"),
                 "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", **environment})

    def test_the_example_for_gradescope(self):
        source = self.example("gradescope")
        shutil.move(source, self.folder / "autograder/source")
        assignment = self.folder / "autograder/source/assignment.sh"
        assignment.write_text(assignment.read_text().replace("coalescing/stride", "fixture/scale").replace(
            "coalescing/offset", "fixture/transpose"))
        submission = self.folder / "autograder/submission"
        (self.folder / "autograder/results").mkdir()
        self.hand_in("ada", self.worked("scale"))
        shutil.copytree(self.folder / "class/ada", submission)
        done = self.start([str(self.folder / "autograder/source/run_autograder")], self.folder / "autograder",
                          AUTOGRADER=str(self.folder / "autograder"))
        self.assertEqual(done.returncode, 0, done.stderr)
        data = json.loads((self.folder / "autograder/results/results.json").read_text())
        self.assertEqual(gradescope_problems(data), [])
        self.assertEqual((data["score"], sum(test["max_score"] for test in data["tests"])), (12, 20))

    def test_the_example_for_classroom50(self):
        folder = self.example("classroom50")
        json.loads((folder / "runtime.json").read_text())
        script = folder / "autograder.py"
        script.write_text(script.read_text().replace("coalescing/stride", "fixture/scale"))
        self.hand_in("ada", self.worked("scale"))
        checkout = self.folder / "class/ada"
        done = self.start([sys.executable, str(script)], checkout, **self.RUNNER)
        self.assertEqual(done.returncode, 0, done.stderr)
        data = json.loads((checkout / "result.json").read_text())
        self.assertEqual(classroom50_problems(data, self.RUNNER), [])
        self.assertEqual((data["score"], data["max-score"]), (10, 10))
        self.assertNotEqual(self.start([sys.executable, str(script)], checkout).returncode, 0)

    def test_the_example_for_gitlab(self):
        text = (self.example("gitlab") / ".gitlab-ci.yml").read_text().replace("coalescing/stride", "fixture/scale")
        script = [line[6:].strip("'") for line in text.splitlines() if line.startswith("    - ")]
        self.assertEqual(len(script), 2)
        for work, status in ((self.worked("scale"), 0), (self.HOSTILE, 1)):
            self.hand_in("ada", work)
            checkout = self.folder / "class/ada"
            done = self.start(["bash", "-ec", "\n".join(script)], checkout, CI_PROJECT_DIR=str(checkout))
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertEqual(junit_problems(ElementTree.fromstring((checkout / "report.xml").read_bytes())), [])
            shutil.rmtree(self.folder / "class/ada-grades")

    def test_the_checks_above_can_fail(self):
        self.assertTrue(gradescope_problems({"tests": [{"name": "x"}]}))
        self.assertTrue(gradescope_problems({"score": "3"}))
        self.assertTrue(gradescope_problems({"score": 1, "tests": [{"score": 2, "max_score": 1}]}))
        self.assertTrue(classroom50_problems({"tests": []}, self.RUNNER))
        suite = '<testsuites><testsuite name="a" tests="1" failures="0" errors="0" skipped="0">%s</testsuite></testsuites>'
        for inside in ("", "<testcase/>", '<testcase name="x"><failure/></testcase>', '<testcase name="x" id="1"/>'):
            self.assertTrue(junit_problems(ElementTree.fromstring(suite % inside)), inside)
        self.assertEqual(junit_problems(ElementTree.fromstring(suite % '<testcase name="x"/>')), [])
        with self.assertRaises(AssertionError):
            canvas_rows(b"Student,ID\r\nada,1\r\n")
        with self.assertRaises(AssertionError):
            moodle_rows(b"username,x\r\nada,\r\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
