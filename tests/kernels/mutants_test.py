#!/usr/bin/env python3
"""The faults that tools/mutation plants are the ones that it says, where it says. usage: mutants_test.py ROOT"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(sys.argv.pop(1)) / "tools" / "mutation"))
import mutants  # noqa: E402

KERNEL = """\
// if (a < b) sync_block(); in a comment stays as it is
#define LIMIT (1 < 2)
template <class T, int n = 1>
CUGRB_KERNEL(64)
void kernel(Arguments a) {
  static_assert(sizeof(T) < 9, "x == y");
  unsigned counts[n], sums[n], both[n];
  for (unsigned i = 0; i < a.count; ++i) {
    if (!wanted(i)) continue;
    atomic_update<T>(out + i, cast<T>(x, 2), Combine());
  }
  sync_block();
  if (last[t] == t + 1) out[t] = multiply<Op>(x, f(y, z), i);
}
"""


def faults():
    return {(m.line, m.operator, m.replacement) for m in mutants.mutants_of("k.h", KERNEL)}


class Mutants(unittest.TestCase):
    def test_exactly_the_expected_faults(self):
        self.assertEqual(faults(), {
            (8, "start off by one", " = 1;"),
            (8, "bound off by one", " <= "),
            (9, "test always true", "true"),
            (9, "test never true", "false"),
            (9, "negation dropped", ""),
            (9, "jump removed", ";"),
            (10, "atomic made plain", "*(out + i) = (Combine())(*(out + i), cast<T>(x, 2))"),
            (10, "arithmetic exchanged", " - "),
            (12, "barrier removed", ";"),
            (13, "test always true", "true"),
            (13, "test never true", "false"),
            (13, "comparison negated", " != "),
            (13, "index off by one", ""),
            (13, "index off by one", "[t + 1]"),
            (13, "operands swapped", "multiply<Op>(f(y, z), x, i)"),
        })

    def test_each_fault_changes_its_line_only(self):
        for mutant in mutants.mutants_of("k.h", KERNEL):
            before, after = KERNEL.splitlines(), mutant.apply(KERNEL).splitlines()
            changed = [n + 1 for n, (old, new) in enumerate(zip(before, after)) if old != new]
            self.assertEqual((len(after), changed), (len(before), [mutant.line]), mutant.describe())

    def test_the_real_kernels_have_faults_of_every_important_kind(self):
        folder = pathlib.Path(mutants.__file__).resolve().parents[2] / "cuda" / "kernels"
        kinds = {m.operator for p in folder.glob("*.h") for m in mutants.mutants_of(p.name, p.read_text())}
        for kind in ("atomic made plain", "barrier removed", "bound off by one", "index off by one",
                     "test never true", "operands swapped", "comparison negated"):
            self.assertIn(kind, kinds)


if __name__ == "__main__":
    unittest.main()
