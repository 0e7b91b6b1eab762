#!/usr/bin/env python3
"""Many differential cases over the whole catalogue, in parallel processes; writes a summary as JSON.

    tests/differential/many.py --program build/release/tests/test_differential --library build/release/lib/libcugrb.so
                               --cases 200000 [--first 0] [--repeat 20] [--processes 16] [--results FILE]

Every --repeat cases share their kernels (main.cpp), which are compiled once: the cache is a fresh one unless CUGRB_CACHE
says where. The device and everything else come from the environment (CUGRB_DEVICE, CUGRB_GRAPHBLAS). Exits 1 when a case differs.
With an existing results file of the same commit the counts are added up, so that a long run can be done in parts.
"""
import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time


def run_part(options, first, cases):
    environment = dict(os.environ, LD_PRELOAD=os.path.abspath(options.library), CUGRB_OFFLOAD="always",
                       OMP_NUM_THREADS="1", CUGRB_REQUESTS=os.path.join(options.scratch, "requests"))
    environment.setdefault("CUGRB_CACHE", os.path.join(options.scratch, "cache"))
    command = [options.program, "--cases", str(cases), "--first", str(first), "--configurations", "0",
               "--repeat", str(options.repeat), "--catalogue"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace")
    counts = re.search(r"(\d+) cases, (\d+) differ", done.stdout)
    crashes = re.search(r"(\d+) cases have no oracle", done.stdout)
    return {"first": first, "cases": int(counts[1]) if counts else 0, "differ": int(counts[2]) if counts else 0,
            "no_oracle": int(crashes[1]) if crashes else 0, "code": done.returncode,
            "output": [line for line in done.stdout.splitlines() if "differs" in line or line.startswith("  ")][:20]}


def specialisations(scratch):
    """How many different kernels were asked for."""
    path = pathlib.Path(scratch, "requests")
    if not path.exists():
        return 0
    with path.open("rb") as requests:
        return len({hash(line) for line in requests})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--cases", type=int, default=200000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=0, help="start no further part after so long; 0: no limit")
    parser.add_argument("--commit", default="")
    parser.add_argument("--results")
    options = parser.parse_args()
    size = 1000
    starts = range(options.first, options.first + options.cases, size)
    started = time.monotonic()
    deadline = started + options.seconds if options.seconds else float("inf")

    def part(start):
        if time.monotonic() > deadline:
            return None
        return run_part(options, start, min(size, options.first + options.cases - start))

    with tempfile.TemporaryDirectory() as options.scratch:
        with concurrent.futures.ThreadPoolExecutor(options.processes) as pool:
            parts = [p for p in pool.map(part, starts) if p is not None]
        kernels = specialisations(options.scratch)
    bad = [p for p in parts if p["code"] != 0 or p["differ"]]
    for part in bad:
        print(f"part from {part['first']}: exit code {part['code']}", *part["output"], sep="\n  ")
    record = {"commit": options.commit, "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
              "cases": sum(p["cases"] for p in parts), "differ": sum(p["differ"] for p in parts),
              "no_oracle": sum(p["no_oracle"] for p in parts), "parts_that_failed": len(bad), "specialisations": kernels,
              "seconds": round(time.monotonic() - started, 1), "repeat": options.repeat, "processes": options.processes}
    print(f"parts up to case {max((p['first'] + p['cases'] for p in parts), default=options.first)}")
    if options.results:
        path = pathlib.Path(options.results)
        if path.exists():
            before = json.loads(path.read_text())
            if before["commit"] == record["commit"]:
                for key in ("cases", "differ", "no_oracle", "parts_that_failed", "specialisations", "seconds"):
                    record[key] += before[key]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record, indent=1) + "\n")
    print(f"{record['cases']} cases, {record['differ']} differ, {record['no_oracle']} without an oracle, "
          f"{record['specialisations']} kernels, {record['seconds']} s")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
