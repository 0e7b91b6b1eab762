"""A report's command line, and Markdown."""
import argparse
import pathlib


def arguments(description):
    """(files, folder for SVG plots or None) of a report's command line."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--figures", type=pathlib.Path, help="folder for SVG plots")
    options = parser.parse_args()
    return options.files, options.figures


def print_title(what, run, records):
    print(f"# {what} on {run['device']}\n\nDriver {run.get('driver')}, commit {run.get('commit') or 'unknown'}, {run.get('date')}, "
          f"{run.get('cores')} CPU cores; {records}{'' if run.get('complete', True) else ' (the run ended at its budget)'}.")


def without_differing(records):
    """The matrices or cases whose candidates made the same result, the others named: times of a wrong one say nothing."""
    wrong = [record for record in records if record.differing]
    if wrong:
        print("## Left out: results differ\n")
        for record in wrong:
            print(f"- {record.name}: {', '.join(record.differing)}")
    return [record for record in records if not record.differing]


def number(value, digits):
    return "–" if value is None else f"{value:.{digits}f}"


def share(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.0f} %)" if whole else "–"


def print_table(head, rows):
    if not rows:
        print("(nothing measured)\n")
        return
    cells = [[str(c) for c in row] for row in rows]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in cells:
        print("| " + " | ".join(row) + " |")
    print()


def print_account(seconds):
    """Where a run's time went, the largest part first."""
    print("\n## Where the run's time went\n")
    whole = sum(seconds.values())
    print_table(["phase", "s", "%"], [[phase, number(s, 1), number(100 * s / whole, 1)] for phase, s in sorted(seconds.items(), key=lambda i: -i[1])]
                + [["all", number(whole, 1), ""]])
