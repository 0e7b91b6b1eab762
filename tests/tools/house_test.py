"""What tools/house.py counts, on lines that are made for it."""

import pathlib
import subprocess
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

void multiply() {
  try {
  } catch (const runtime::OutOfMemory& failure) {
  }
}
struct PackedMask {
  int bits;
};

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
        self.assertEqual(house.matches(FILES[:1], house.MASK), ["src/operations/planted.cpp:19"])
        self.assertEqual(house.matches(FILES[:1], house.FORM_OF_MASK), ["src/operations/planted.cpp:15"])

    def test_who_catches_a_lack_of_memory(self):
        self.assertEqual(house.matches(FILES[:1], house.CATCH, ("src/memory",)), ["src/operations/planted.cpp:12"])
        self.assertEqual(house.matches([("src/memory/policy.h", LINES)], house.CATCH, ("src/memory",)), [])

    def test_a_reader_that_ends_early_is_no_error(self):
        script = pathlib.Path(house.__file__)
        done = subprocess.run(f"'{sys.executable}' '{script}' | head -1", shell=True, capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")

    def test_lengths_by_the_layout(self):
        self.assertEqual(list(house.lengths(LINES, house.CLASS)), [(3, 15), (5, 19)])
        self.assertEqual(list(house.lengths(LINES, house.FUNCTION)), [(5, 10), (3, 20)])


if __name__ == "__main__":
    unittest.main()
