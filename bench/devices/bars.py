#!/usr/bin/env python3
"""The cases of docs/scale.md on N devices of this host and on one, in one process and as ranks.

    bars.py --devices N --folder BUILD --mpi 'mpirun -n {devices} ...' --json FILE

Cases of N devices run one after the other. Cases of one device follow side by side, each on a device of its own. What has
not begun after --seconds is listed as left out.
"""
import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import time

import algorithms

ITERATIONS = ["--iterations", "20", "--tolerance", "0", "--top", "2"]
FINAL = "mxv_tile_composite"  # the format that an iteration has in the end; else short runs compare one format with another


def case(name, scale, how, repeat, *rest, force=None, fewer=0, factor=16):
    """`fewer`: scales below --scale. `force`: CUGRB_FORCE of one device and of ranks."""
    return {"algorithm": name, "graph": f"rmat:{scale - fewer}:{factor}", "how": how, "repeat": repeat, "rest": list(rest), "force": force}


def strong_cases(scale):
    """Those of which most is wanted first."""
    return [
        case("sssp", scale, "processes", 24, "--random-weights", "100", fewer=1),
        case("components", scale, "processes", 16, fewer=1),
        case("pagerank", scale, "one process", 14, *ITERATIONS, force=FINAL),
        case("pagerank", scale, "processes", 6, *ITERATIONS, "--overlap", force=FINAL),
        case("bfs", scale, "processes", 16, fewer=1),
        case("hits", scale, "processes", 6, *ITERATIONS, force=FINAL, fewer=1),
        case("pagerank", scale, "processes", 6, *ITERATIONS, force=FINAL),
    ]


def alone(named):
    """As one device runs it: without what only several can do."""
    return {**named, "rest": [word for word in named["rest"] if word != "--overlap"]}


def key(named):
    return (named["algorithm"], named["graph"], named["how"], tuple(named["rest"]))


class Bench:
    def __init__(self, options):
        self.options, self.begun, self.rows = options, time.monotonic(), []
        self.devices = options.visible.split(",") if options.visible else [str(n) for n in range(options.devices)]

    def environment(self, named, devices):
        environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ",".join(devices)}
        if named["how"] == "one process":
            environment["CUGRB_DEVICES"] = ",".join(str(n) for n in range(len(devices)))
        # In one process the whole is forced to parts, not to a format: the parts choose theirs.
        if named["force"] and (named["how"] == "processes" or len(devices) == 1):
            environment["CUGRB_FORCE"] = named["force"]
        return environment

    def command(self, named, devices, out):
        rest = [named["algorithm"], named["graph"], *named["rest"], "--repeat", str(named["repeat"]), "--json", out]
        if named["how"] == "one process":
            return [f"{self.options.folder}/bin/cugrb", "run", *rest, "--backend", self.options.backend]
        return self.options.mpi.format(devices=len(devices)).split() + rest

    def report(self, named, devices):
        """What the program says, or {"failed": why}."""
        with tempfile.TemporaryDirectory() as folder:
            out = str(pathlib.Path(folder) / "report.json")
            try:
                done = subprocess.run(self.command(named, devices, out), text=True, capture_output=True, timeout=self.options.timeout,
                                      env=self.environment(named, devices))
            except subprocess.TimeoutExpired:
                return {"failed": f"no answer within {self.options.timeout} s"}
            if done.returncode != 0:
                return {"failed": (done.stderr or done.stdout).strip()[-500:]}
            report = json.loads(pathlib.Path(out).read_text())
        return report[0] if isinstance(report, list) else report

    def run(self, named, devices, scaling):
        row = {"scaling": scaling, **{k: v for k, v in named.items() if v}, "devices": len(devices)}
        if time.monotonic() - self.begun > self.options.seconds:
            return {**row, "failed": "left out: no time"}
        start = time.monotonic() - self.begun
        report = self.report(named, devices)
        row = {**row, **report} if "failed" in report else {**row, **algorithms.figures_of(report)}
        row.update(began_second=round(start, 1), took_seconds=round(time.monotonic() - self.begun - start, 1))
        return row

    def keep(self, row):
        self.rows.append(row)
        print(f"{row.get('began_second', 0):6.1f} s  {algorithms.text_of(row, None)}", flush=True)
        self.write()
        return row

    def write(self):
        if not self.options.json:
            return
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        result = {"benchmark": "devices_algorithms", "date": now, "commit": self.options.commit, "cores": os.cpu_count(),
                  "device": next((row["device"] for row in self.rows if "device" in row), None), "rows": self.rows}
        pathlib.Path(self.options.json).write_text(json.dumps(result, indent=1) + "\n")

    def side_by_side(self, cases):
        """Each on one device; the rows, by key."""
        free = queue.Queue()
        for device in self.devices[:self.options.devices]:
            free.put(device)

        def one(named):
            device = free.get()
            try:
                return self.run(named, [device], "strong")
            finally:
                free.put(device)

        with concurrent.futures.ThreadPoolExecutor(self.options.devices) as pool:
            return {key(named): self.keep(row) for named, row in zip(cases, pool.map(one, cases))}

    def compare(self, row, first):
        """Of several devices with the one of `first`."""
        if first and "failed" not in first and "failed" not in row:
            row["over_first"] = first["median_seconds"] / row["median_seconds"]
            print(f"{row['scaling']:<7}{algorithms.text_of(row, first['median_seconds'])}", flush=True)

    def measure(self, scale):
        """Several devices first: where there is no time left for one, its figures may be there from another day."""
        cases = strong_cases(scale)
        several = self.devices[:self.options.devices]
        doublings = self.options.devices.bit_length() - 1

        def of_scale(named, more):
            return {**named, "graph": algorithms.weak_graph(named["graph"], 2.0**more)}

        rows = [(named, self.keep(self.run(named, several, "strong"))) for named in cases]
        # The largest graph of one device, grown: there u exceeds the caches on one device as well.
        largest = next(named for named in cases if "--overlap" in named["rest"])
        grown = self.keep(self.run(of_scale(largest, doublings), several, "weak"))
        weak = [(alone(of_scale(named, -doublings)), row) for named, row in rows if named["algorithm"] == "pagerank"]
        wanted = {key(alone(named)): alone(named) for named in cases} | {key(smaller): smaller for smaller, _ in weak}
        first = self.side_by_side(list(wanted.values()))
        for named, row in rows:
            self.compare(row, first[key(alone(named))])
        self.compare(grown, first[key(alone(largest))])
        for smaller, row in weak:
            self.rows.append({**row, "scaling": "weak"})
            self.compare(self.rows[-1], first[key(smaller)])
        self.write()


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, required=True, help="N, a power of two")
    parser.add_argument("--folder", required=True, help="a build: bin/cugrb is in it")
    parser.add_argument("--mpi", required=True, help="how ranks are started: 'mpirun -n {devices} cugrb exec cugrb-mpi'")
    parser.add_argument("--visible", default=os.environ.get("CUDA_VISIBLE_DEVICES", ""), help="the devices' numbers; default: 0 to N - 1")
    parser.add_argument("--scale", type=int, default=25, help="of the largest R-MAT graph")
    parser.add_argument("--seconds", type=float, default=1e9, help="nothing begins later")
    parser.add_argument("--timeout", type=float, default=80, help="seconds for one case")
    parser.add_argument("--backend", default="gpu")
    parser.add_argument("--commit", default="")
    parser.add_argument("--json")
    return parser.parse_args(arguments)


def main(arguments):
    options = parse(arguments)
    if options.devices < 2 or options.devices & (options.devices - 1):
        raise SystemExit(f"--devices {options.devices}: weak scaling needs a power of two, from 2 on")
    bench = Bench(options)
    bench.measure(options.scale)
    return 1 if any("failed" in row for row in bench.rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
