"""Reads the prototypes of a GraphBLAS.h: every function it declares, with typed and named parameters.

The C compiler's preprocessor removes the conditionals; what is left is parsed as text, because the header's
declarations are plain prototypes: `extern RESULT NAME ( TYPE name, ... ) ;`.
"""

import dataclasses
import re
import subprocess


class HeaderError(Exception):
    """The header holds something that this parser does not understand."""


@dataclasses.dataclass(frozen=True)
class Parameter:
    """One parameter: `spelling` declares it in C++, `type` is its type, `base` the type less const and stars."""
    spelling: str
    type: str
    base: str
    name: str
    pointers: int = 0
    is_const: bool = False
    is_function: bool = False


@dataclasses.dataclass(frozen=True)
class Function:
    result: str
    name: str
    parameters: tuple
    variadic: bool = False
    since: str = ""  # the first and the last version that declare it, "7.4"; known of declarations.txt
    until: str = ""


@dataclasses.dataclass(frozen=True)
class Header:
    functions: tuple
    enums: frozenset  # names of enum typedefs
    callbacks: frozenset  # names of function-pointer typedefs


def preprocess(path, compiler, include_directories=()):
    """The header's text after the C preprocessor."""
    flags = [f"-I{directory}" for directory in include_directories]
    command = [compiler, "-x", "c", "-E", "-P", *flags, "-include", path, "-"]
    run = subprocess.run(command, input="", capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise HeaderError(f"{' '.join(command)} failed:\n{run.stderr}")
    return run.stdout


_TOKENS = re.compile(r"[A-Za-z_]\w*|\.\.\.|\S")
# A prototype begins after the end of another declaration, with `extern` (7.4) or without (8 and later).
_PROTOTYPE = re.compile(r"(?<=[;}\n])\s*(?:extern\s+)?((?!typedef|return|static)(?:const\s+)?[A-Za-z_]\w*"
                        r"(?:\s+[A-Za-z_]\w*)*?[\s*]+)((?:GrB|GxB|GB)_\w+)\s*\(")


def _closing(text, start):
    """Index of the parenthesis that closes the one at `start`."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at
    raise HeaderError(f"unbalanced parentheses near: {text[start:start + 80]}")


def _split(text):
    """Splits a parameter list at its outermost commas."""
    parts, depth, begin = [], 0, 0
    for at, character in enumerate(text):
        depth += {"(": 1, ")": -1, "[": 1, "]": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append(text[begin:at])
            begin = at + 1
    parts.append(text[begin:])
    return [" ".join(part.split()) for part in parts]


def _parameter(text, position, function):
    text = re.sub(r"\b_Bool\b", "bool", text)
    callback = re.match(r"^(.*?)\(\s*\*\s*(\w+)\s*\)\s*\((.*)\)$", text)
    if callback:
        return Parameter(text, text, "function", callback[2], is_function=True)
    array = re.match(r"^(.*?)(\w+)\s*\[\s*\w*\s*\]$", text)
    if array:
        text = f"{array[1]}*{array[2]}"
    tokens = _TOKENS.findall(text)
    words = [token for token in tokens if re.match(r"\w", token) and token not in ("const", "struct", "enum")]
    if any(not re.match(r"^(\w+|\*)$", token) for token in tokens) or not words:
        raise HeaderError(f"{function}: cannot parse parameter '{text}'")
    named = len(words) > 1 and words[-1] == tokens[-1] and not _is_arithmetic(words)
    name = words[-1] if named else f"unnamed{position}"
    type_tokens = tokens[:-1] if named else tokens
    base = " ".join(words[:-1] if named else words)
    type_text = re.sub(r"\s*\*", "*", " ".join(type_tokens)).replace("*", " *", 1).replace(" *", "*")
    return Parameter(f"{type_text} {name}", type_text, base, name, type_tokens.count("*"),
                     type_tokens[0] == "const")


def _is_arithmetic(words):
    """True for an unnamed parameter of a type of several words, such as `unsigned int`."""
    return all(word in ("unsigned", "signed", "long", "short", "int", "char", "double", "float") for word in words)


def _function(result, name, parameter_text):
    parts = _split(parameter_text)
    if parts in ([""], ["void"]):
        return Function(result, name, ())
    variadic = parts[-1] == "..."
    if variadic:
        parts.pop()
    return Function(result, name, tuple(_parameter(part, i, name) for i, part in enumerate(parts)), variadic)


def parse(text):
    """The declarations in preprocessed text, in the header's order, each name once."""
    functions = {}
    for match in _PROTOTYPE.finditer(text):
        opening = match.end() - 1
        closing = _closing(text, opening)
        if not text[closing + 1:].lstrip().startswith(";"):
            raise HeaderError(f"{match[2]}: not a plain prototype")
        result = re.sub(r"\b_Bool\b", "bool", " ".join(match[1].split()))
        function = _function(result, match[2], text[opening + 1:closing])
        known = functions.setdefault(function.name, function)
        if len(known.parameters) != len(function.parameters):
            raise HeaderError(f"{function.name}: two different declarations")
    if not functions:
        raise HeaderError("no function declared: not a GraphBLAS.h")
    enums = re.findall(r"\btypedef\s+enum\b[^{;]*\{[^}]*\}\s*(\w+)\s*;", text)
    callbacks = re.findall(r"\btypedef\s+[\w\s*]+\(\s*\*\s*(\w+)\s*\)\s*\(", text)
    return Header(tuple(functions.values()), frozenset(enums), frozenset(callbacks))
