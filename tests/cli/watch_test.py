"""`warpshop watch` in a terminal, driven by keys and by saves as a student's editor makes them.

    python3 watch_test.py PROGRAM SOURCES
"""

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

PROGRAM, SOURCES = (os.path.abspath(argument) for argument in sys.argv[1:3])
PATIENCE_S = 120  # a machine under load; only a hang takes that long
CLEAR = b"\x1b[H\x1b[2J"


class Terminal:
    """The program in a terminal of its own."""

    def __init__(self, test, *arguments):
        self.test = test
        self.master, self.slave = pty.openpty()
        termios.tcsetwinsize(self.slave, (40, 100)) if hasattr(termios, "tcsetwinsize") else None
        self.before = termios.tcgetattr(self.slave)
        self.seen = b""
        self.process = subprocess.Popen(
            [PROGRAM, *arguments], stdin=self.slave, stdout=self.slave, stderr=self.slave, cwd=test.folder,
            env=test.environment(TERM="xterm"), start_new_session=True,
            preexec_fn=lambda: self.make_controlling())

    def make_controlling(self):
        import fcntl
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def read(self, seconds):
        ready, _, _ = select.select([self.master], [], [], seconds)
        if ready:
            self.seen += os.read(self.master, 1 << 16)
        return bool(ready)

    def screen(self):
        """What was drawn since the screen was last cleared, without colours."""
        text = self.seen.rsplit(CLEAR, 1)[-1].decode("utf-8", "replace")
        return re.sub(r"\x1b\[[0-9;]*m", "", text).replace("\r\n", "\n")

    def wait_for(self, *patterns):
        end = time.monotonic() + PATIENCE_S
        while not all(re.search(pattern, self.screen()) for pattern in patterns):
            if time.monotonic() > end or self.process.poll() is not None:
                self.test.fail(f"not shown: {patterns}\n{self.screen()}")
            self.read(0.5)
        return self.screen()

    def press(self, keys):
        os.write(self.master, keys.encode())

    def end(self):
        """Its status; what it left on the screen stays readable."""
        end = time.monotonic() + PATIENCE_S
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.2)
        while self.read(0):
            pass
        self.test.assertEqual(termios.tcgetattr(self.slave)[3], self.before[3], "the terminal is not as before")
        return self.process.returncode

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)


class Watch(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="warpshop-watch-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        shutil.copytree(Path(SOURCES) / "tests/lab/data", self.folder / "data")
        (self.folder / "data/assets").symlink_to(Path(SOURCES) / "assets")

    def environment(self, **more):
        environment = {**os.environ, "WARPSHOP_DATA": str(self.folder / "data"),
                       "WARPSHOP_HOME": str(self.folder / "home"), **more}
        environment.pop("NO_COLOR", None)
        return environment

    def terminal(self, *arguments):
        terminal = Terminal(self, "watch", *arguments)
        self.addCleanup(terminal.close)
        return terminal

    def run_program(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, env=self.environment(), text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=PATIENCE_S)

    def solution(self, step):
        return (self.folder / f"data/solutions/fixture/{step}.cu").read_text()

    def save(self, path, text):
        """As most editors do: the new text replaces the file under its name."""
        beside = path.with_suffix(".new")
        beside.write_text(text)
        os.replace(beside, path)

    def progress(self):
        return json.loads((self.folder / "home/progress.json").read_text())["steps"]

    def test_a_student_works_through_a_lab(self):
        terminal = self.terminal("fixture", "--dir", "mine")
        scale, transpose = (self.folder / f"mine/fixture/{step}.cu" for step in ("scale", "transpose"))
        shown = terminal.wait_for(r"Fixture › Neighbours read neighbours", r"exercise 1 of 2 · mine/fixture/scale.cu",
                                  r"\[-+\]  0 of 2 exercises passed", r"h hint +n skip", r"✗ ")
        self.assertEqual(shown.count("✗"), 1, "one thing at a time")
        self.assertEqual(scale.read_text(), self.run_program("labs", "--skeleton", "fixture/scale").stdout)
        self.assertTrue(transpose.exists())

        self.save(scale, self.solution("scale").replace(";", "", 1))
        shown = terminal.wait_for(r"mine/fixture/scale.cu:\d+:\d+: error: ")
        self.assertEqual(shown.count("error:"), 1)

        terminal.press("t")
        terminal.wait_for(r"## Your task|# ", r"any key back")
        terminal.press("t")
        terminal.wait_for(r"scale.cu:\d+:\d+: error: ")
        terminal.press("h")
        terminal.wait_for(r"Hint 1 of 3\n  Look at the index\.")
        self.assertNotIn("Hint 2", terminal.screen())
        terminal.press("hhh")
        terminal.wait_for(r"Hint 3 of 3", r"There are no more hints\.")
        self.assertEqual(self.progress()["fixture/scale"]["hints_shown"], 3)

        terminal.press("s")
        terminal.wait_for(r"Look at the solution\?", r"y show the solution")
        terminal.press("n")
        terminal.wait_for(r"h hint")
        self.assertFalse(self.progress()["fixture/scale"]["solution_shown"])

        self.save(scale, self.solution("scale"))
        terminal.wait_for(r"✓ passed: all \d+ checks pass", r"\[#+-+\]  1 of 2 exercises passed", r"n next exercise")
        recorded = self.progress()["fixture/scale"]
        self.assertTrue(recorded["passed"])
        self.assertRegex(recorded["passed_at"], r"^\d{4}-\d\d-\d\dT")
        self.assertEqual((self.folder / "home/passed/fixture/scale.cu").read_text(), self.solution("scale"))

        terminal.press("n")
        terminal.wait_for(r"exercise 2 of 2 · mine/fixture/transpose.cu", r"✗ ")
        terminal.press("s")
        terminal.wait_for(r"Look at the solution\?")
        terminal.press("y")
        terminal.wait_for(r"The worked solution", r"__global__ void transpose")
        terminal.press("x")
        terminal.wait_for(r"exercise 2 of 2")
        self.assertTrue(self.progress()["fixture/transpose"]["solution_shown"])

        terminal.press("l")
        terminal.wait_for(r"  ✓ Neighbours read neighbours", r">   Through a tile")
        terminal.press("\x1b[A")
        terminal.wait_for(r"> ✓ Neighbours read neighbours")
        terminal.press("j")
        terminal.wait_for(r">   Through a tile")
        terminal.press("k\r")
        terminal.wait_for(r"exercise 1 of 2", r"✓ passed")

        self.save(transpose, self.solution("transpose"))  # a later exercise waits for its turn
        terminal.press("n")
        terminal.wait_for(r"✓ passed", r"2 of 2 exercises passed", r"Every exercise of Fixture is passed")
        self.save(scale, "int x = ;\n")  # an earlier one is gone back to
        terminal.wait_for(r"exercise 1 of 2", r"scale.cu:1:\d+: error")
        terminal.press("q")
        self.assertEqual(terminal.end(), 0)
        # Of the same record as the window's.
        listed = self.run_program("labs").stdout
        self.assertRegex(listed, r"✓ scale ")
        self.assertRegex(listed, r"✓ transpose ")
        self.assertEqual(self.run_program("hand-in", "given").returncode, 0)
        self.assertEqual((self.folder / "given/fixture/scale.cu").read_text(), self.solution("scale"))

    def test_files_that_exist_are_never_written(self):
        mine = self.folder / "home/work/fixture/scale.cu"
        mine.parent.mkdir(parents=True)
        mine.write_text("my own text, not even a kernel\n")
        (mine.parent / "transpose.cu").symlink_to("/nonexistent/elsewhere.cu")
        terminal = self.terminal("fixture")
        terminal.wait_for(r"home/work/fixture/scale.cu:1:\d+: error")
        self.assertNotIn("to start from", terminal.seen.decode())
        terminal.press("n")
        terminal.wait_for(r"exercise 2 of 2")
        terminal.press("q")
        self.assertEqual(terminal.end(), 0)
        self.assertEqual(mine.read_text(), "my own text, not even a kernel\n")
        self.assertTrue((mine.parent / "transpose.cu").is_symlink())

    def test_every_way_out_restores_the_terminal(self):
        for leave, status in ((lambda t: t.press("\x03"), 130), (lambda t: t.process.send_signal(signal.SIGTERM), -15),
                              (lambda t: t.press("q"), 0), (lambda t: t.press("\x04"), 0)):
            terminal = self.terminal("fixture/scale", "mine.cu")
            terminal.wait_for(r"q quit")
            self.assertNotEqual(termios.tcgetattr(terminal.slave)[3], terminal.before[3])
            leave(terminal)
            self.assertIn(terminal.end(), (status, 128 - status), status)

    def test_a_save_during_a_check_starts_another(self):
        endless = self.solution("scale").replace("if (i < n)", "while (i < n)")
        self.assertIn("while", endless)
        (self.folder / "mine.cu").write_text(endless)
        terminal = self.terminal("fixture/scale", "mine.cu", "--budget", "1000000000000")
        terminal.wait_for(r"checking …")
        self.save(self.folder / "mine.cu", self.solution("scale"))
        terminal.wait_for(r"✓ passed")
        terminal.press("q")
        self.assertEqual(terminal.end(), 0)

    def test_a_file_that_is_gone_for_a_moment(self):
        mine = self.folder / "mine.cu"
        terminal = self.terminal("fixture/scale", "mine.cu")
        terminal.wait_for(r"✗ ")
        mine.unlink()
        terminal.wait_for(r"mine.cu")
        mine.write_text(self.solution("scale"))
        terminal.wait_for(r"✓ passed")
        terminal.press("q")
        self.assertEqual(terminal.end(), 0)

    def test_without_a_terminal(self):
        process = subprocess.Popen([PROGRAM, "watch", "fixture", "--dir", "mine"], cwd=self.folder,
                                   env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        lines = []

        def read_until(words):
            for line in process.stdout:
                lines.append(line)
                if words in line:
                    return
            self.fail(f"{words} is not in {''.join(lines)}")

        read_until("0 of 2 exercises passed")
        self.save(self.folder / "mine/fixture/scale.cu", "#error \x1b]0;title\x07 \x1b[31m\n")
        read_until("error:")
        self.save(self.folder / "mine/fixture/scale.cu", self.solution("scale"))
        read_until("1 of 2 exercises passed")
        read_until("Through a tile")
        self.save(self.folder / "mine/fixture/transpose.cu", self.solution("transpose"))
        rest, errors = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 0, errors)
        self.assertIn("Every exercise of Fixture is passed", rest)
        self.assertNotIn("\x1b", "".join(lines) + rest + errors)

        # There is nothing left to do, unless an exercise is named.
        done = self.run_program("watch", "fixture", "--dir", "mine")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 of 2 exercises passed", done.stdout)
        done = self.run_program("watch", "fixture/scale", "mine/fixture/scale.cu")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("✓ passed", done.stdout)

    def test_wrong_use(self):
        (self.folder / "file").write_text("")
        for arguments, words in ((("nolab",), "nolab"), (("fixture/nostep",), "its steps are"),
                                 (("fixture/reading",), "for reading"), (("fixture", "my.cu"), "needs the step"),
                                 (("fixture/scale", "my.cu", "--dir", "x"), "excludes"),
                                 (("fixture", "--dir", "file"), "cannot be written")):
            done = self.run_program("watch", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
