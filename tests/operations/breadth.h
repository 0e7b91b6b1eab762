// How many specialisations the kernels' tests draw: all, or one for each structure of a kernel.
//
// A data race, and a result that depends on the order of threads, come from a kernel's structure (its
// barriers, its atomics, which blocks share what), not from the operators in it, and so does a read past an
// end. So ctest sets CUGRB_TEST_STRUCTURES. Operators and types are the business of the differential tests,
// of the calls of every function, and of the run on a GPU, which draws all.
#pragma once
#include <initializer_list>
#include <string>
#include <vector>

namespace cugrb::test {

/// CUGRB_TEST_STRUCTURES=1 or races: one specialisation for each structure.
bool structures_only();

/// CUGRB_TEST_STRUCTURES=races, as under ThreadSanitizer: of what differs in values and lengths alone, where
/// the same kernels run, a part by turns.
bool races_only();

/// What decides the atomic that adds to a sum of this semiring (a built-in name: MONOID_MULTIPLY_TYPE): the
/// size of its type, and whether it is a floating-point type.
std::string atomic_of_sum(const std::string& semiring);

/// Whether a sum of this semiring may end before its last term: any term will do, or the first true decides.
bool ends_early(const std::string& semiring);

/// Whether a configuration shows a structure that no earlier one of this process has shown; always true when
/// all specialisations are drawn.
bool shows_a_new_structure(const std::vector<std::string>& structures);

/// The shapes of operands over which a kernel's next configuration runs: all, and where one specialisation a
/// structure is drawn, all for the kernel's first configuration and a third, by turns, for the later ones. So
/// do those of mxm_vectors everywhere: what it launches, row after row, are the kernels of mxv. Where races
/// alone are looked for, the first configuration gets a third, too.
std::vector<size_t> shapes_for(const std::string& kernel, size_t shapes);

/// What a test goes through, such as names of semirings: all, and where one specialisation a structure is
/// drawn, one, by turns of all that ask.
template <class T>
std::vector<T> by_turns(std::initializer_list<T> all) {
  static size_t turn = 0;
  if (!structures_only()) return all;
  return {all.begin()[turn++ % all.size()]};
}

}  // namespace cugrb::test
