"""python -m cugrb [OPTIONS] script.py | -m module | -c code [ARGUMENTS...]

Runs a program of Python with cuGrB in front of its GraphBLAS. OPTIONS are those of `cugrb exec`; an option's value
stands behind '=': python -m cugrb --offload=always --trace script.py. `cugrb exec --help` lists them.
"""

import subprocess
import sys
from typing import List, Tuple

from ._command import run


def split(words: List[str]) -> Tuple[List[str], List[str]]:
    """The options of `cugrb exec`, and what Python gets."""
    count = next((i for i, word in enumerate(words) if not word.startswith("--") or word == "--"), len(words))
    return words[:count], words[count + (words[count:count + 1] == ["--"]):]


def main() -> None:
    """Replaces this process by `cugrb exec` of the program."""
    options, program = split(sys.argv[1:])
    if "--help" in options or not program:
        print(__doc__.strip(), file=sys.stdout if options else sys.stderr)
        sys.exit(0 if "--help" in options else 2)
    interpreter = [sys.executable, *subprocess._args_from_interpreter_flags()]  # type: ignore[attr-defined]
    run(["exec", *options, "--", *interpreter, *program])


if __name__ == "__main__":
    main()
