#!/usr/bin/env python3
"""A program's first calls by every CUGRB_JIT, and with a kernel pack, on the emulated device: the results are the same.

    first_calls_test.py --cugrb build/release/bin/cugrb PROGRAM
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ON_DEVICE, NOT_COMPILED, BEING_COMPILED = " on emulated |", "CUGRB_JIT=never: a kernel is not compiled: ", "a kernel is being compiled: "


def run(command, folder, **settings):
    """Standard output and the trace of a run, with a kernel cache in `folder`, or none."""
    environment = {**os.environ, "CUGRB_DEVICE": "emulated", "CUGRB_OFFLOAD": "always", "CUGRB_TRACE": "1",
                   "CUGRB_CACHE": str(folder) if folder else "off", **settings}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode != 0:
        sys.exit(f"{command} {settings}: exit status {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cugrb", required=True)
    parser.add_argument("program")
    options = parser.parse_args()
    program = [options.cugrb, "exec", options.program]
    wrong = []

    def expect(holds, what):
        if not holds:
            wrong.append(what)

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        output, trace = run(program, None, CUGRB_JIT="never")
        expect(NOT_COMPILED in trace and "compiled 1" not in trace, "never: nothing is declined, or something is compiled")
        plain = output
        requests, pack = folder / "requests", folder / "kernels.pack"
        output, trace = run(program, folder / "waits", CUGRB_JIT="wait", CUGRB_REQUESTS=str(requests))
        expect(output == plain and ON_DEVICE in trace and BEING_COMPILED not in trace, "wait: something is declined")
        waited = trace.count(ON_DEVICE)
        output, trace = run(program, folder / "background", CUGRB_JIT="background")
        expect(output == plain and BEING_COMPILED in trace, "background: another result, or nothing is declined")
        run([options.cugrb, "precompile", "--list", str(requests), "--architecture", "host", "--pack", str(pack)],
            folder / "waits", CUGRB_TRACE="", CUGRB_OFFLOAD="")
        output, trace = run(program, None, CUGRB_JIT="never", CUGRB_KERNEL_PACK=str(pack))
        expect(output == plain and trace.count(ON_DEVICE) == waited and NOT_COMPILED not in trace,
               "with a pack: not all calls that ran on the device with a compiler do so without one")
        described, _ = run([options.cugrb, "info"], None, CUGRB_KERNEL_PACK=str(pack))
        count = len(set(requests.read_text().splitlines()))
        expect(f"{pack}: {count} for host" in described, f"info: expected {count} kernels for host, not\n{described}")
        pack.write_bytes(pack.read_bytes()[:-1])
        output, trace = run(program, None, CUGRB_JIT="never", CUGRB_KERNEL_PACK=str(pack))
        expect(output == plain and NOT_COMPILED in trace and f"kernel pack {pack} is not used: it is damaged" in trace,
               "with a damaged pack: it is used, or the trace does not say why it is not")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{count} kernels, {waited} calls on the device")


if __name__ == "__main__":
    main()
