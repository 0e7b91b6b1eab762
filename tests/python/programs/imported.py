"""The program whose path is the first argument, after `import cugrb`."""

import runpy
import sys

import cugrb

assert cugrb.is_active()
runpy.run_path(sys.argv.pop(1), run_name="__main__")
print(cugrb.statistics()["calls_gpu"], "calls on the device", file=sys.stderr)
