"""What tools/house.py counts, on lines that are made for it."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools"))
import house  # noqa: E402

LINES = """void write_back(const Output& w,
                Csr&& t);

void write_back(const Output& w,
                Csr&& t) {
  if (name == "mxv_coo") runtime::device().trim();
  // if (name == "mxv_coo") device();
}

struct Mask {
  int first() const {
    return 1;
  }
};
""".splitlines()
FILES = [("src/operations/planted.cpp", LINES), ("src/capi/planted.cpp", LINES)]


class HouseTest(unittest.TestCase):
    def test_comments_and_the_adapter_do_not_count(self):
        self.assertEqual(house.matches(FILES, house.THREAD_DEVICE, house.ADAPTER), ["src/operations/planted.cpp:6"])
        self.assertEqual(house.matches(FILES[:1], house.KERNEL_NAME_AS_TEXT), ["src/operations/planted.cpp:6"])

    def test_a_declaration_is_no_definition(self):
        self.assertEqual(house.definitions(FILES[:1], house.WRITE_BACK), ["src/operations/planted.cpp:4"])
        self.assertEqual(house.matches(FILES[:1], house.DEFINITION), ["src/operations/planted.cpp:10"])

    def test_lengths_by_the_layout(self):
        self.assertEqual(list(house.lengths(LINES, house.CLASS)), [(5, 10)])
        self.assertEqual(list(house.lengths(LINES, house.FUNCTION)), [(3, 11)])


if __name__ == "__main__":
    unittest.main()
