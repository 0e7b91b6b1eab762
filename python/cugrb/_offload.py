"""Where the calls of a part of a program run."""

import contextlib
from typing import Iterator

from ._library import active

#: cugrb_offload of include/cugrb/cugrb.h
_MODES = {"auto": 1, "always": 2, "never": 3}


@contextlib.contextmanager
def offload(mode: str) -> Iterator[None]:
    """Decides where this thread's GraphBLAS calls run within the ``with``.

    ``"auto"``: where they are predicted to be done first; ``"always"``: on the device whenever it can do them;
    ``"never"``: on SuiteSparse. It takes the place of ``CUGRB_OFFLOAD`` and may be nested; other threads are not
    affected. GraphBLAS may put off work: ``wait()`` for what is to be done within.

    Raises ValueError for another mode, InactiveError where cuGrB is not in front of GraphBLAS.

    >>> with cugrb.offload("never"):
    ...     y << A.mxv(x)
    """
    if mode not in _MODES:
        raise ValueError(f"offload({mode!r}): expected one of {', '.join(map(repr, _MODES))}")
    library = active()
    before = library.cugrb_set_offload(_MODES[mode])
    try:
        yield
    finally:
        library.cugrb_set_offload(before)
