#!/usr/bin/env python3
"""What a forwarded call costs before three versions of SuiteSparse: writes bench/results/forwarding.json.

    bench/interposer/measure.py [--build build/release] [--runs 5] [--output FILE]

bench_forwarding has been built (cmake -DCUGRB_BENCHMARKS=ON). Published versions come from PyPI. Fails when a call costs more than
20 ns and 30 ns for each handle.
"""

import argparse
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/versions"))
import library as published  # noqa: E402

A_CALL, A_HANDLE = 20, 30
VERSIONS = ("7.4.0", "9.4.5.0", "10.5.1.0")  # the first is the installed one
ENVIRONMENTS = [("none", "never"), ("none", "auto"), ("emulated", "never"), ("emulated", "auto"), ("emulated", "always")]
#: The device does these itself under `always`: they are not forwarded.
ON_DEVICE = ("GrB_mxv", "GrB_Vector_setElement_FP64", "GrB_Matrix_nvals")
HOW = ("bench/interposer/measure.py: bench_forwarding under LD_PRELOAD=libcugrb.so, processor time, nanoseconds a call through "
       "libcugrb.so less the same call of the real library, the median of 101 rounds in turn (cost_ns) and the fastest rounds of "
       "both (least_cost_ns), each the median of {runs} runs; "
       "OMP_NUM_THREADS=1. No GPU takes part. Under always only calls are listed that the device does not do. Under auto GrB_mxv "
       "is small: SuiteSparse gets it after a look at its operands' dimensions.")


def measure(options, version, variables):
    """The calls of one run."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("CUGRB_", "LD_"))}
    environment.update(variables, OMP_NUM_THREADS="1", LD_PRELOAD=str(options.build / "lib/libcugrb.so"))
    if version != VERSIONS[0]:
        real = str(published.library(options.build / "tests/versions", version))
        environment.update(CUGRB_GRAPHBLAS=real, LD_PRELOAD=f"{environment['LD_PRELOAD']} {real}")
    done = subprocess.run([options.build / "bench/bench_forwarding"], env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def medians(runs):
    """One list of calls; each number is the median of the runs', of the fastest rounds as well."""
    return [{**calls[0], **{number: round(statistics.median(call[number] for call in calls), 1)
                            for number in ("interposed_ns", "real_ns", "cost_ns", "least_cost_ns")}} for calls in zip(*runs)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "bench/results/forwarding.json")
    parser.add_argument("--where", required=True, help="the machine, in words")
    options = parser.parse_args()
    options.build = options.build.resolve()
    runs, above = [], []
    for version in VERSIONS:
        for device, offload in ENVIRONMENTS:
            variables = {"CUGRB_DEVICE": device, "CUGRB_OFFLOAD": offload}
            calls = medians([measure(options, version, variables) for _ in range(options.runs)])
            if offload == "always":
                calls = [call for call in calls if not call["call"].startswith(ON_DEVICE)]
            runs.append({"suitesparse": version, "device": "no device" if device == "none" else "emulated device",
                         "environment": variables, "calls": calls})
            above += [f"{version} {offload} {call['call']}: {call['cost_ns']} ns" for call in calls
                      if call["cost_ns"] > A_CALL + A_HANDLE * call["handles"]]
    result = {"date": datetime.date.today().isoformat(), "how": HOW.format(runs=options.runs), "where": options.where,
              "bars_ns": {"call": A_CALL, "handle": A_HANDLE}, "runs": runs}
    options.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print("\n".join(above) or "every call is below the bars")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
