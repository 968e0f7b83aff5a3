#!/usr/bin/env python3
"""The commands of docs/grading.md as they stand there: a class of all labs, smaller, and archives that are unpacked.

    commands_test.py WARPSHOP SOURCES
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

PROGRAM, SOURCES = sys.argv[1], Path(sys.argv[2])
STUDENTS = 6


def block_with(word):
    """The block of commands that has this word."""
    blocks = re.findall(r"^```\n(.*?)^```$", (SOURCES / "docs/grading.md").read_text(), re.DOTALL | re.MULTILINE)
    found = [block for block in blocks if word in block]
    assert len(found) == 1, f"{len(found)} blocks with {word}"
    return found[0]


class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="warpshop-commands-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def start(self, commands, cwd, **environment):
        return subprocess.run(["bash", "-ec", commands], cwd=cwd, text=True, capture_output=True, check=False,
                              env={**os.environ, "WARPSHOP_HOME": str(self.folder / "home"), **environment})

    def test_a_class_of_all_labs_gets_the_verdicts_that_it_should(self):
        commands = block_with("make_class.py")
        for old, new in [("build/warpshop", PROGRAM), ("/tmp", str(self.folder)), (" 1000", f" {STUDENTS}")]:
            self.assertIn(old, commands)
            commands = commands.replace(old, new)
        done = self.start(commands, SOURCES, WARPSHOP_DATA=str(SOURCES))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"{10 * STUDENTS} of {10 * STUDENTS} grades", done.stdout)
        self.assertIn("0 unlike, 0 missing", done.stdout)

    def test_archives_become_folders_of_students(self):
        for student in ("ada", "Zo\u00eb M."):
            with zipfile.ZipFile(self.folder / f"{student}.zip", "w") as archive:
                archive.writestr("coalescing/stride.cu", f"// {student}\n")
        done = self.start(block_with("unzip"), self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        for student in ("ada", "Zo\u00eb M."):
            self.assertEqual((self.folder / "submissions" / student / "coalescing/stride.cu").read_text(), f"// {student}\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
