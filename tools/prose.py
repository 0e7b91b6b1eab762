#!/usr/bin/env python3
"""Measures the prose of the pages and of the public headers' comments.

    tools/prose.py [--mean WORDS] [--longest WORDS] [FILE]...

Prints for each file the number of its sentences, their mean length and the longest one, and each phrase that only a
notebook entry may use: one that tells of an earlier state, of another run or of another machine. Without files it reads
README.md, CONTRIBUTING.md, CHANGELOG.md, the pages of docs, examples and bench, and the headers in include/; links are
then followed in the notebook, too. Tables, code and headings are no prose. A piece of inline code counts as one word.
Exits 1 when a file exceeds a bound, when a page has such a phrase, or when a link to a file leads nowhere.
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md", "examples/*.md", "bench/*/*.md",
         "include/**/*.h", "include/**/*.hpp"]
ABBREVIATIONS = ("e.g", "i.e", "al", "Eq", "Fig", "vs", "cf", "resp")
NOTEBOOK_PHRASES = [
    r"the run of then", r"(?:the )?other machine", r"(?:an)?other (?:machines?|hosts?|runs?)\b", r"\b(?:than|as|from) before\b",
    r"\b(?:hosts?|days?|runs of) before\b", r"\bbefore (?:this|that|the) change", r"\bno longer\b", r"\bany ?more\b",
    r"\bused to (?:be|do|have|take)\b", r"\bformerly\b", r"\bpreviously\b", r"\bnow also\b", r"\bsince then\b", r"\bat that time\b",
    r"\b(?:earlier|first|last) runs?\b", r"\boutcome\b", r"\bnull results?\b", r"\bnot measured yet\b", r"\bmeasured later\b",
    r"\d\s*(?:->|→)\s*\d",
]


def page_paragraphs(text):
    """The paragraphs and list items of a Markdown page, each as one line."""
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    paragraph = []
    in_code = False
    for line in text.splitlines() + [""]:
        indented = line.startswith("    ")
        if indented and (in_code or not paragraph):
            in_code = True
            continue
        in_code = in_code and not line.strip()
        item = re.match(r"\s*(?:[-*+]|\d+\.)\s+", line)
        if not line.strip() or item or line.startswith(("|", "#")):
            if paragraph:
                yield " ".join(paragraph)
            paragraph = []
        if item:
            line = line[item.end():]
        if line.strip() and not line.startswith(("|", "#")):
            paragraph.append(line.strip())


def comment_paragraphs(text):
    """The paragraphs of a C or C++ file's comments; a line in columns, or one that stands deeper, is an example."""
    paragraph = []
    in_block = False
    for line in text.splitlines() + [""]:
        comment = re.match(r"\s*(?:/\*+<?|//[/!]?<?)(.*)", line) or (in_block and re.match(r"\s*\*?(.*)", line))
        behind = None if comment else re.search(r"///<(.*)", line)
        if behind and paragraph:
            yield " ".join(paragraph)
            paragraph = []
        comment = comment or behind
        in_block = (in_block or line.lstrip().startswith("/*")) and "*/" not in line
        body = comment[1].replace("*/", "") if comment else ""
        if not body.strip() or body.startswith("    ") or re.search(r"\S   +\S", body):
            if paragraph:
                yield " ".join(paragraph)
            paragraph = []
            continue
        if re.match(r"\s*(?:[-*+]|\d+\.)\s", body) and paragraph:
            yield " ".join(paragraph)
            paragraph = []
        paragraph.append(body.strip())


def plain(paragraph):
    """The paragraph with one word in place of each piece of code, and links as their text."""
    paragraph = re.sub(r"`[^`]*`", "code", paragraph)
    paragraph = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", paragraph)
    return paragraph.replace("*", "").replace("…", "...")


def sentences(paragraph):
    """The sentences of a paragraph, as lists of words."""
    begin = 0
    text = plain(paragraph)
    ends = [m.end() for m in re.finditer(r"[.!?][\")]*(?=\s|$)", text)] + [len(text)]
    for end in ends:
        piece = text[begin:end]
        last = re.search(r"(\S+)\.$", piece)
        if last and last[1].lstrip("(") in ABBREVIATIONS and end < len(text):
            continue
        words = [word for word in piece.split() if re.search(r"\w", word)]
        if words:
            yield words
        begin = end


def paragraphs(file):
    text = file.read_text(encoding="utf-8")
    return page_paragraphs(text) if file.suffix == ".md" else comment_paragraphs(text)


def notebook_phrases(file):
    """(phrase, its surroundings) for each one outside of code; tables are looked at, too."""
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".md":
        text = "\n".join(comment_paragraphs(text))
    text = re.sub(r"^(```|~~~).*?^\1|^    .*?$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"\s+", " ", re.sub(r"`[^`]*`", "`code`", text))
    for phrase in NOTEBOOK_PHRASES:
        for match in re.finditer(phrase, text, re.IGNORECASE):
            yield match[0], text[max(0, match.start() - 40):match.end() + 40]


def broken_links(file):
    """The relative links of a page that lead to no file."""
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", file.read_text(encoding="utf-8")):
        if "://" not in target and not (file.parent / target).exists():
            yield target


def name(file):
    return file.relative_to(ROOT).as_posix() if file.is_relative_to(ROOT) else str(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mean", type=float, help="bound of the mean number of words in a sentence")
    parser.add_argument("--longest", type=int, help="bound of the longest sentence")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    files = [file.resolve() for file in options.files] or sorted(file for page in PAGES for file in ROOT.glob(page))
    linked = [file for file in files if file.suffix == ".md"]
    linked += [] if options.files else sorted(ROOT.glob("docs/notebook/*.md"))
    good = True
    for file in linked:
        for target in broken_links(file):
            good = False
            print(f"{name(file)}: the link to {target} leads nowhere")
    print(f"{'file':38} {'sentences':>9} {'mean':>6} {'longest':>7}")
    for file in files:
        found = [words for paragraph in paragraphs(file) for words in sentences(paragraph)]
        lengths = [len(words) for words in found] or [0]
        mean = sum(lengths) / len(lengths)
        print(f"{name(file):38} {len(found):9} {mean:6.1f} {max(lengths):7}")
        if options.mean and mean > options.mean:
            good = False
            print(f"  {name(file)}: a mean of {mean:.1f} words, at most {options.mean:g} are allowed")
        for words in found:
            if options.longest and len(words) > options.longest:
                good = False
                print(f"  {name(file)}: {len(words)} words: {' '.join(words)}")
        for phrase, around in notebook_phrases(file):
            good = False
            print(f"  {name(file)}: '{phrase}' belongs to the notebook: ...{around}...")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
