#!/usr/bin/env python3
"""The library, the command and with them the wheel need no installed SuiteSparse:GraphBLAS to be built.

    without_test.py --source FOLDER --build FOLDER     BUILD: where everything is built, with Ninja
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

OPTIONS = None
# Objects of sources that use the C API: one of the library, and those of the command.
OBJECTS = ["src/graphblas/CMakeFiles/cugrb_graphblas.dir/real.cpp.o",
           *(f"tools/cugrb/CMakeFiles/cugrb_command.dir/{name}.cpp.o" for name in ("info", "outlook"))]


def run(*words):
    done = subprocess.run([str(word) for word in words], text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def dependencies(folder):
    """{object: the files it was compiled of}, by Ninja's record."""
    found, name = {}, None
    for line in run("ninja", "-C", folder, "-t", "deps").splitlines():
        if match := re.match(r"(\S+): #deps", line):
            name = match[1]
        elif line.startswith(" ") and name:
            found.setdefault(name, []).append(line.strip())
    return found


def headers(files):
    return sorted({path for path in files if path.endswith("/GraphBLAS.h")})


class Built(unittest.TestCase):
    def test_no_source_of_the_library_reads_a_header_of_graphblas(self):
        own = {name: files for name, files in dependencies(OPTIONS.build).items()
               if re.match(r"(src|cuda|semirings)/.*CMakeFiles/cugrb_", name)}
        self.assertGreater(len(own), 100)
        self.assertEqual({name: headers(files) for name, files in own.items() if headers(files)}, {})


class Without(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.build = pathlib.Path(cls.folder.name)
        cls.output = run("cmake", "-S", OPTIONS.source, "-B", cls.build, "-G", "Ninja", "-DCUGRB_GRAPHBLAS=OFF",
                         "-DCUGRB_CUDA=OFF", "-DCMAKE_BUILD_TYPE=Debug")
        cls.targets = run("ninja", "-C", cls.build, "-t", "targets", "all").splitlines()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_it_says_what_is_left_out(self):
        self.assertIn("no SuiteSparse:GraphBLAS; without it there are no tests, benchmarks, drop-in", self.output)

    def test_the_library_and_the_command_can_be_built(self):
        names = {line.split(":")[0] for line in self.targets}
        self.assertLessEqual({"cugrb", "cugrb_command"}, names)
        self.assertFalse(names & {"cugrb_dropin", "test_mirror", "bench_forwarding"})

    def test_no_command_names_an_installed_graphblas(self):
        commands = json.loads((self.build / "compile_commands.json").read_text())
        self.assertGreater(len(commands), 100)
        for command in commands:
            self.assertNotRegex(command["command"], r"suitesparse|\S*libgraphblas", command["file"])

    def test_sources_compile_with_the_stand_in(self):
        run("ninja", "-C", self.build, "-j", "2", "cugrb_stand_in", *OBJECTS)
        found = dependencies(self.build)
        stand_in = str(self.build / "generated/stand_in/GraphBLAS.h")
        self.assertEqual([headers(found[name]) for name in OBJECTS], [[], *([stand_in] for _ in OBJECTS[1:])])


def main():
    global OPTIONS
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", required=True, type=pathlib.Path)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
