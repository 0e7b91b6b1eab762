"""A published SuiteSparse:GraphBLAS: the library inside a wheel of suitesparse-graphblas, fetched from PyPI once.

    library.py FOLDER VERSION      prints the library's path
"""

import fcntl
import pathlib
import subprocess
import sys
import zipfile

# The wheels differ in the Python that they are for, and hold the same library.
_TAGS = ("--python-version", "3.11", "--implementation", "cp", "--abi", "cp311", "--platform", "manylinux2014_x86_64",
         "--platform", "manylinux_2_28_x86_64")


def library(folder, version):
    """Path of libgraphblas of this version of the package, "9.4.5.0", below the folder."""
    place = pathlib.Path(folder) / version
    place.mkdir(parents=True, exist_ok=True)
    with open(place / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests that need the same version start together
        found = list(place.glob("suitesparse_graphblas.libs/libgraphblas-*"))
        if not found:
            subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", *_TAGS, "-d",
                            str(place), f"suitesparse-graphblas=={version}"], check=True)
            [wheel] = place.glob("*.whl")
            zipfile.ZipFile(wheel).extractall(place)
            wheel.unlink()
            found = list(place.glob("suitesparse_graphblas.libs/libgraphblas-*"))
    [path] = found
    return path


if __name__ == "__main__":
    print(library(*sys.argv[1:]))
