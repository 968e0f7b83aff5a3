"""cmake/fetch.py against archives made here: what is brought, and what is refused. No network."""

import hashlib
import io
import os
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "cmake"))
import fetch  # noqa: E402


def source_archive(folder, name, version, files):
    path = folder / f"{name}-{version}.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for entry, text in files.items():
            info = tarfile.TarInfo(f"{name}-{version}/{entry}")
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text))
    return hashlib.sha256(path.read_bytes()).hexdigest()


def wheel(folder, name, version, files):
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        info = f"{name}-{version}.dist-info"
        archive.writestr(f"{info}/METADATA",
                         f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
        archive.writestr(f"{info}/licenses/License.txt", "its licence")
        for entry, text in files.items():
            archive.writestr(entry, text)
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Fetch(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)
        self.cache = self.folder / "cache"
        self.addCleanup(setattr, fetch, "PINS", fetch.PINS)
        os.environ.update(PIP_NO_INDEX="1", PIP_FIND_LINKS=str(self.folder))

    def pin(self, archive, parts):
        fetch.PINS = {"thing-1": {"what": "a thing", "archives": [archive], "parts": parts}}

    def files(self):
        thing = self.cache / "thing-1"
        return sorted(str(p.relative_to(thing)) for p in thing.rglob("*") if p.is_file())

    def test_only_the_parts_named_are_taken_from_sources(self):
        sha256 = source_archive(self.folder, "thing", "1.0", {
            "pyproject.toml": b'[build-system]\nrequires = ["nowhere"]\n'
                              b'build-backend = "nowhere.build"\n',
            "lib/a.h": b"a", "lib/b.h": b"b", "demo/c.h": b"c"})
        self.pin(fetch.sources("thing==1.0", sha256, backend="nowhere.build"), {"lib/": "include/"})
        fetch.main([str(self.cache), "thing-1"])
        self.assertEqual(self.files(), ["complete", "include/a.h", "include/b.h"])

    def test_a_wheel_brings_its_licence(self):
        sha256 = wheel(self.folder, "thing", "1.0", {"cu/lib/x.so": "x", "cu/lib/x.alt.so": "y"})
        self.pin(fetch.wheel("thing==1.0", any=sha256), {"cu/": ""})
        fetch.main([str(self.cache), "thing-1"])
        self.assertEqual(self.files(), ["complete", "lib/x.so", "licenses/thing.txt"])

    def test_a_program_may_be_started(self):
        sha256 = wheel(self.folder, "thing", "1.0", {"cu/bin/x": "#!/bin/sh", "cu/lib/y": "y"})
        self.pin(fetch.wheel("thing==1.0", any=sha256), {"cu/": ""})
        fetch.main([str(self.cache), "thing-1"])
        self.assertTrue(os.access(self.cache / "thing-1" / "bin" / "x", os.X_OK))

    def test_another_archive_of_the_same_name_is_refused(self):
        wheel(self.folder, "thing", "1.0", {"cu/lib/x.so": "x"})
        self.pin(fetch.wheel("thing==1.0", any="0" * 64), {"cu/": ""})
        with self.assertRaises(SystemExit) as refused:
            fetch.main([str(self.cache), "thing-1"])
        self.assertIn("thing==1.0", str(refused.exception))
        self.assertFalse((self.cache / "thing-1").exists())

    def test_a_changed_pin_is_fetched_again(self):
        first = wheel(self.folder, "thing", "1.0", {"cu/lib/x.so": "x"})
        self.pin(fetch.wheel("thing==1.0", any=first), {"cu/": ""})
        fetch.main([str(self.cache), "thing-1"])
        self.assertTrue(fetch.is_complete(self.cache, "thing-1"))
        second = wheel(self.folder, "thing", "2.0", {"cu/lib/z.so": "z"})
        self.pin(fetch.wheel("thing==2.0", any=second), {"cu/": ""})
        self.assertFalse(fetch.is_complete(self.cache, "thing-1"))
        fetch.main([str(self.cache), "thing-1"])
        self.assertEqual(self.files(), ["complete", "lib/z.so", "licenses/thing.txt"])


if __name__ == "__main__":
    unittest.main()
