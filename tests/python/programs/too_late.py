"""cuGrB imported after GraphBLAS: a warning, and nothing changes."""

import warnings

import suitesparse_graphblas  # noqa: F401

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import cugrb

assert [warning.category for warning in caught] == [cugrb.TooLateWarning], caught
assert "Import cugrb first" in str(caught[0].message), caught[0].message
state = cugrb.info()
assert not cugrb.is_active() and state["how"] == "too late" and state["device"] is None, state
with open("/proc/self/maps", encoding="utf-8") as maps:
    assert "libcugrb" not in maps.read(), "the library was loaded"
for use in (cugrb.statistics, cugrb.reset_statistics, lambda: cugrb.trace().__enter__(),
            lambda: cugrb.offload("never").__enter__()):
    try:
        use()
    except cugrb.InactiveError as error:
        assert "import cugrb first" in str(error), error
    else:
        raise AssertionError(f"{use} works although cuGrB is not in front")

import runpy  # noqa: E402
import sys  # noqa: E402

runpy.run_path(sys.argv.pop(1), run_name="__main__")
