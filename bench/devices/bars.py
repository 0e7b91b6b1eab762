#!/usr/bin/env python3
"""The cases of docs/scale.md on one device and on 2, 4 ... N of this host, in one process and as ranks.

    bars.py --devices N --folder BUILD --mpi 'mpirun -n {devices} ...' --json FILE

Cases of N devices come first, one after the other. Those of fewer follow side by side, each on devices and cores of its own.
Cases of one device are run in each format that may be the fastest, and the fastest one is what others are compared with. What
has not begun after --seconds is listed as left out.
"""
import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import queue
import re
import subprocess
import sys
import tempfile
import time

import algorithms

ITERATIONS = ["--iterations", "20", "--tolerance", "0", "--top", "2"]
ONE, RANKS = "one process", "processes"


def case(name, graph, how, repeat, *rest, formats=()):
    """`formats`: what an iteration's products may have in the end; short runs would compare one with another."""
    return {"algorithm": name, "graph": graph, "how": how, "repeat": repeat, "rest": list(rest), "formats": formats}


def near_diagonal(scale, devices):
    """A band and a grid of 2^(scale - 1) rows for each device."""
    side = (scale - 1) // 3
    return [f"banded:{devices << (scale - 1)}:16", f"poisson3d:{1 << side}:{1 << side}:{devices << (scale - 1 - 2 * side)}"]


def web_like(scale, devices):
    """At scale 25 twice the vertices of indochina-2004 for each device; its rows need some 700 at least."""
    return f"chung_lu:indochina-2004:{devices * max(2.0 ** (scale - 24), 1e-4):g}"


def cases(scale, devices):
    """Those of which most is wanted first. One device has each format; parts in one process choose theirs."""
    whole, smaller = f"rmat:{scale}:16", f"rmat:{scale - 1}:16"
    doublings = devices.bit_length() - 1
    both = ("mxv_csb", "mxv_tile_composite")
    of_process = both if devices == 1 else ()
    overlap = ["--overlap"] if devices > 1 else []
    listed = [case("pagerank", whole, ONE, 20, *ITERATIONS, formats=of_process)]
    if devices > 1:
        listed += [case("pagerank", whole, RANKS, 6, *ITERATIONS, *overlap, formats=both)]
    for how in (ONE, RANKS):
        listed += [case("components", smaller, how, 16), case("sssp", smaller, how, 20, "--random-weights", "100"), case("bfs", smaller, how, 16)]
    listed += [case("hits", smaller, ONE, 14, *ITERATIONS, formats=of_process)]
    if devices > 1:
        listed += [case("hits", smaller, RANKS, 6, *ITERATIONS, formats=both)]
    # Weak scaling, of matrices whose locality is the same for each number as well.
    listed += [case("pagerank", smaller, ONE, 20, *ITERATIONS, formats=of_process)]
    listed += [case("pagerank", graph, ONE, 20, *ITERATIONS) for graph in near_diagonal(scale, devices) + [web_like(scale, devices)]]
    if devices > 1:
        listed += [case("pagerank", graph, RANKS, 20, *ITERATIONS, *overlap, "--dealing", "contiguous") for graph in near_diagonal(scale, devices)]
        larger = f"rmat:{scale + doublings}:16"
        listed += [case("pagerank", larger, ONE, 20, *ITERATIONS), case("pagerank", larger, RANKS, 6, *ITERATIONS, *overlap, formats=both)]
    return listed


def of_one_device(row, scale):
    """The graph of one device that a row is compared with, and whether that is weak scaling."""
    kind, *numbers = row["graph"].split(":")
    if kind == "rmat":
        return (f"rmat:{scale}:16", True) if int(numbers[0]) > scale else (row["graph"], False)
    if kind == "chung_lu":
        return web_like(scale, 1), True
    return next(graph for graph in near_diagonal(scale, 1) if graph.startswith(kind)), True


class Bench:
    def __init__(self, options):
        self.options, self.begun, self.rows = options, time.monotonic(), []
        visible = options.visible.split(",") if options.visible else [str(n) for n in range(options.devices)]
        self.devices, self.cores = visible[:options.devices], sorted(os.sched_getaffinity(0))

    def environment(self, named, form, lane):
        environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ",".join(lane["devices"])}
        if named["how"] == ONE:
            environment["CUGRB_DEVICES"] = ",".join(str(n) for n in range(len(lane["devices"])))
        else:
            environment["OMP_NUM_THREADS"] = str(max(1, len(lane["cores"]) // len(lane["devices"])))
        if form:
            environment["CUGRB_FORCE"] = form
        return environment

    def command(self, named, lane, out):
        rest = [named["algorithm"], named["graph"], *named["rest"], "--repeat", str(named["repeat"]), "--json", out]
        if named["how"] == ONE:
            return [f"{self.options.folder}/bin/cugrb", "run", *rest, "--backend", self.options.backend]
        return self.options.mpi.format(devices=len(lane["devices"])).split() + rest

    def report(self, named, form, lane):
        """What the program says, or {"failed": why}."""
        with tempfile.TemporaryDirectory() as folder:
            out = str(pathlib.Path(folder) / "report.json")
            try:
                done = subprocess.run(self.command(named, lane, out), text=True, capture_output=True, timeout=self.options.timeout,
                                      env=self.environment(named, form, lane), preexec_fn=lambda: os.sched_setaffinity(0, lane["cores"]))
            except subprocess.TimeoutExpired:
                return {"failed": f"no answer within {self.options.timeout} s"}
            if done.returncode != 0:
                return {"failed": (done.stderr or done.stdout).strip()[-500:]}
            report = json.loads(pathlib.Path(out).read_text())
        return report[0] if isinstance(report, list) else report

    def run(self, named, form, lane):
        row = {**{k: v for k, v in named.items() if k != "formats"}, "devices": len(lane["devices"]), **({"force": form} if form else {})}
        if time.monotonic() - self.begun > self.options.seconds:
            return {**row, "failed": "left out: no time"}
        start = time.monotonic() - self.begun
        report = self.report(named, form, lane)
        row = {**row, **report} if "failed" in report else {**row, **algorithms.figures_of(report)}
        row.update(began_second=round(start, 1), took_seconds=round(time.monotonic() - self.begun - start, 1))
        return row

    def keep(self, row):
        self.rows.append(row)
        print(f"{row.get('began_second', 0):6.1f} s  {algorithms.text_of(row, None)}  {row.get('force', '')}", flush=True)
        self.write()

    def write(self):
        if not self.options.json:
            return
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        result = {"benchmark": "devices_algorithms", "date": now, "commit": self.options.commit, "cores": len(self.cores),
                  "device": next((row["device"] for row in self.rows if "device" in row), None), "rows": self.rows}
        pathlib.Path(self.options.json).write_text(json.dumps(result, indent=1) + "\n")

    def is_asked_for(self, named):
        return named["how"] in self.options.how and re.search(self.options.only, f"{named['algorithm']} {named['graph']}")

    def side_by_side(self, devices):
        """All cases of so many devices, on as many lanes as there are."""
        lanes, count = queue.Queue(), self.options.devices // devices
        for n in range(count):
            share = len(self.cores) // count
            lanes.put({"devices": self.devices[n * devices:(n + 1) * devices], "cores": self.cores[n * share:(n + 1) * share]})

        def one(named, form):
            lane = lanes.get()
            try:
                return self.run(named, form, lane)
            finally:
                lanes.put(lane)

        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            begun = [pool.submit(one, named, form) for named in cases(self.options.scale, devices) if self.is_asked_for(named)
                     for form in named["formats"] or (None,)]
            for done in concurrent.futures.as_completed(begun):
                self.keep(done.result())

    def compare(self):
        """Rows of several devices with the fastest of one, in whichever way and format that runs."""
        good = [row for row in self.rows if "failed" not in row]
        for row in good:
            graph, weak = of_one_device(row, self.options.scale)
            row["scaling"] = "weak" if weak else "strong"
            alone = [r["median_seconds"] for r in good if r["devices"] == 1 and (r["algorithm"], r["graph"]) == (row["algorithm"], graph)]
            if row["devices"] > 1 and alone:
                # Graphs that grow have about as many entries a device: the figure is for exactly as many.
                per_device = 1.0
                if weak:
                    entries = next(r["entries"] for r in good if r["devices"] == 1 and r["graph"] == graph)
                    per_device = row["entries"] / row["devices"] / entries
                row["over_first"] = min(alone) * per_device / row["median_seconds"]
        for row in self.rows:
            row.setdefault("scaling", "strong")
        self.write()

    def measure(self):
        """Several devices first: where there is no time left for one, its figures may be there from another day."""
        devices = self.options.devices
        while devices >= 1:
            self.side_by_side(devices)
            self.compare()
            devices //= 2


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, required=True, help="N, a power of two")
    parser.add_argument("--folder", required=True, help="a build: bin/cugrb is in it")
    parser.add_argument("--mpi", required=True, help="how ranks are started: 'mpirun -n {devices} cugrb exec cugrb-mpi'")
    parser.add_argument("--visible", default=os.environ.get("CUDA_VISIBLE_DEVICES", ""), help="the devices' numbers; default: 0 to N - 1")
    parser.add_argument("--how", action="append", choices=[ONE, RANKS], help="only these (repeatable)")
    parser.add_argument("--only", default="", help="only cases in whose 'ALGORITHM GRAPH' this regular expression is found")
    parser.add_argument("--scale", type=int, default=25, help="of the largest R-MAT graph of one device")
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
    options.how = options.how or [ONE, RANKS]
    bench = Bench(options)
    bench.measure()
    return 1 if any("failed" in row for row in bench.rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
