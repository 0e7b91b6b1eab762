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
