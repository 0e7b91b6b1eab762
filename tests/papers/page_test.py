#!/usr/bin/env python3
"""Every file that docs/papers.md names is there, and so is every link's target.

    page_test.py docs/papers.md
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("algorithms", "bench", "cuda", "docs", "include", "semirings", "src", "tests", "tools")


def named(text):
    """Paths in backticks, from the project's root."""
    return [code for code in re.findall(r"`([^`]+)`", text) if re.fullmatch(r"(?:%s)/\S+" % "|".join(FOLDERS), code)]


def linked(text):
    return [target for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if "://" not in target]


def missing(page):
    text = page.read_text()
    paths = [(name, ROOT / name) for name in named(text)] + [(name, page.parent / name) for name in linked(text)]
    return len(paths), sorted({name for name, path in paths if not path.exists()})


def main():
    page = pathlib.Path(sys.argv[1])
    count, lost = missing(page)
    for name in lost:
        print(f"{page.name} names {name}, which is not there")
    if count < 50:
        print(f"{page.name} names {count} files only: the page or this test has lost its form")
    return 1 if lost or count < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
