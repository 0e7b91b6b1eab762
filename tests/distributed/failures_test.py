#!/usr/bin/env python3
"""A rank that dies, stops, throws or falls behind: all others get an error that names it, and nobody hangs.

    failures_test.py --mpirun PATH --misbehave PATH --command PATH [--cugrb PATH --library PATH --nccl PATH]
"""
import argparse
import os
import re
import subprocess
import sys
import time
import unittest

options = None
DEADLINE = 1.5
# The deadline, a second to tell all others, and what starting and ending takes on a machine with little time.
ENOUGH = 10


def mpirun(ranks, *command, environment=None, recovery=False, timeout=60):
    """Exit code, what was printed, and seconds."""
    given = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
             "MISBEHAVE_DEADLINE": str(DEADLINE), **(environment or {})}
    start = time.monotonic()
    # Without recovery Open MPI ends all ranks itself when one dies.
    done = subprocess.run([options.mpirun, "--oversubscribe", *(["--enable-recovery"] if recovery else []), "-n", str(ranks),
                           *command], env=given, capture_output=True, text=True, timeout=timeout)
    return done.returncode, done.stdout + done.stderr, time.monotonic() - start


class Failures(unittest.TestCase):
    def errors(self, how, ranks, who, recovery=False):
        """The text of each rank that printed one: {rank: (seconds, text)}."""
        code, text, seconds = mpirun(ranks, options.misbehave, how, str(who), recovery=recovery)
        self.assertLess(seconds, ENOUGH, text)
        if not recovery:
            self.assertNotEqual(code, 0, text)
        return {int(r): (float(s), t) for r, s, t in re.findall(r"rank (\d): after ([\d.]+) s: (.*)", text)}

    def test_all_is_well(self):
        code, text, _ = mpirun(3, options.misbehave, "nothing", "1")
        self.assertEqual(code, 0, text)
        self.assertEqual(text.count("DONE"), 3, text)

    def test_killed(self):
        for ranks, who in ((2, 1), (3, 0), (4, 2)):
            errors = self.errors("kill", ranks, who, recovery=True)
            self.assertEqual(set(errors), set(range(ranks)) - {who}, errors)
            for seconds, text in errors.values():
                self.assertIn(f"rank {who} has not been heard from for", text)
                self.assertIn("a sum over the ranks", text)
                self.assertLess(seconds, DEADLINE + 3)

    def test_killed_under_a_launcher_that_ends_the_others(self):
        code, text, seconds = mpirun(3, options.misbehave, "kill", "1")
        self.assertNotEqual(code, 0, text)
        self.assertNotIn("DONE", text)
        self.assertLess(seconds, ENOUGH)

    def test_stopped(self):
        errors = self.errors("stop", 3, 1)
        self.assertEqual(set(errors), {0, 2}, errors)
        for seconds, text in errors.values():
            self.assertIn("rank 1 has not been heard from for", text)
            self.assertLess(seconds, DEADLINE + 3)

    def test_slow(self):
        errors = self.errors("slow", 3, 2)
        self.assertTrue({0, 1} <= set(errors), errors)
        for rank in (0, 1):
            self.assertIn("rank 2 has not been heard from for", errors[rank][1])

    def test_throws(self):
        for ranks, who in ((2, 0), (4, 3)):
            errors = self.errors("throw", ranks, who)
            self.assertEqual(set(errors), set(range(ranks)), errors)
            for rank, (seconds, text) in errors.items():
                self.assertLess(seconds, DEADLINE + 3)
                self.assertNotIn("heard", text)  # nobody has waited for the deadline
                self.assertIn("std::bad_alloc", text)
                if rank != who:
                    self.assertIn(f"rank {who}: std::bad_alloc", text)

    def test_leaves(self):
        errors = self.errors("leave", 3, 1)
        self.assertEqual(set(errors), {0, 1, 2}, errors)
        self.assertIn("rank 1: gone without a word", errors[0][1])

    def test_longer_work_is_no_failure(self):
        code, text, seconds = mpirun(3, options.misbehave, "busy", "1")
        self.assertEqual(code, 0, text)
        self.assertEqual(text.count("DONE"), 3, text)
        self.assertGreater(seconds, 2 * DEADLINE)

    def test_all_wait_for_each_other(self):
        errors = self.errors("apart", 3, 1)
        self.assertEqual(set(errors), {0, 1, 2}, errors)
        told = " ".join(text for _, text in errors.values())
        self.assertIn("nothing has moved for", told)
        self.assertIn("a message that nobody sends", told)

    def test_command(self):
        code, text, _ = mpirun(2, options.command, "pagerank", "/nowhere.el")
        self.assertEqual(code, 1, text)
        self.assertIn("/nowhere.el: cannot be opened", text)
        code, text, _ = mpirun(2, options.command, "pagerank")
        self.assertEqual(code, 2, text)
        self.assertEqual(text.count("GRAPH is required"), 1, text)
        code, text, _ = mpirun(2, options.command, "bfs", "rmat:6:4", "--source", "64")
        self.assertEqual(code, 1, text)
        self.assertIn("the source is not a vertex of the graph", text)

    def test_ranks_of_a_band_send_its_edges(self):
        def run(ranks, *how):
            code, text, _ = mpirun(ranks, options.command, "pagerank", "banded:400:3", "--iterations", "15", "--tolerance", "0", "--double", *how)
            self.assertEqual(code, 0, text)
            return text
        whole, parts = run(1), run(2, "--dealing", "contiguous", "--overlap")
        self.assertIn("near its diagonal: of 200 values a rank sends at most 3", parts)
        self.assertNotIn("near its diagonal", run(2))
        checksums = [float(re.search(r"checksum (\S+)", text)[1]) for text in (whole, parts)]
        self.assertAlmostEqual(*checksums, delta=1e-12)


class OnDevices(unittest.TestCase):
    """Emulated devices."""
    def run_command(self, *ranks, algorithm="pagerank", **given):
        """One rank for each environment; the report's lines."""
        command = []
        for environment in ranks:
            command += [":"] if command else []
            command += ["-n", "1", "env", *(f"{k}={v}" for k, v in environment.items()), options.cugrb, "exec",
                        options.command, algorithm, "rmat:7:6:2", "--iterations", "15", "--tolerance", "0", "--double"]
        given = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                 "CUGRB_LIBRARY": options.library, "CUGRB_OFFLOAD": "always", **given}
        done = subprocess.run([options.mpirun, "--oversubscribe", *command], env=given, capture_output=True, text=True, timeout=100)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def checksum(self, text):
        return float(re.search(r"checksum (\S+)", text)[1])

    def setUp(self):
        if not options.cugrb:
            self.skipTest("no libcugrb")

    def test_unequal_devices(self):
        emulated = {"CUGRB_DEVICE": "emulated"}
        same = self.run_command(emulated, emulated)
        self.assertIn("vectors by MPI, as rank 0 says: the device is emulated", same)
        # One without a device; one whose device is full from the first allocation on.
        unequal = self.run_command(emulated, {"CUGRB_DEVICE": "none"})
        full = self.run_command(emulated, {"CUGRB_DEVICE": "emulated", "CUGRB_INJECT": "allocation:1+"})
        self.assertAlmostEqual(self.checksum(same), self.checksum(unequal), delta=1e-12)
        self.assertAlmostEqual(self.checksum(same), self.checksum(full), delta=1e-12)

    def test_nccl(self):
        emulated = {"CUGRB_DEVICE": "emulated", "CUGRB_NCCL": options.nccl}
        by_nccl = self.run_command(emulated, emulated, emulated)
        self.assertIn("vectors by NCCL", by_nccl)
        by_mpi = self.run_command(emulated, {**emulated, "CUGRB_NCCL": "off"}, emulated)
        self.assertIn("vectors by MPI, as rank 1 says: CUGRB_NCCL=off", by_mpi)
        self.assertAlmostEqual(self.checksum(by_nccl), self.checksum(by_mpi), delta=1e-12)

    def test_a_rank_is_killed_while_others_are_in_nccl(self):
        process = subprocess.Popen(
            [options.mpirun, "--oversubscribe", "--enable-recovery", "-n", "2", options.cugrb, "exec", options.command,
             "pagerank", "rmat:7:6:2", "--iterations", "100000000", "--tolerance", "0", "--deadline", str(DEADLINE)],
            env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "CUGRB_DEVICE": "emulated",
                 "CUGRB_NCCL": options.nccl, "CUGRB_LIBRARY": options.library, "CUGRB_OFFLOAD": "always"},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            victim = self.rank_of(process.pid, 1)
            start = time.monotonic()
            os.kill(victim, 9)
            text, _ = process.communicate(timeout=ENOUGH)
            self.assertLess(time.monotonic() - start, ENOUGH)
        finally:
            process.kill()
        self.assertRegex(text, r"cugrb-mpi: rank 0: .*(rank 1 has not been heard from|a rank was not there within the deadline)")

    def rank_of(self, launcher, rank):
        """The process of that rank, when its iterations have begun: it has the library open and runs for a while."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            for process in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open(f"/proc/{process}/environ", "rb") as file:
                        environment = file.read()
                    exe = os.readlink(f"/proc/{process}/exe")
                    with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
                        parent = int(file.read().rsplit(")", 1)[1].split()[1])
                except OSError:
                    continue
                if parent == launcher and exe == os.path.realpath(options.command) and \
                        b"OMPI_COMM_WORLD_RANK=%d\0" % rank in environment:
                    time.sleep(3)
                    return int(process)
            time.sleep(0.05)
        self.fail("the rank did not start")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("mpirun", "misbehave", "command"):
        parser.add_argument("--" + name, required=True)
    for name in ("cugrb", "library", "nccl"):
        parser.add_argument("--" + name, default="")
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
