#!/usr/bin/env python3
"""Classroom 50 runs this in the student's checkout: CLASSROOM/autograders/ASSIGNMENT/autograder.py.

Status 0: graded, whatever the points. Any other status: nothing is known about the submission, and
there is no result.json.
"""

import subprocess
import sys
import tempfile

OPTIONS = ["--exercise", "coalescing/stride", "--points", "coalescing/stride=10"]

with tempfile.TemporaryDirectory() as out:
    sys.exit(subprocess.run(
        ["warpshop", "grade", ".", "--one", "--out", out, "--format", "classroom50=result.json", *OPTIONS],
        check=False).returncode)
