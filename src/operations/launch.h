// Launch: the text and the views of one write-back kernel (cuda/kernels/write_back.h), filled step by step.
#pragma once
#include <string>

#include "src/operations/domain.h"

namespace cugrb::operations {

struct Launch {
  std::string expression, mask, old, into;  ///< template arguments
  WriteBackArguments arguments;
};

/// The expression's template-id: expression_ewise_mult<times<float>, u_id, v_id>; absent parts are empty.
std::string expression_id(const Expression& t, const std::string& u_id, const std::string& v_id);
/// Definitions of all user-defined types and operators involved.
std::string preamble_of(const VectorOutput& w, const Expression& t);

/// `list`: the operand whose positions are visited, null when all positions are.
void set_expression(Launch& launch, const Expression& t, const DeviceVector* u, const DeviceVector* v,
                    const DeviceVector* list);
void set_old(Launch& launch, const DeviceVector& old, bool is_read, const DeviceVector* list);
void set_mask(Launch& launch, const PreparedMask& mask);
/// The mask over a list: where the list is the mask's own, its pattern needs no test.
void set_listed_mask(Launch& launch, const Exit& exit, const DeviceVector* list);

/// The memory that a launch writes.
struct Outputs {
  const runtime::Buffer& values;
  const runtime::Buffer& present;
};
/// Launches over `arguments.count` positions, or (index_type not empty) over so many listed ones of that
/// width; or puts it off, so that what follows at the same places joins it (src/formats/joined.h).
void run(const Exit& exit, const Launch& launch, const std::string& index_type, const Outputs& outputs);

}  // namespace cugrb::operations
