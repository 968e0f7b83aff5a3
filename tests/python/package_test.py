#!/usr/bin/env python3
"""Builds the Python package, installs it into an empty environment and uses it as a course would.

    package_test.py SOURCE BUILD

The wheel's tag and dependencies are judged, the notebooks in docs/notebooks are executed, and the
tests in this folder run on the installed package. Status 77 if pip cannot fetch anything.
"""

import contextlib
import json
import os
import re
import runpy
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

SOURCE, BUILD = (Path(argument).resolve() for argument in sys.argv[1:3])
TOOLS = ["hatchling==1.27.0", "auditwheel==6.4.2"]
# The versions of July 2025, for Python 3.9 and newer.
JUPYTER = ["nbclient==0.10.2", "nbformat==5.10.4", "ipykernel==6.29.5", "jupyter-server-proxy==4.4.0"]
SKIPPED = 77

# Executes a notebook; prints it with its outputs.
EXECUTE = """
import sys, nbclient, nbformat
notebook = nbformat.reads(sys.stdin.read(), as_version=4)
nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
print(nbformat.writes(notebook))
"""


def environment_in(folder):
    """The Python of a new environment; None if this machine cannot make one."""
    python = folder / "bin" / "python"
    if subprocess.run([sys.executable, "-m", "venv", folder], capture_output=True).returncode == 0:
        return python
    # Debian's Python has pip, perhaps, but no ensurepip.
    tool = folder.with_name("virtualenv")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", tool, "virtualenv"]
    make = [sys.executable, "-m", "virtualenv", "--quiet", folder]
    if subprocess.run(pip, capture_output=True).returncode != 0:
        return None
    made = subprocess.run(make, env={**os.environ, "PYTHONPATH": str(tool)})
    return python if made.returncode == 0 else None


def setUpModule():
    global python, wheel, room, clean
    room = Path(room_of_module.name)
    python = environment_in(room / "venv")
    if python is None:
        print("no virtual environment can be made here: skipped")
        sys.exit(SKIPPED)
    pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    if subprocess.run([*pip, "install", *TOOLS, *JUPYTER]).returncode != 0:
        print("pip cannot fetch anything here: skipped")
        sys.exit(SKIPPED)
    # From here on, everything has to work.
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", room, SOURCE / "python"],
        env={**os.environ, "WARPSHOP_BUILD": str(BUILD)},
        check=True,
    )
    (wheel,) = room.glob("*.whl")
    subprocess.run([*pip, "install", wheel], check=True)
    # As on a student's machine: none of this build's folders, caches or variables.
    clean = {"HOME": str(room / "home"), "PATH": f"{python.parent}:/usr/bin:/bin", "LC_ALL": "C.UTF-8"}


def tearDownModule():
    room_of_module.cleanup()


def warpshop(*arguments):
    return subprocess.run([python.parent / "warpshop", *arguments], capture_output=True, text=True, env=clean)


def executed(notebook):
    """The notebook with its outputs."""
    done = subprocess.run(
        [python, "-c", EXECUTE], input=json.dumps(notebook), capture_output=True, text=True, env=clean, cwd=room
    )
    if done.returncode != 0:
        raise AssertionError(done.stderr[-4000:])
    return json.loads(done.stdout)


def read_notebook(name):
    return json.loads((SOURCE / "docs" / "notebooks" / name).read_text(encoding="utf-8"))


@contextlib.contextmanager
def jupyter():
    """A running Jupyter server, as a function that returns what is at a path of it."""
    runtime = room / "runtime"
    options = ["--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1", "--ServerApp.token=secret"]
    server = subprocess.Popen(
        [python, "-m", "jupyter_server", *options],
        env={**clean, "JUPYTER_RUNTIME_DIR": str(runtime)},
        cwd=room,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        for line in server.stderr:  # "… Jupyter Server … is running at:", then its address
            if found := re.search(r"(http://127\.0\.0\.1:\d+/)", line):
                break
        else:
            raise AssertionError(f"Jupyter ended with status {server.wait()}")
        # What it says later must not fill the pipe.
        threading.Thread(target=server.stderr.read, daemon=True).start()

        def get(path):
            request = urllib.request.Request(found[1] + path, headers={"Authorization": "token secret"})
            while True:
                try:
                    with urllib.request.urlopen(request, timeout=300) as answer:
                        return answer.read().decode("utf-8")
                except urllib.error.HTTPError:
                    raise
                except urllib.error.URLError:  # it says its address before it listens
                    if server.poll() is not None:
                        raise
                    time.sleep(0.2)

        yield get
    finally:
        os.killpg(server.pid, signal.SIGKILL)  # with what it has started
        server.wait()


def outputs_of(notebook, kind):
    """The outputs of one kind, "text/html" or "text/plain", as text."""
    out = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            text = output.get("text", []) if kind == "text/plain" else []
            out.append("".join(output.get("data", {}).get(kind, text)))
    return [text for text in out if text]


class Package(unittest.TestCase):
    def test_the_tag_is_what_the_program_needs(self):
        said = subprocess.run([python, "-m", "auditwheel", "show", wheel], capture_output=True, text=True)
        self.assertEqual(said.returncode, 0, said.stderr)
        (tag,) = re.findall(r'constrains the platform tag to\s+"([^"]*)"', said.stdout)
        self.assertTrue(wheel.name.endswith(f"-py3-none-{tag}.whl"), (wheel.name, tag))

    def test_nvidias_wheels_are_those_that_start_fetches(self):
        pins = runpy.run_path(str(SOURCE / "cmake" / "fetch.py"))["PINS"]
        wanted = {archive["requirement"] for name in ("cuda-13.0", "nvdisasm-13.2") for archive in pins[name]["archives"]}
        listed = subprocess.run([python, "-m", "pip", "freeze"], capture_output=True, text=True, check=True).stdout.split()
        self.assertEqual({line for line in listed if line.startswith("nvidia-")}, wanted)

    def test_the_program_finds_everything_in_the_environment(self):
        said = warpshop("doctor")
        self.assertEqual(said.returncode, 0, said.stdout)
        inside = str(python.parent.parent)
        for fact in ("NVRTC", "CUDA headers", "data"):
            (line,) = [line for line in said.stdout.splitlines() if line.startswith("ok") and fact in line]
            self.assertIn(inside, line)

    def test_the_command_is_the_program(self):
        self.assertEqual(warpshop("check", "coalescing/one-warp", "--solution").returncode, 0)
        self.assertEqual(warpshop("check", "coalescing/one-warp", "--start").returncode, 1)
        self.assertEqual(warpshop("nothing").returncode, 2)

    def test_every_file_of_the_labs_is_there(self):
        installed = next((python.parent.parent / "lib").glob("python3*/site-packages/warpshop/program/share/warpshop"))
        for folder in ("assets", "kernels", "labs", "solutions"):
            files = [file for file in (SOURCE / folder).rglob("*") if file.is_file() and "__pycache__" not in file.parts]
            missing = [file for file in files if not (installed / file.relative_to(SOURCE)).is_file()]
            self.assertEqual(missing, [])
            self.assertTrue(files)

    def test_jupyter_offers_the_lab_if_the_program_serves_it(self):
        serves = warpshop("serve", "--help").returncode == 0
        with jupyter() as get:
            (entry,) = json.loads(get("server-proxy/servers-info"))["server_processes"]
            self.assertEqual((entry["name"], entry["launcher_entry"]["enabled"]), ("warpshop", serves))
            if serves:
                self.assertIn("<svg", get("server-proxy/icon/warpshop"))
                self.assertIn("<html", get("warpshop/"))

    def test_the_other_tests_on_the_installed_package(self):
        tests = Path(__file__).parent
        command = [python, "-B", "-m", "unittest", "kernels_test", "checks_test"]
        done = subprocess.run(command, cwd=tests, env=clean, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr[-6000:])
        self.assertRegex(done.stderr, r"Ran \d\d+ tests")


class Notebooks(unittest.TestCase):
    def test_every_notebook_has_a_test(self):
        names = {file.name for file in (SOURCE / "docs" / "notebooks").glob("*.ipynb")}
        self.assertEqual(names, {"exercise.ipynb", "own-kernel.ipynb"})

    def test_none_has_outputs(self):
        for name in ("exercise.ipynb", "own-kernel.ipynb"):
            for cell in read_notebook(name)["cells"]:
                self.assertFalse(cell.get("outputs"), name)

    def test_an_exercise(self):
        notebook = executed(read_notebook("exercise.ipynb"))
        (html,) = outputs_of(notebook, "text/html")
        for words in ("✗ coalescing/one-warp: 2 of 4 checks fail", "<svg", "32 sectors for one load of a warp"):
            self.assertIn(words, html)
        text = "".join(outputs_of(notebook, "text/plain"))
        # 32 lanes of 4 bytes need 4 sectors of 32 bytes; 8 elements apart, each lane has a sector to itself.
        self.assertIn("32 sectors per load request; the reference needs 4", text)
        self.assertIn("coalescing/stride\n", text)

    def test_an_exercise_that_the_student_solves(self):
        notebook = read_notebook("exercise.ipynb")
        (cell,) = [cell for cell in notebook["cells"] if "".join(cell["source"]).startswith("%%warpshop")]
        source = "".join(cell["source"])
        cell["source"] = re.sub(r"int i = .*;", "int i = blockIdx.x * blockDim.x + threadIdx.x;", source)
        self.assertNotEqual(cell["source"], source)
        (html,) = outputs_of(executed(notebook), "text/html")
        self.assertIn("✓ coalescing/one-warp: all checks pass", html)

    def test_an_own_kernel(self):
        notebook = executed(read_notebook("own-kernel.ipynb"))
        copy, faulty = outputs_of(notebook, "text/html")
        self.assertIn("✓ copy: completed, no findings", copy)
        self.assertIn("✗ reverse: completed, 1 error", faulty)
        self.assertIn("<strong>race</strong>", faulty)
        text = "\n".join(outputs_of(notebook, "text/plain"))
        # Lanes 4 × stride bytes apart share a sector of 32 bytes until the stride is 8.
        for stride in (1, 2, 4, 8, 16, 32):
            self.assertIn(f"stride {stride:2}: {min(32, 4 * stride):4} sectors per load", text)
        self.assertIn("[] True", text)
        self.assertIn("argument 1 (const float* in): expected an array of float32, got float64", text)

    def test_the_magics(self):
        cells = [
            ("%load_ext warpshop", ""),
            ("%warpshop coalescing/one-warp", ""),
            ("%warpshop", "coalescing: one-warp, stride"),
            ("%warpshop nothing", "there is no lab 'nothing'"),
            ("%%warpshop\nx", "expected an exercise"),
            ("%%warpshop coalescing/nothing\nx", "no step 'nothing'"),
            ("%%warpshop coalescing/one-warp --to a-b\nx", "expected a variable's name"),
            ("%%warpshop coalescing/one-warp --gpu 8800-gt\n__global__ void twice() { wrong }", "8800 GT"),
        ]
        notebook = read_notebook("exercise.ipynb")
        notebook["cells"] = [
            {"cell_type": "code", "id": f"c{n}", "metadata": {"tags": ["raises-exception"]}, "source": source,
             "outputs": [], "execution_count": None}
            for n, (source, _) in enumerate(cells)
        ]  # fmt: skip
        for cell, (source, wanted) in zip(executed(notebook)["cells"], cells):
            self.assertIn(wanted, json.dumps(cell["outputs"], ensure_ascii=False), source)


room_of_module = tempfile.TemporaryDirectory(prefix="warpshop-package-")

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
