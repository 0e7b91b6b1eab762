#!/usr/bin/env python3
"""tools/prose.py counts what a reader would call sentences, and finds what only the notebook may say."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import prose  # noqa: E402

PAGE = """# A heading is no sentence

One two three. Four five, e.g. six `a b c` [seven eight](nine.md)!

| a table | is no prose |
|---|---|

- First item of two lines,
  which goes on here.
- Second item

    indented code is no prose.

```
nor is this. Nor this.
```
"""
HEADER = """// A comment of one sentence that
// goes on. And a second one.
#pragma once
int x;  ///< What x is.
///     w = example();
/* In C, too. */
/// name     what it is, in columns
"""


class Prose(unittest.TestCase):
    def lengths(self, paragraphs):
        return [len(words) for paragraph in paragraphs for words in prose.sentences(paragraph)]

    def test_page(self):
        self.assertEqual(self.lengths(prose.page_paragraphs(PAGE)), [3, 7, 9, 2])

    def test_comments(self):
        self.assertEqual(self.lengths(prose.comment_paragraphs(HEADER)), [8, 4, 3, 3])

    def phrases(self, text):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page.md")
            page.write_text(text)
            return [phrase for phrase, _ in prose.notebook_phrases(page)]

    def test_notebook_phrases(self):
        self.assertEqual(self.phrases("It was slower than\nbefore, by the run of then."), ["the run of then", "than before"])
        self.assertEqual(self.phrases("| 1.2 -> 0.9 |"), ["2 -> 0"])
        self.assertEqual(self.phrases("It runs before the mask is asked. `as before`"), [])

    def test_links(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page.md")
            page.write_text("[a](page.md#part) [b](https://example.org/b) [c](missing.md#part)")
            self.assertEqual(list(prose.broken_links(page)), ["missing.md"])


if __name__ == "__main__":
    unittest.main()
