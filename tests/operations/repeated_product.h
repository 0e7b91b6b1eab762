// A product that is asked for again and again: what decisions, looks and trials change over time.
#pragma once
#include "tests/operations/mxv_cases.h"

namespace cugrb::test {

/// w = A u, every row of A with entries, u full.
struct RepeatedProduct {
  static constexpr uint64_t positions = 70;

  Random random{41};
  MeantSemiring semiring = built_in_semiring("PLUS_TIMES_INT32");
  RefMatrix a =
      random_matrix(random, Type::of(TypeCode::Int32), positions, positions, Spread::no_empty_row, 4, false);
  RefVector u = random_vector(random, Type::of(TypeCode::Int32), positions, 1, false);
  formats::DeviceMatrix matrix = to_device(a, false, false);
  formats::DeviceVector vector = to_device(u, Form::full, false);

  operations::PreparedMask no_mask;
  operations::MatrixVector call{semiring.semiring, matrix, vector, false, false};
  operations::MatrixVectorRun run{call, no_mask};

  std::shared_ptr<operations::MxvMemo> memo() const { return operations::recall(run, {}); }
};

}  // namespace cugrb::test
