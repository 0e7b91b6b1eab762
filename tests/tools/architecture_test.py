"""What docs/architecture.md says of the tree: its ten questions have answers, and every file and folder that it names is there."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
PATH = re.compile(r"`((?:src|cuda|semirings|include|algorithms|tools|tests|bench|python|examples|docs)/[\w./]*\w|CONTRIBUTING\.md)`")


class ArchitectureTest(unittest.TestCase):
    def test_ten_questions_are_answered_by_files_that_are_there(self):
        section = PAGE.split("## Ten questions")[1].split("\n## ")[0]
        rows = [line.split("|")[1:3] for line in section.splitlines() if line.startswith("| ")][1:]
        self.assertEqual(len(rows), 10)
        for question, answer in rows:
            paths = PATH.findall(answer)
            self.assertTrue(paths, question)
            for path in paths:
                self.assertTrue((ROOT / path).is_file(), f"{question}: {path}")

    def test_what_the_page_names_is_there(self):
        named = set(PATH.findall(PAGE))
        self.assertGreater(len(named), 40)
        self.assertEqual([path for path in sorted(named) if not (ROOT / path).exists()], [])


if __name__ == "__main__":
    unittest.main()
