"""The command `cugrb` of this package."""

import ctypes.util
import glob
import importlib.util
import os
import pathlib
import sys
from typing import Dict, Iterator, List, NoReturn

from ._library import FOLDER

COMMAND = FOLDER / "bin" / "cugrb"
#: Names the libraries that the command itself uses, so that a program under `cugrb exec` does not get them.
OWN_GRAPHBLAS = "_CUGRB_COMMAND_GRAPHBLAS"


def _graphblas_libraries() -> Iterator[List[str]]:
    """SuiteSparse:GraphBLAS libraries that the command could use, each behind what it needs; the best first."""
    spec = importlib.util.find_spec("suitesparse_graphblas")
    if spec is not None and spec.origin is not None:
        site = pathlib.Path(spec.origin).parent.parent
        # The libraries of a wheel have names of their own, by which they find each other when they are loaded.
        libraries = sorted(glob.glob(glob.escape(str(site)) + "/suitesparse_graphblas.libs/*.so*"))
        graphblas = [path for path in libraries if os.path.basename(path).startswith("libgraphblas")]
        if graphblas:
            yield [path for path in libraries if path not in graphblas] + graphblas
    for path in sorted(glob.glob(glob.escape(sys.prefix) + "/lib/libgraphblas.so*")):
        yield [path]
    system = ctypes.util.find_library("graphblas")
    if system is not None:
        yield [system]


def _environment(libraries: List[str]) -> Dict[str, str]:
    """The command finds GraphBLAS's functions and predefined objects in what is loaded in front of it."""
    before = os.environ.get("LD_PRELOAD")
    own = ":".join(libraries)
    return {**os.environ, "LD_PRELOAD": own + (":" + before if before else ""), OWN_GRAPHBLAS: own}


def run(words: List[str]) -> NoReturn:
    """Replaces this process by the command."""
    libraries = next(_graphblas_libraries(), None)
    if libraries is None:
        sys.exit("cugrb: the command needs SuiteSparse:GraphBLAS, and there is none in this environment; "
                 "pip install python-graphblas brings it")
    unusable = next((path for path in libraries if any(character in path for character in ": \t")), None)
    if unusable is not None:
        sys.exit(f"cugrb: {unusable} cannot be preloaded: the loader splits LD_PRELOAD at blanks and colons. "
                 "'import cugrb' in the program, before GraphBLAS, does without it")
    sys.stdout.flush()
    os.execve(COMMAND, ["cugrb", *words], _environment(libraries))


def main() -> NoReturn:
    """The console script `cugrb`."""
    run(sys.argv[1:])
