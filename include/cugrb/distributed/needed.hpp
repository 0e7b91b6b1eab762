// Needed columns: what ranks gather of a vector where many vertices have no entry in their column.
#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cugrb/distributed/exchange.hpp"
#include "cugrb/elementwise.hpp"
#include "cugrb/extract.hpp"
#include "cugrb/multiply.hpp"
#include "cugrb/semirings.hpp"

namespace cugrb::detail {

/// The values of u that some rank needs. Gathered, they are numbered r * stride + k: the k-th of rank r.
struct Needed {
  Matrix<bool> pick;  ///< picks this rank's by a product: row k has an entry in the column of the k-th vertex
  Index own = 0;      ///< how many this rank sends: stride, or less where it has fewer vertices
  Index stride = 1;   ///< at least 1

  /// Of the vertices so many or more are all: to pick them costs as much as it saves.
  static constexpr double most = 0.85;
};

/// How many ranks have entries in the columns of this rank's vertices. Collective.
template <class T>
std::vector<int32_t> uses_of_own(Exchange& exchange, const Matrix<T>& block) {
  const Vector<int32_t> rows(block.nrows(), 1), none(block.ncols(), 0);
  const Vector<int32_t> used = vxm(rows, block, any_pair<int32_t>);
  const Vector<int32_t> ranks =
      exchange.reduce_scatter(Vector<int32_t>(ewise_add(none, used, op::max<int32_t>)), Reduction::plus);
  std::vector<int32_t> uses(exchange.size(), 0);
  with_values(ranks, [&](const int32_t* values, bool iso) {
    for (Index k = 0; k < uses.size(); ++k) uses[k] = values[iso ? 0 : k];
  });
  return uses;
}

/// The numbers of this rank's vertices that some rank needs, and so many others that there are `stride`;
/// numbers without a vertex among them, which come last. Ascending.
inline std::vector<Index> filled_up(const std::vector<int32_t>& uses, Index needed, Index stride) {
  std::vector<Index> numbers;
  Index others = stride - needed;
  for (Index k = 0; numbers.size() < stride; ++k) {
    const bool is_needed = k < uses.size() && uses[k] > 0;
    if (!is_needed && others == 0) continue;
    if (!is_needed) --others;
    numbers.push_back(k);
  }
  return numbers;
}

/// Collective. `block` is a rank's rows, by position. Nothing where nearly all columns have entries on some
/// rank. Else its columns become those that are gathered, which ascend as the positions do. Takes the memory
/// of two blocks, and 8 bytes a gathered value on the host. O(entries).
template <class T>
std::optional<Needed> keep_needed(Exchange& exchange, Matrix<T>& block) {
  Distributed& ranks = exchange.ranks();
  const Index stride = exchange.deal().stride();
  const std::vector<int32_t> uses = uses_of_own(exchange, block);
  const auto needed =
      static_cast<Index>(std::count_if(uses.begin(), uses.end(), [](int32_t n) { return n > 0; }));
  const auto most = [](Index a, Index b) { return std::max(a, b); };
  const Index sent = std::max<Index>(1, ranks.all_reduce<Index>(needed, most, "the columns that are needed"));
  if (static_cast<double>(sent) > Needed::most * static_cast<double>(stride)) return std::nullopt;
  const std::vector<Index> numbers = filled_up(uses, needed, sent);
  std::vector<uint64_t> positions;
  for (const Index number : numbers) positions.push_back(static_cast<Index>(ranks.rank()) * stride + number);
  const std::vector<uint64_t> columns = exchange.all_gather_list(positions);
  block = Matrix<T>(extract(block, all, columns));
  std::vector<Index> rows, vertices;
  for (Index k = 0; k < numbers.size() && numbers[k] < exchange.size(); ++k) {
    rows.push_back(k);
    vertices.push_back(numbers[k]);
  }
  Needed made{Matrix<bool>(std::max<Index>(rows.size(), 1), std::max<Index>(exchange.size(), 1)), rows.size(),
              sent};
  const auto ones = std::make_unique<bool[]>(rows.size());
  std::fill_n(ones.get(), rows.size(), true);
  made.pick.build(rows.data(), vertices.data(), ones.get(), rows.size(), op::any<bool>);
  return made;
}

}  // namespace cugrb::detail
