"""A report.py run on made-up results."""
import contextlib
import io
import json
import pathlib
import sys
import tempfile


def run_report(report, results, after=lambda paths: None):
    """(the text that the module prints on these results, its figures by name, what `after` makes of the results' files)."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / f"{k}.json" for k in range(len(results))]
        for path, content in zip(paths, results):
            path.write_text(json.dumps(content))
        out = io.StringIO()
        argv, sys.argv = sys.argv, ["report.py", *map(str, paths), "--figures", f"{folder}/figures"]
        try:
            with contextlib.redirect_stdout(out):
                report.main()
        finally:
            sys.argv = argv
        return out.getvalue(), {p.name: p.read_text() for p in pathlib.Path(folder, "figures").iterdir()}, after(paths)
