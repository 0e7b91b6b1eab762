"""Markdown tables."""


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
