#!/usr/bin/env python3
"""Every way in which a program can come to use GraphBLAS, with a published SuiteSparse in place of the installed one.

    every_way_test.py --folder WHEELS --version 9.4.5.0        LOADING_PROGRAMS, CUGRB_LIBRARY, ... as for tests/graphblas

The programs are those of tests/graphblas, which are linked to the installed library: they find the published one under its
name. Each computes on the emulated device.
"""

import argparse
import os
import pathlib
import re
import sys
import tempfile
import unittest

import library as published

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "graphblas"))
EMULATED = {"CUGRB_OFFLOAD": "always", "CUGRB_DEVICE": "emulated"}


class EveryWay(unittest.TestCase):
    real = None  # the published library
    loading = None  # the module of tests/graphblas

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        installed = re.search(r"so\.(\d+)", os.environ["INSTALLED_GRAPHBLAS"])[1]
        for major in {installed, re.search(r"so\.(\d+)", cls.real.name)[1]}:
            (cls.folder / f"libgraphblas.so.{major}").symlink_to(cls.real)
        # The published library finds its OpenMP beside itself.
        cls.search = f"{cls.folder}:{cls.real.parent}"
        cls.plain = cls.run_program("loading_direct")

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    @classmethod
    def run_program(cls, name, *arguments, path="", **variables):
        program = cls.loading.PROGRAMS / name
        return cls.loading.run([program, *arguments], LD_LIBRARY_PATH=f"{path}{cls.search}", **EMULATED, **variables)

    def check(self, result):
        """It computed what SuiteSparse alone does, on the device, before the published library."""
        self.assertEqual(result["status"], 0, result["output"])
        self.assertEqual(result["parent"], self.plain["parent"])
        self.assertEqual(result["forward only:"], "")
        self.assertEqual(os.path.realpath(result["real"]), os.path.realpath(self.real))
        self.assertEqual(result["gpu"], "1", result["output"])

    def test_the_published_library_is_used_plain(self):
        self.assertEqual(self.plain["status"], 0, self.plain["output"])
        self.assertNotIn("interposer", self.plain)

    def test_preloaded(self):
        self.check(self.run_program("loading_direct", LD_PRELOAD=self.loading.LIBRARY))

    def test_linked_before_graphblas(self):
        self.check(self.run_program("loading_link_order"))

    def test_private_copy_under_a_hashed_name(self):
        extension = self.folder / "extension.so"
        extension.write_bytes((self.loading.PROGRAMS / "extension.so").read_bytes())
        hashed = next(self.loading.PROGRAMS.glob("libgraphblas-8a6b1c2d.so.*")).name
        (self.folder / hashed).symlink_to(self.real)
        self.check(self.run_program("loading_host", extension, LD_PRELOAD=self.loading.LIBRARY))

    def drop_in(self):
        """The drop-in folder with the published library's path where the installed one's was recorded."""
        installed = os.environ["INSTALLED_GRAPHBLAS"].encode() + b"\0"
        recorded = str(self.folder / "real").encode() + b"\0"
        self.assertLessEqual(len(recorded), len(installed))
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        [drop_in] = pathlib.Path(self.loading.DROPIN).glob("libgraphblas.so.*")
        content = drop_in.read_bytes()
        self.assertIn(installed, content)
        (folder / drop_in.name).write_bytes(content.replace(installed, recorded.ljust(len(installed), b"\0")))
        if not (self.folder / "real").exists():
            (self.folder / "real").symlink_to(self.real)
        return folder

    def test_drop_in_folder(self):
        self.check(self.run_program("loading_direct", path=f"{self.drop_in()}:"))

    def test_preloaded_through_dlsym(self):
        """ctypes asks the published library's own handle: the interposer answers."""
        result = self.loading.run_ctypes("ctypes.CDLL(None)", LD_PRELOAD=self.loading.LIBRARY, LD_LIBRARY_PATH=self.search)
        self.assertEqual(result["status"], 0, result["output"])
        self.assertEqual((result["value"], result["product"], result["forward only:"]), ("1.5", "2.25", ""))
        self.assertEqual(os.path.realpath(result["real"]), os.path.realpath(self.real))
        self.assertIn("GrB_mxm on emulated", result["output"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", required=True)
    parser.add_argument("--version", required=True)
    options, rest = parser.parse_known_args()
    EveryWay.real = published.library(options.folder, options.version).resolve()
    os.environ["INSTALLED_GRAPHBLAS"] = os.environ["REAL_GRAPHBLAS"]
    os.environ["REAL_GRAPHBLAS"] = str(EveryWay.real)
    import loading_test as loading  # it reads the environment
    EveryWay.loading = loading
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
