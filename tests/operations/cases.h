// One randomly drawn configuration of a vector operation, run on the device and by the reference.
#pragma once
#include <functional>
#include <string>

#include "src/operations/operations.h"
#include "tests/operations/device_data.h"

namespace cugrb::test {

enum class Kind : uint8_t {
  ewise_add,
  ewise_union,
  ewise_mult,
  apply,
  bind_first,
  bind_second,
  apply_index,
  select,
  assign,
  assign_scalar,
  assign_nothing,
  assign_list,
  assign_scalar_list,
  extract,
  write_back,
  count
};

/// A vector's shape in a configuration; with it the specialisation is (nearly) fixed, the data is not.
struct Shape {
  Type type;
  Form form = Form::sparse;
  bool iso = false;
};

enum class Alias : uint8_t { none, output_is_u, output_is_v, output_is_mask, mask_is_u, output_shares_u };

struct Configuration {
  Kind kind = Kind::assign;
  UnaryOp unary;
  BinaryOp binary;
  IndexUnaryOp index_unary;
  Shape u, v, w, mask;
  bool masked = false, structural = false, complement = false, replace = false;
  std::optional<BinaryOp> accumulate;
  Alias alias = Alias::none;
  std::string text() const;
};

/// Vectors of one run, on both sides, and what else the operation takes.
struct Data {
  RefVector u, v, w, mask;
  formats::DeviceVector du, dv, dw, dmask;
  Value x, y;
  std::vector<uint64_t> list;
  bool t_masked = false;  ///< write_back: T has entries only where the mask allows
};

/// Draws a configuration whose types fit together.
Configuration draw(Random& random);
/// The same with a sparse operand and another sparse, valued mask: the one is visited, the other searched.
Configuration draw_sparse(Random& random);
Data make_data(const Configuration& configuration, Random& random, uint64_t length);
/// What the output must be, by the reference.
RefVector expected_output(const Configuration& configuration, const Data& data);
/// Runs it on the device: the output is output_of(data).
void run_on_device(const Configuration& configuration, Data& data);
formats::DeviceVector& output_of(const Configuration& configuration, Data& data);
/// Runs it once on data of this length: empty when the device agrees with the reference, else what differs.
/// `place` may change the forms of what lies on the device.
std::string run(const Configuration& configuration, Random& random, uint64_t length,
                const std::function<void(Data&)>& place = nullptr);

}  // namespace cugrb::test
