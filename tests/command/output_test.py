#!/usr/bin/env python3
"""Tests of what the cugrb command writes: whole files or none, devices and pipes as they are, names as they may be shown, and
nothing left behind by a signal.

    output_test.py --cugrb BUILD/bin/cugrb --data tests/data [unittest arguments]
"""
import json
import os
import pathlib
import resource
import shutil
import signal
import stat
import subprocess
import threading
import time
import xml.etree.ElementTree

import command_test
from command_test import CommandTest, PATH_GRAPH

BANDED = "%%MatrixMarket matrix coordinate"


class OutputTest(CommandTest):
    def generate(self, path):
        return self.run_cugrb("generate", "banded", "4", "1", "-o", path)

    def names(self):
        return sorted(os.listdir(os.fsencode(self.folder)))

    def device(self, name, minor):
        """A node of /dev/null (3) or /dev/full (7) of our own; the machine's must not be put at risk."""
        path = self.folder / name
        try:
            os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, minor))
            open(path, "wb").close()
        except OSError as error:
            self.skipTest(f"no device nodes here: {error}")
        return path

    NUMBERS = ("rows", "columns", "entries", "offset_bytes", "column_bytes", "matrix_value_bytes", "vector_value_bytes", "result_bytes",
               "vector_entries", "allowed_share", "memory_bytes", "slice_columns", "hyb_threshold", "hyb_slice_columns", "gather_lines",
               "gather_sectors_1", "gather_sectors_4", "gather_sectors_8", "tile_columns", "tiles_made", "push_rows", "push_longest",
               "push_empty", "push_mean", "push_deviation")

    def measurement_commands(self):
        """Command lines of calibrate and precompile without the name of their output, which comes last."""
        problem = {**{name: 4 for name in self.NUMBERS}, "tile_columns": 0,
                   **{name + "_refusal": "" for name in ("push", "merge", "tile", "cusparse")},
                   **{name: False for name in ("stops_early", "stops_at_once", "swaps_to_add")}}
        product = {"name": "m", "family": "file", "profile": {"lengths": [1], "rows": [4]}, "problems": {"s": problem}, "results": []}
        results = self.file("results.json", json.dumps({"matrices": [product]}))
        requests = self.file("requests", "")
        return [["calibrate", "--results", results, "--output"], ["calibrate", "--results", results, "--pairs"],
                ["precompile", "--device", "emulated", "--architecture", "host", "--list", requests, "--times"]]


class Files(OutputTest):
    def test_a_link_stays_and_its_target_is_written(self):
        (self.folder / "there").mkdir()
        for link, target in (("link.mtx", "there/target.mtx"), ("second.mtx", "link.mtx")):
            (self.folder / link).symlink_to(target)
        for _ in range(2):  # a new target, then one that is there
            self.assert_works(self.generate(self.folder / "second.mtx"), "4 x 4")
            self.assertTrue((self.folder / "link.mtx").is_symlink() and (self.folder / "second.mtx").is_symlink())
            self.assertTrue((self.folder / "there" / "target.mtx").read_text().startswith(BANDED))
        self.assertEqual(os.listdir(self.folder / "there"), ["target.mtx"])
        (self.folder / "loop").symlink_to("loop")
        self.assert_fails(self.generate(self.folder / "loop"), 1, "loop: cannot be written", "symbolic links")

    def test_the_mode_of_a_file_that_is_replaced_is_kept(self):
        path = self.file("x.mtx", "old")
        for mode in (0o600, 0o664, 0o755):
            path.chmod(mode)
            self.assert_works(self.generate(path))
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), mode)
        before = os.umask(0o027)
        try:
            self.assert_works(self.generate(self.folder / "new.mtx"))
        finally:
            os.umask(before)
        self.assertEqual(stat.S_IMODE((self.folder / "new.mtx").stat().st_mode), 0o640)

    def test_a_pipe_gets_the_graph_and_stays(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for words in (["generate", "banded", "4", "1", "-o", pipe], ["run", "bfs", "rmat:4", "--backend", "cpu", "--json", pipe]):
            got = []
            reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
            reader.start()
            self.assert_works(self.run_cugrb(*words))
            reader.join(60)
            self.assertTrue(stat.S_ISFIFO(pipe.stat().st_mode))
            self.assertTrue(got[0].startswith((BANDED, "[")), got)
        self.assertEqual(self.names(), [b"pipe"])

    def test_a_device_is_written_and_stays(self):
        null = self.device("null", 3)
        for words in (["generate", "banded", "4", "1", "-o", null], ["run", "bfs", "rmat:4", "--backend", "cpu", "--json", null],
                      ["explain", "rmat:4", "--json", null, "--svg", null]):
            self.assert_works(self.run_cugrb(*words))
            self.assertTrue(stat.S_ISCHR(null.lstat().st_mode))
        link = self.folder / "link"
        link.symlink_to("null")
        self.assert_works(self.generate(link))
        self.assertTrue(link.is_symlink() and stat.S_ISCHR(null.lstat().st_mode))

    def test_a_full_disk_is_an_error(self):
        full = self.device("full", 7)
        for words in (["generate", "banded", "4", "1", "-o", full], ["run", "bfs", "rmat:4", "--backend", "cpu", "--json", full],
                      ["explain", "rmat:4", "--json", full], ["explain", "rmat:4", "--svg", full]):
            self.assert_fails(self.run_cugrb(*words), 1, "full: cannot be written: No space left on device")
            self.assertTrue(stat.S_ISCHR(full.lstat().st_mode))

    def test_nothing_is_left_of_a_file_that_could_not_be_written_whole(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
        for name in ("x.mtx", "x.mtx.gz"):
            path = self.file(name, "as it was")
            done = subprocess.run([command_test.OPTIONS.cugrb, "generate", "uniform", "20000", "-o", path], capture_output=True, text=True,
                                  preexec_fn=limit)
            self.assert_fails(done, 1, f"{path}: cannot be written: File too large")
            self.assertEqual(path.read_text(), "as it was")
        self.assertEqual(self.names(), [b"x.mtx", b"x.mtx.gz"])

    def test_a_failure_leaves_the_old_file(self):
        bad, out, svg = self.file("bad.txt", "0 x\n"), self.file("out.json", "as it was"), self.folder / "new.svg"
        self.assert_fails(self.run_cugrb("run", "bfs", bad, "--backend", "cpu", "--json", out), 1, "bad.txt:1: expected a vertex number")
        self.assert_fails(self.run_cugrb("explain", bad, "--svg", svg), 1, "bad.txt:1")
        self.assertEqual(out.read_text(), "as it was")
        self.assertEqual(self.names(), [b"bad.txt", b"cache", b"out.json"] if (self.folder / "cache").exists() else [b"bad.txt", b"out.json"])

    def test_the_input_is_never_the_output(self):
        graph, names = self.file("g.mtx", PATH_GRAPH), self.file("names", "a\nb\nc\nd\n")
        other = self.folder / "other.mtx"
        other.symlink_to("g.mtx")
        hard = self.folder / "hard"
        os.link(names, hard)
        for out in (graph, other, self.folder / "." / "g.mtx", hard):
            self.assert_fails(self.run_cugrb("run", "bfs", graph, "--names", names, "--backend", "cpu", "--json", out), 2,
                              f"--json: {out} is read by this command")
        self.assert_fails(self.run_cugrb("explain", graph, "--svg", graph), 2, "--svg: ", "is read by this command")
        self.assert_fails(self.run_cugrb("explain", "--mxm", "rmat:4", graph, "--json", graph), 2, "--json: ", "is read by this command")
        self.assert_fails(self.run_cugrb("explain", self.folder, "--json", graph), 2, "is read by this command")
        same = self.folder / "same"
        self.assert_fails(self.run_cugrb("explain", "rmat:4", "--json", same, "--svg", same), 2, "--svg and --json: both are")
        self.assertFalse(same.exists())
        self.assertEqual((graph.read_text(), names.read_text()), (PATH_GRAPH, "a\nb\nc\nd\n"))

    def test_what_cannot_be_written_is_named_before_the_work(self):
        for path, why in ((self.folder, "it is a directory"), ("/nonexistent/x", "no file can be made in /nonexistent/"),
                          (self.file("file", "") / "x", "Not a directory")):
            for words in (["generate", "banded", "4", "1", "-o", path], ["run", "bfs", "/none.mtx", "--backend", "cpu", "--json", path],
                          ["explain", "/none.mtx", "--svg", path]):
                self.assert_fails(self.run_cugrb(*words), 1, f"{path}: cannot be written: ", why)

    def test_standard_output_can_be_the_file(self):
        out = self.folder / "out"
        out.symlink_to("/proc/self/fd/1")  # as /dev/stdout, which is the machine's
        result = self.generate(out)
        self.assert_works(result)
        self.assertTrue(out.is_symlink())
        self.assertIn("4 x 4", result.stderr)
        graph = self.file("copy.mtx", result.stdout)
        self.assert_works(self.run_cugrb("run", "bfs", graph, "--backend", "cpu"), "4 vertices, 10 entries")
        kept = self.file("kept", "")
        with open(kept, "r+b") as file:
            file.write(b"before\n")
            file.flush()
            subprocess.run([command_test.OPTIONS.cugrb, "generate", "banded", "4", "1", "-o", out], stdout=file, stderr=subprocess.DEVNULL)
        self.assertTrue(kept.read_text().startswith("before\n" + BANDED))


class Measurements(OutputTest):
    """The files of calibrate and precompile: the same rules as for all others."""

    def test_a_new_file_and_the_target_of_a_link_are_written(self):
        for words in self.measurement_commands():
            with self.subTest(words=words):
                target, link = self.folder / "target", self.folder / "link"
                link.symlink_to("target")
                self.assert_works(self.run_cugrb(*words, target))
                written = target.read_text()
                target.write_text("old")
                target.chmod(0o664)
                self.assert_works(self.run_cugrb(*words, link))
                self.assertTrue(link.is_symlink())
                self.assertEqual(target.read_text(), written)
                # A profile is trusted only when nobody else can write to it.
                self.assertEqual(stat.S_IMODE(target.stat().st_mode), 0o644 if "--output" in words else 0o664)
                target.unlink()
                link.unlink()

    def test_a_pipe_gets_the_text_and_stays(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe, 0o622)
        for words in self.measurement_commands():
            with self.subTest(words=words):
                mode, got = pipe.stat().st_mode, []
                reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
                reader.start()
                self.assert_works(self.run_cugrb(*words, pipe))
                reader.join(60)
                self.assertEqual(pipe.stat().st_mode, mode)
                self.assertTrue(got[0].startswith(("{", "matrix,")), got)

    def test_a_device_is_written_and_stays_as_it_is(self):
        null, full = self.device("null", 3), self.device("full", 7)
        for device in (null, full):
            device.chmod(0o666)
        for words in self.measurement_commands():
            with self.subTest(words=words):
                self.assert_works(self.run_cugrb(*words, null))
                self.assert_fails(self.run_cugrb(*words, full), 1, "full: cannot be written: No space left on device")
                for device in (null, full):
                    self.assertEqual(device.lstat().st_mode, stat.S_IFCHR | 0o666)

    def test_what_cannot_be_written_is_named_before_the_work(self):
        for words in self.measurement_commands():
            with self.subTest(words=words):
                result = self.run_cugrb(*words, "/nonexistent/x" if words[0] == "precompile" else self.folder)
                self.assert_fails(result, 1, "cannot be written: ")
                self.assertEqual(result.stdout, "")

    def test_the_input_is_never_the_output(self):
        for words in self.measurement_commands():
            given = next(word for word in words if isinstance(word, pathlib.Path))
            before = given.read_text()
            self.assert_fails(self.run_cugrb(*words, given), 2, f"{words[-1]}: ", "is read by this command")
            self.assertEqual(given.read_text(), before)

    def test_a_list_of_kernels_that_cannot_be_written_costs_no_compilation(self):
        words = ["precompile", "--device", "emulated", "--cache", self.folder / "cache", "--write-list", self.folder]
        self.assert_fails(self.run_cugrb(*words), 1, "it is a directory")
        self.assertFalse((self.folder / "cache" / "host").exists())


class StandardOutput(OutputTest):
    COMMANDS = [["info"], ["info", "--json"], ["--help"], ["--version"], ["run", "--help"], ["run", "bfs", "rmat:4", "--backend", "cpu"],
                ["explain", "rmat:4"], ["generate", "banded", "4", "1", "-o", "x.mtx"],
                ["calibrate", "--results", "results.json"], ["precompile", "--device", "emulated", "--list", "requests"]]

    def setUp(self):
        super().setUp()
        self.measurement_commands()  # their inputs

    def run_into(self, words, stdout, **more):
        result = subprocess.run([command_test.OPTIONS.cugrb, *words], stdout=stdout, stderr=subprocess.PIPE, text=True, cwd=self.folder,
                                timeout=300, **more)
        result.stdout = ""
        return result

    def test_a_full_disk_is_an_error_in_every_subcommand(self):
        device = self.device("full", 7)
        for words in self.COMMANDS:
            with self.subTest(words=words), open(device, "w") as full:
                self.assert_fails(self.run_into(words, full), 1, "standard output cannot be written", "No space left on device")

    def test_a_pipe_without_a_reader_is_an_error_in_every_subcommand(self):
        for words in self.COMMANDS:
            with self.subTest(words=words):
                reading, writing = os.pipe()
                os.close(reading)
                result = self.run_into(words, writing)
                os.close(writing)
                self.assert_fails(result, 1, "standard output cannot be written", "Broken pipe")

    def test_a_closed_descriptor_is_an_error_and_no_file_takes_its_place(self):
        close = lambda: os.close(1)
        self.assert_fails(self.run_into(["info"], None, preexec_fn=close), 1, "standard output cannot be written")
        self.assert_fails(self.run_into(["generate", "banded", "4", "1", "-o", "x.mtx"], None, preexec_fn=close), 1)
        if (self.folder / "x.mtx").exists():
            self.assertNotIn("4 x 4", (self.folder / "x.mtx").read_text())


class Names(OutputTest):
    GRAPH, VERTEX = b"gr\xff\x1b[31m\xc3\xbc.mtx", b"v\xff\x1b]0;x\x07"

    def setUp(self):
        super().setUp()
        self.graph = os.path.join(os.fsencode(self.folder), self.GRAPH)
        self.vertices = os.path.join(os.fsencode(self.folder), b"n\xfe")
        pathlib.Path(os.fsdecode(self.graph)).write_text(PATH_GRAPH)
        pathlib.Path(os.fsdecode(self.vertices)).write_bytes(self.VERTEX + b"\nb\nc\nd\n")
        self.shown_graph, self.shown_vertex = "gr\\xff\\e[31mü.mtx", "v\\xff\\e]0;x\\x07"

    def run_bytes(self, *words):
        environment = dict(os.environ, LC_ALL="C.UTF-8")
        return subprocess.run([command_test.OPTIONS.cugrb, *words], capture_output=True, env=environment, timeout=300)

    def assert_shown(self, done, code=0, *texts):
        out = (done.stdout + done.stderr).decode()  # all of it is UTF-8
        self.assertEqual(done.returncode, code, out)
        self.assertFalse([c for c in out if c < " " and c != "\n"], out)
        for text in texts:
            self.assertIn(text, out)

    def test_names_are_escaped_and_json_is_json(self):
        out = self.folder / "out.json"
        self.assert_shown(self.run_bytes("run", "bfs", self.graph, "--backend", "cpu", "--names", self.vertices, "--source", self.VERTEX, "--json", out),
                          0, self.shown_graph + ": 4 vertices", f"BFS from {self.shown_vertex}: 4 vertices reached")
        report = json.loads(out.read_text())[0]
        self.assertTrue(report["graph"]["name"].endswith("/gr\\xff\x1b[31mü.mtx"))
        self.assertEqual(report["result"]["source"]["name"], "v\\xff\x1b]0;x\x07")

    def test_explain_and_its_picture(self):
        out, svg = self.folder / "out.json", self.folder / "out.svg"
        self.assert_shown(self.run_bytes("explain", self.graph, "--json", out, "--svg", svg), 0, self.shown_graph)
        self.assertTrue(json.loads(out.read_text())[0]["graph"]["name"].endswith("/gr\\xff\x1b[31mü.mtx"))
        texts = [t.text for t in xml.etree.ElementTree.parse(svg).getroot().iter("{http://www.w3.org/2000/svg}text")]
        self.assertIn(self.shown_graph + ": 4 x 4, 3 entries", texts)
        self.assert_shown(self.run_bytes("explain", self.folder), 0, self.shown_graph)

    def test_messages(self):
        folder = os.fsencode(self.folder)
        self.assert_shown(self.run_bytes("run", "bfs", folder + b"/\xff\x1b.mtx", "--backend", "cpu"), 1, "/\\xff\\e.mtx: cannot be opened")
        self.assert_shown(self.run_bytes("run", "bfs", self.graph, "--backend", "cpu", "--source", b"\xff\n\x1b"), 2, "has the name '\\xff\\n\\e'")
        self.assert_shown(self.run_bytes("generate", "banded", "4", "1", "-o", folder + b"/o\xff.mtx"), 0, "/o\\xff.mtx: 4 x 4")
        self.assertIn(b"o\xff.mtx", self.names())
        self.assert_shown(self.run_bytes("exec", b"./\xff\x1b"), 127, "the program './\\xff\\e' is not there")
        done = subprocess.run([command_test.OPTIONS.cugrb, "info", "--json"], capture_output=True, env={**os.environb, b"CUGRB_CACHE": b"/none\xff"})
        self.assertEqual(json.loads(done.stdout)["settings"]["CUGRB_CACHE"], "/none\\xff")


class Signals(OutputTest):
    """A worker waits for a graph that never comes; the command is told to end."""

    def start(self, *words, **more):
        self.pipe = self.folder / "graph"
        os.mkfifo(self.pipe)
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        environment = dict(os.environ, TMPDIR=str(self.temporary))
        command = subprocess.Popen([command_test.OPTIONS.cugrb, *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   cwd=self.folder, **more)
        self.addCleanup(lambda: (command.kill(), command.communicate()))
        deadline = time.monotonic() + 60
        while not self.workers() and command.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        return command

    def workers(self):
        """Processes that were told a request file of this test."""
        found = []
        for process in pathlib.Path("/proc").iterdir():
            try:
                words = (process / "cmdline").read_bytes().split(b"\0") if process.name.isdigit() else []
                state = (process / "stat").read_text().rpartition(")")[2].split()[0] if words else ""
            except OSError:
                continue
            if b"--worker" in words and any(w.startswith(os.fsencode(self.temporary)) for w in words) and state != "Z":
                found.append(int(process.name))
        return found

    def test_a_signal_ends_the_worker_and_leaves_no_file(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for words in (["run", "bfs", "graph", "--backend", "cpu", "--json", "out.json"], ["explain", "graph", "--json", "out.json"]):
                with self.subTest(signal=number, words=words):
                    command = self.start(*words)
                    self.assertEqual(len(self.workers()), 1)
                    self.assertTrue(any(name.endswith(b".part") for name in self.names()), self.names())
                    command.send_signal(number)
                    self.assertEqual(command.wait(60), 128 + number)
                    self.assertEqual(self.workers(), [])
                    self.assertEqual(os.listdir(self.temporary), [])
                    self.assertEqual(self.names(), [b"graph", b"tmp"])
                    self.pipe.unlink()
                    self.temporary.rmdir()

    def compilers(self):
        """Compilers that work in a folder of this test."""
        found = []
        for process in pathlib.Path("/proc").iterdir():
            try:
                words = (process / "cmdline").read_bytes().split(b"\0") if process.name.isdigit() else []
            except OSError:
                continue
            if words and words[0].endswith(b"cc1plus") and any(os.fsencode(self.temporary) in word for word in words):
                found.append(int(process.name))
        return found

    def test_a_signal_ends_the_compiler_and_leaves_none_of_its_files(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            with self.subTest(signal=number):
                command = self.start("precompile", "--device", "emulated", "--cache", self.folder / "cache")
                self.wait_for(lambda: self.compilers() or command.poll() is not None)
                self.assertIsNone(command.poll())
                command.send_signal(number)
                self.assertEqual(command.wait(60), -number if number == signal.SIGKILL else 128 + number)
                self.wait_for(lambda: not self.compilers() and not self.folders())
                self.assertEqual(self.compilers(), [])
                self.assertEqual(self.folders(), [])
                self.pipe.unlink()
                shutil.rmtree(self.temporary)
                shutil.rmtree(self.folder / "cache", ignore_errors=True)

    def folders(self):
        return [entry.name for entry in os.scandir(self.temporary) if entry.is_dir()]

    def wait_for(self, condition):
        deadline = time.monotonic() + 60
        while not condition() and time.monotonic() < deadline:
            time.sleep(0.01)

    def test_a_worker_does_not_outlive_the_command(self):
        command = self.start("run", "bfs", "graph", "--backend", "cpu")
        self.assertEqual(len(self.workers()), 1)
        command.kill()
        command.wait(60)
        deadline = time.monotonic() + 30
        while self.workers() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual(self.workers(), [])

    def test_an_ignored_hangup_stays_ignored(self):
        command = self.start("run", "bfs", "graph", "--backend", "cpu", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        command.send_signal(signal.SIGHUP)
        self.pipe.write_text(PATH_GRAPH)
        self.assertEqual(command.wait(60), 0)

    def test_writing_a_large_file_is_ended_without_a_trace(self):
        command = subprocess.Popen([command_test.OPTIONS.cugrb, "generate", "uniform", "300000", "-o", self.folder / "big.mtx"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(lambda: (command.kill(), command.wait()))
        deadline = time.monotonic() + 120
        while not self.names() and command.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        command.send_signal(signal.SIGTERM)
        self.assertEqual(command.wait(60), 128 + signal.SIGTERM)
        self.assertEqual(self.names(), [])


if __name__ == "__main__":
    command_test.main(__name__)
