"""Mutants of a kernel file: one small planted fault each.

A fault is what a tired person could write: an atomic made plain, a barrier or fence removed, a bound or an index off by
one, a test dropped or negated, a neighbouring comparison, operands swapped, a wrong identity, a jump left out.
Works on text: comments, preprocessor lines, template heads and static assertions are left alone.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """Replaces text[begin:end] of `path` by `replacement`."""

    path: str
    line: int
    column: int
    operator: str
    begin: int
    end: int
    original: str
    replacement: str

    def apply(self, text):
        return text[: self.begin] + self.replacement + text[self.end :]

    def mutated_line(self, text):
        """The line with the fault in it: what equivalent.txt names, since line numbers change."""
        return self.apply(text).splitlines()[self.line - 1].strip()

    def original_line(self, text):
        return text.splitlines()[self.line - 1].strip()

    def describe(self):
        squeeze = lambda s: re.sub(r"\s+", " ", s).strip()
        return f"{self.path}:{self.line}:{self.column}: {self.operator}: {squeeze(self.original)!r} -> {squeeze(self.replacement)!r}"


def blanked(text):
    """The text with everything that is not to be mutated replaced by spaces, positions unchanged."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    text = re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.S)
    text = re.sub(r'"(\\.|[^"\\\n])*"', blank, text)
    text = re.sub(r"^[ \t]*#[^\n]*(\\\n[^\n]*)*", blank, text, flags=re.M)
    text = re.sub(r"static_assert\s*\(.*?\);", blank, text, flags=re.S)
    text = re.sub(r"^[ \t]*(using|namespace|template|struct|friend)\b[^\n]*", blank, text, flags=re.M)
    return text


def closing(text, opening):
    """Position of the bracket that closes the one at `opening`, or -1."""
    depth = 0
    for at in range(opening, len(text)):
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth -= 1
            if depth == 0:
                return at
    return -1


def arguments(text):
    """Splits at the commas outside all brackets; template argument lists count as brackets."""
    parts, depth, start = [], 0, 0
    for at, c in enumerate(text):
        angle_open = c == "<" and at > 0 and (text[at - 1].isalnum() or text[at - 1] in "_")
        angle_close = c == ">" and not text[at - 1].isspace() and text[at - 1] != "-"
        if c in "([{" or angle_open:
            depth += 1
        elif c in ")]}" or angle_close:
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return parts + [text[start:].strip()]


def calls(code, names):
    """(begin, end, name, arguments) of every call of a function of `names`, template arguments allowed."""
    for match in re.finditer(rf"(?<![\w:.])(?:\w+::)*\b({names})\s*(<[^;(){{}}]*>)?\s*\(", code):
        end = closing(code, match.end() - 1)
        if end > 0:
            yield match.start(), end + 1, match.group(0)[:-1], arguments(code[match.end() : end])


def call_mutants(code):
    """Atomics made plain, collectives and fences removed, operands swapped."""
    for begin, end, head, args in calls(code, "atomic_add|atomic_update|atomic_compare_and_swap|relaxed_store|relaxed_load"):
        name = re.match(r"(?:\w+::)*(\w+)", head).group(1)
        if name == "atomic_add" and len(args) == 2:
            plain = f"[&] {{ auto seen = *({args[0]}); *({args[0]}) = seen + ({args[1]}); return seen; }}()"
        elif name == "atomic_update" and len(args) == 3:
            plain = f"*({args[0]}) = ({args[2]})(*({args[0]}), {args[1]})"
        elif name == "atomic_compare_and_swap" and len(args) == 3:
            plain = f"[&] {{ auto seen = *({args[0]}); if (seen == ({args[1]})) *({args[0]}) = ({args[2]}); return seen; }}()"
        elif name == "relaxed_store" and len(args) == 2:
            plain = f"*({args[0]}) = ({args[1]})"
        elif name == "relaxed_load" and len(args) == 1:
            plain = f"*({args[0]})"
        else:
            continue
        yield "atomic made plain", begin, end, plain
    for match in re.finditer(r"\b(sync_block|sync_warp|memory_fence)\s*\([^;()]*(\([^()]*\))?[^;()]*\)\s*;", code):
        what = "fence removed" if match.group(1) == "memory_fence" else "barrier removed"
        yield what, match.start(), match.end(), ";"
    for begin, end, head, args in calls(code, "multiply"):
        if len(args) >= 2 and args[0] != args[1]:
            yield "operands swapped", begin, end, f"{head}({', '.join([args[1], args[0]] + args[2:])})"
    for match in re.finditer(r"(\w+(?:<[^;(){}]*>)?::)identity\(\)", code):
        yield "wrong identity", match.start(), match.end(), f"decltype({match.group(0)})(3)"


def condition_mutants(code):
    """Tests dropped: every `if` made always true and never true (mask tests, bounds, early exits)."""
    for match in re.finditer(r"\bif\s*\(", code):
        end = closing(code, match.end() - 1)
        if end > 0:
            yield "test always true", match.end(), end, "true"
            yield "test never true", match.end(), end, "false"


TOKENS = [
    ("bound off by one", r"(?<=[\w\])]) <= (?=[\w(\-])", " < "),
    ("bound off by one", r"(?<=[\w\])]) < (?=[\w(\-])", " <= "),
    ("bound off by one", r"(?<=[\w\])]) >= (?=[\w(\-])", " > "),
    ("bound off by one", r"(?<=[\w\])]) > (?=[\w(\-])", " >= "),
    ("comparison negated", r" == ", " != "),
    ("comparison negated", r" != ", " == "),
    ("index off by one", r" \+ 1\b(?!\.)", ""),
    ("index off by one", r" - 1\b(?!\.)", ""),
    ("index off by one", r"\[(\w+)\](?=[^\[\]]*;)", r"[\1 + 1]"),
    ("start off by one", r"(?<=\w) = 0;", " = 1;"),
    ("connective exchanged", r" && ", " || "),
    ("connective exchanged", r" \|\| ", " && "),
    ("negation dropped", r"(?<=[(\s])!(?=[\w(])", ""),
    ("arithmetic exchanged", r"(?<=[\w\])]) \+ (?=[\w(])(?!1\b)", " - "),
    ("arithmetic exchanged", r"(?<=[\w\])]) - (?=[\w(])(?!1\b)", " + "),
    ("arithmetic exchanged", r"(?<=[\w\])]) % (?=[\w(])", " / "),
    ("arithmetic exchanged", r"(?<=[\w\])]) / (?=[\w(])", " * "),
    ("truth exchanged", r"\btrue\b", "false"),
    ("truth exchanged", r"\bfalse\b", "true"),
    ("jump removed", r"\b(continue|break|return);", ";"),
    ("step changed", r"/= 2\b", "/= 4"),
    ("step changed", r">>= 1\b", ">>= 2"),
]


DECLARATION = re.compile(r"^\s*(?!return\b)[A-Za-z_][\w:<>, ]*[\w>*&] \*?(\w+\[\w+\], )*\w+$")


def token_mutants(code):
    for operator, pattern, replacement in TOKENS:
        for match in re.finditer(pattern, code):
            line_begin = code.rfind("\n", 0, match.start()) + 1
            if match.group(0)[0] == "[" and DECLARATION.match(code[line_begin : match.start()]):
                continue  # the size of an array
            yield operator, match.start(), match.end(), match.expand(replacement)


def mutants_of(path, text):
    """All mutants of a file, in the order of their places."""
    code = blanked(text)
    found = {}
    for generate in (call_mutants, condition_mutants, token_mutants):
        for operator, begin, end, replacement in generate(code):
            line = text.count("\n", 0, begin) + 1
            column = begin - text.rfind("\n", 0, begin)
            mutant = Mutant(path, line, column, operator, begin, end, text[begin:end], replacement)
            found.setdefault(mutant.apply(text), mutant)
    found.pop(text, None)
    return sorted(found.values(), key=lambda m: (m.begin, m.end, m.replacement))
