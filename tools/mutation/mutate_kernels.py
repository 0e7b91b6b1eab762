#!/usr/bin/env python3
"""Does anything notice a fault in a kernel?

Plants one fault after the other in copies of cuda/kernels/*.h (mutants.py lists the kinds) and runs the tests on the
emulated device with that copy (CUGRB_KERNEL_SOURCES). A mutant is killed when a test fails, hangs, or a sanitizer
reports; it survives when all tests of all given builds pass. Mutants that do not compile do not count; mutants that
are known to change nothing are listed, with the reason, in equivalent.txt.

  mutate_kernels.py --build build/release --build build/sanitize-thread --sample 100

Builds are tried in the order given, so name the fastest first. Needs the test programs in them to be built. Quicker
still: a whole run with the fastest build and --report, then one with the others and --survivors.
Exit status: 0 when the share of killed mutants reaches --minimum.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mutants  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
NO_KERNELS = {"base.h", "device_functions.h"}
REFUSED = "the host compiler refused"
HANG = "hang"


class Case:
    """One Catch2 test case of one test program."""

    def __init__(self, program, name, index):
        self.program, self.name, self.index = program, name, index
        self.seconds = 1.0

    def run(self, sources, cache, timeout):
        """(passed, output); a hang is a failure."""
        environment = dict(os.environ, CUGRB_DEVICE="emulated", CUGRB_CACHE=str(cache),
                           UBSAN_OPTIONS="halt_on_error=1", TSAN_OPTIONS="halt_on_error=1:exitcode=66",
                           ASAN_OPTIONS="detect_leaks=0")
        if sources is not None:
            environment["CUGRB_KERNEL_SOURCES"] = str(sources)
        pattern = self.name.replace("\\", "\\\\").replace(",", "\\,").replace("[", "\\[")
        # Processor time, so that a busy machine is not taken for a hang; compilers are processes of their own.
        limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(timeout), int(timeout) + 5))
        started = time.monotonic()
        done = subprocess.run([str(self.program), pattern, "-a"], env=environment, preexec_fn=limit,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
        self.seconds = time.monotonic() - started
        if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return False, HANG
        return done.returncode == 0, done.stdout


def cases_of(build, programs, exclude):
    found = []
    for program in programs:
        path = build / "tests" / program
        if not path.exists():
            sys.exit(f"{path} is not built")
        listing = subprocess.run([str(path), "--list-test-names-only"], stdout=subprocess.PIPE, text=True).stdout
        for name in filter(None, (line.strip() for line in listing.splitlines())):
            if exclude is None or not re.search(exclude, name):
                found.append(Case(path, name, len(found)))
    return found


def known_equivalents():
    """(path, line with the fault) of every entry of equivalent.txt: "path: line ## reason"."""
    path = pathlib.Path(__file__).with_name("equivalent.txt")
    known = set()
    for entry in path.read_text().splitlines() if path.exists() else []:
        if entry and not entry.startswith("#"):
            file, _, rest = entry.partition(": ")
            known.add((file, rest.rsplit(" ## ", 1)[0].strip()))
    return known


class Campaign:
    def __init__(self, options):
        self.options = options
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="cugrb-mutation-"))
        self.builds = [(build, cases_of(build, options.program, options.exclude)) for build in options.build]
        self.kills = {}  # (path, build, case) -> number of mutants killed: good killers go first
        self.lock = threading.Lock()
        self.reached = {}

    def cache_of(self, build):
        return build / "mutation_cache"

    def write_source(self, name, path, text):
        directory = self.work / name
        target = directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        return directory

    def prepare(self, paths):
        """The unmutated kernels pass, their objects are cached, and it is known which case uses which file."""
        for build, cases in self.builds:
            for case in cases:
                passed, output = case.run(None, self.cache_of(build), self.options.timeout * 10)
                if not passed:
                    sys.exit(f"{case.program} {case.name!r} fails without any fault:\n{output[-4000:]}")
        first, cases = self.builds[0]
        for path in paths:
            unusable = self.write_source("unusable-" + path.replace("/", "-"), path, "#error \"unusable\"\n")
            uses = [c for c in cases if not c.run(unusable, self.cache_of(first), self.options.timeout * 10)[0]]
            print(f"{path}: {len(uses)} of {len(cases)} test cases use it", flush=True)
            for build, others in self.builds:
                self.reached[path, build] = [c for c in others if c.index in {u.index for u in uses}]

    def try_mutant(self, number, mutant):
        """("killed" | "survived" | "invalid", what noticed)."""
        text = (ROOT / mutant.path).read_text()
        name = f"mutant-{number}"
        sources = self.write_source(name, mutant.path, mutant.apply(text))
        try:
            for build, _ in self.builds:
                cache = self.work / f"cache-{number}-{build.name}"
                shutil.copytree(self.cache_of(build), cache, copy_function=os.link)
                with self.lock:
                    order = sorted(self.reached[mutant.path, build],
                                   key=lambda c: (-self.kills.get((mutant.path, build, c.index), 0), c.seconds))
                try:
                    for case in order:
                        passed, output = case.run(sources, cache, self.options.timeout)
                        if passed:
                            continue
                        if REFUSED in output:
                            return "invalid", "does not compile"
                        with self.lock:
                            key = (mutant.path, build, case.index)
                            self.kills[key] = self.kills.get(key, 0) + 1
                        return "killed", f"{build.name}: {case.name}: {verdict(output)}"
                finally:
                    shutil.rmtree(cache, ignore_errors=True)
            return "survived", ""
        finally:
            shutil.rmtree(sources, ignore_errors=True)


def verdict(output):
    """How the test noticed, in a word or two."""
    if output == HANG:
        return HANG
    for sign in ("data race", "heap-buffer-overflow", "heap-use-after-free", "AddressSanitizer", "runtime error", "livelock", "barrier",
                 "mask", "shared memory", "past the end", "before the begin"):
        if sign in output and (sign != "mask" or "lane" in output):
            return sign
    if "FAILED" in output:
        return "wrong result"
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return "crash: " + (lines[-1] if lines else "no output")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, action="append", required=True)
    parser.add_argument("--program", action="append", default=[], help="default: test_mxv, test_vector_operations, test_csr")
    parser.add_argument("--file", action="append", default=[], help="kernel file names; default: all")
    parser.add_argument("--exclude", help="leave out test cases whose name matches (slow ones that judge something else)")
    parser.add_argument("--sample", type=int, default=0, help="so many mutants, the same share of every file; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=120, help="processor seconds for one test case; more is a hang")
    parser.add_argument("--seconds", type=float, default=0, help="stop starting mutants after so long; 0: never")
    parser.add_argument("--minimum", type=float, default=0.95)
    parser.add_argument("--report", type=pathlib.Path, help="JSON of every mutant and its fate")
    parser.add_argument("--survivors", type=pathlib.Path, help="try only those that survived in this earlier report")
    parser.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    options = parser.parse_args()
    options.program = options.program or ["test_mxv", "test_vector_operations", "test_csr"]
    options.build = [build.resolve() for build in options.build]
    return options


def chosen(options):
    paths = sorted((ROOT / "cuda/kernels").glob("*.h"))
    paths = [p for p in paths if p.name not in NO_KERNELS and (not options.file or p.name in options.file)]
    known = known_equivalents()
    found = []
    for p in paths:
        path, text = str(p.relative_to(ROOT)), p.read_text()
        found += [m for m in mutants.mutants_of(path, text) if (path, m.mutated_line(text)) not in known]
    if options.survivors:
        earlier = json.loads(options.survivors.read_text())["mutants"]
        alive = {r["mutant"] for r in earlier if r["fate"] == "survived"}
        found = [m for m in found if m.describe() in alive]
    if 0 < options.sample < len(found):
        # Every len/sample-th of a list that is shuffled inside each file: each file gets its share.
        shuffled = []
        for p in paths:
            of_file = [m for m in found if m.path == str(p.relative_to(ROOT))]
            random.Random(f"{options.seed} {p.name}").shuffle(of_file)
            shuffled += of_file
        found = [shuffled[i * len(shuffled) // options.sample] for i in range(options.sample)]
    return found


def main():
    options = arguments()
    found = chosen(options)
    if options.list:
        print("\n".join(m.describe() for m in found))
        return 0
    campaign = Campaign(options)
    random.Random(options.seed).shuffle(found)
    started = time.monotonic()
    results = []
    try:
        campaign.prepare(sorted({m.path for m in found}))

        def task(numbered):
            number, mutant = numbered
            if options.seconds and time.monotonic() - started > options.seconds:
                return
            fate, how = campaign.try_mutant(number, mutant)
            with campaign.lock:
                results.append({"mutant": mutant.describe(), "fate": fate, "how": how})
                print(f"[{len(results)}/{len(found)}] {fate}: {mutant.describe()}{'  (' + how + ')' if how else ''}", flush=True)

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(task, enumerate(found)))
    finally:
        shutil.rmtree(campaign.work, ignore_errors=True)
    return summary(options, results)


def summary(options, results):
    count = lambda fate: sum(r["fate"] == fate for r in results)
    killed, survived, invalid = count("killed"), count("survived"), count("invalid")
    share = killed / max(1, killed + survived)
    print(f"{len(results)} mutants: {killed} killed, {survived} survived, {invalid} invalid: {100 * share:.1f} % killed")
    for r in results:
        if r["fate"] == "survived":
            print("survived: " + r["mutant"])
    if options.report:
        options.report.write_text(json.dumps({"killed_share": share, "mutants": results}, indent=1) + "\n")
    return 0 if killed > 0 and share >= options.minimum else 1


if __name__ == "__main__":
    sys.exit(main())
