"""The installed program, in a folder of this test: it brings all it needs, from any prefix, without the build tree.

    install_test.py BUILD SOURCE
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD, SOURCE = Path(sys.argv[1]), Path(sys.argv[2])
STEP = "coalescing/one-warp"


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="warpshop-install-"))
        cls.prefix = cls.folder / "first prefix"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.prefix], check=True, stdout=subprocess.DEVNULL, umask=0o022)
        # Below another prefix than the one it was installed to.
        moved = cls.folder / "moved"
        cls.prefix.rename(moved)
        cls.prefix = moved
        cls.home = cls.folder / "home"
        cls.home.mkdir()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def run_it(self, *arguments):
        """With no environment but a home that is empty at first: no cache, no variables of ours."""
        return subprocess.run([self.prefix / "bin" / "warpshop", *arguments], capture_output=True, text=True,
                              cwd=self.home, env={"HOME": str(self.home), "PATH": "/usr/bin:/bin"})

    def test_its_data_and_compiler_are_its_own(self):
        said = self.run_it("doctor").stdout
        for place in ("lib/warpshop/cuda-13.0/lib/libnvrtc", "lib/warpshop/cuda-13.0/include", "share/warpshop\n"):
            self.assertIn(f"{self.prefix}/{place}", said)
        self.assertNotIn(str(BUILD), said)

    def test_it_tells_right_from_wrong(self):
        for option, status in (("--solution", 0), ("--start", 1)):
            with self.subTest(option):
                done = self.run_it("check", STEP, option)
                self.assertEqual(done.returncode, status, done.stdout + done.stderr)

    def test_every_lab_is_installed(self):
        labs = json.loads(self.run_it("labs", "--json").stdout)["labs"]
        self.assertEqual({lab["id"] for lab in labs}, {toml.parent.name for toml in SOURCE.glob("labs/*/lab.toml")})

    def test_the_guide_to_writing_labs_is_where_a_new_lab_names_it(self):
        said = self.run_it("labs", "new", "votes").stdout
        guide = Path(next(line for line in said.splitlines() if "the guide: " in line).split("the guide: ")[1])
        self.assertEqual(guide.read_text(), (SOURCE / "docs" / "writing-a-lab.md").read_text())
        self.assertIn(self.prefix, guide.parents)

    def test_headers_for_kernels_are_found(self):
        kernel = self.home / "kernel.cu"
        for header in ("cuda_fp16.h", "mma.h", "cooperative_groups.h", "cuda/ptx", "curand_kernel.h"):
            kernel.write_text(f"#include <{header}>\n__global__ void k(int* out) {{ *out = 1; }}\n")
            with self.subTest(header):
                done = self.run_it("run", "kernel.cu", "--kernel", "k", "--grid", "1", "--block", "1", "--arg", "i32[1]")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_it_grades_in_its_sandbox(self):
        for student, text in (("ada", "--solution"), ("bob", "--start")):
            file = self.home / "class" / student / f"{STEP}.cu"
            file.parent.mkdir(parents=True)
            file.write_text(self.text_of(text))
        done = self.run_it("grade", "class", "--exercise", STEP, "--out", "grades")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = (self.home / "grades" / "grades.csv").read_text().splitlines()
        self.assertIn("passed", next(row for row in rows if "ada" in row))
        self.assertIn("failed", next(row for row in rows if "bob" in row))

    def text_of(self, which):
        if which == "--start":
            return self.run_it("labs", "--skeleton", STEP).stdout
        return (SOURCE / "solutions" / f"{STEP}.cu").read_text()

    def test_nothing_refers_to_what_is_not_installed(self):
        links = [path for path in self.prefix.rglob("*") if path.is_symlink()]
        self.assertEqual(links, [])
        writable = [path for path in self.prefix.rglob("*") if path.stat().st_mode & 0o022]
        self.assertEqual(writable, [], "others could change these")

    @unittest.skipIf(os.path.exists("/usr/local/cuda"), "there is a CUDA Toolkit here, which stands in")
    def test_without_its_compiler_it_says_how_to_fetch_it(self):
        lib, away = self.prefix / "lib", self.prefix / "away"
        lib.rename(away)
        try:
            done = self.run_it("check", STEP, "--solution")
        finally:
            away.rename(lib)
        script = self.prefix / "share" / "warpshop" / "fetch.py"
        self.assertEqual(done.returncode, 3)
        self.assertIn(f"python3 {script} {self.home}/.cache/warpshop cuda-13.0", done.stdout + done.stderr)
        self.assertTrue(script.is_file())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
