// GxB_Matrix_concat: C from tiles; GxB_Matrix_split: tiles from A; GxB_Matrix_reshapeDup; GrB_*_resize and
// GxB_Matrix_reshape of what the device has.
#include <memory>
#include <numeric>

#include "offload_functions.h"
#include "src/capi/gate.h"
#include "src/capi/index_limit.h"
#include "src/capi/offload_call.h"
#include "src/operations/matrix_parts.h"
#include "src/support/declined.h"

namespace cugrb::capi::offload {
namespace {

/// m rows of n tiles each. Throws Invalid where their heights in a row of tiles, or their widths in a column,
/// differ, or do not add up to C's.
std::vector<MatrixOperand> tiles_of(MatrixCall& call, const GrB_Matrix* tiles, uint64_t m, uint64_t n) {
  require(tiles != nullptr && m > 0 && n > 0);
  std::vector<MatrixOperand> given;
  uint64_t rows = 0, columns = 0;
  for (uint64_t k = 0; k < m * n; ++k) {
    const MatrixOperand tile = call.input(tiles[k]);
    given.push_back(tile);
    require(tile.rows == given[k / n * n].rows && tile.columns == given[k % n].columns);
    if (k % n == 0) rows += tile.rows;
    if (k < n) columns += tile.columns;
    call.result_type(tile.type);
  }
  require(rows == call.output().rows && columns == call.output().columns);
  return given;
}

}  // namespace

Outcome GxB_Matrix_concat(GrB_Matrix C, const GrB_Matrix* Tiles, GrB_Index m, GrB_Index n,
                          GrB_Descriptor desc) {
  return attempt([&] {
    decode::descriptor(desc);  // looked at, as SuiteSparse does; nothing in it matters
    const auto real = [&](GrB_Matrix out) { return real::table().GxB_Matrix_concat(out, Tiles, m, n, desc); };
    MatrixCall call("concat", {C, nullptr, nullptr, nullptr, real});
    const std::vector<MatrixOperand> tiles = tiles_of(call, Tiles, m, n);
    const auto device = [&](const operations::MatrixOutput& c) {
      std::vector<mirror::MatrixUse> uses;
      std::vector<const formats::DeviceMatrix*> matrices;
      for (const MatrixOperand& tile : tiles) {
        uses.push_back(mirror::read(tile.handle));
        matrices.push_back(&*uses.back());
      }
      operations::concat(c, matrices, n);
    };
    return call.run(std::to_string(m) + "x" + std::to_string(n), device);
  });
}

namespace {

uint64_t sum_of(const GrB_Index* list, uint64_t count) {
  return std::accumulate(list, list + count, uint64_t(0));
}

using MadeMatrix = std::unique_ptr<Made<GrB_Matrix>>;

void give_content(const MadeMatrix& made, formats::DeviceMatrix&& content) {
  mirror::MatrixUse use = mirror::write(made->get(), /*keep=*/false);
  *use = std::move(content);
  use.commit();
}

/// A tile of A's type and settings, with that content on the device.
MadeMatrix new_tile(GrB_Matrix A, GrB_Type type, formats::DeviceMatrix&& content) {
  auto made = std::make_unique<Made<GrB_Matrix>>(new_matrix(type, content.rows, content.columns));
  mirror::take_settings(A, made->get());
  give_content(made, std::move(content));
  return made;
}

}  // namespace

Outcome GxB_Matrix_split(GrB_Matrix* Tiles, GrB_Index m, GrB_Index n, const GrB_Index* Tile_nrows,
                         const GrB_Index* Tile_ncols, GrB_Matrix A, GrB_Descriptor desc) {
  return attempt([&]() -> Outcome {
    decode::descriptor(desc);
    require(Tiles != nullptr && Tile_nrows != nullptr && Tile_ncols != nullptr && m > 0 && n > 0);
    const MatrixOperand a = operand(A);
    Inputs inputs("split");
    inputs.add(a);
    require(sum_of(Tile_nrows, m) == a.rows && sum_of(Tile_ncols, n) == a.columns);
    for (uint64_t i = 0; i < m; ++i) require(Tile_nrows[i] <= a.rows);
    for (uint64_t j = 0; j < n; ++j) require(Tile_ncols[j] <= a.columns);
    if (!inputs.placed(false)) return forwarded;
    const GrB_Type type = type_handle(A);
    std::vector<MadeMatrix> made;
    with_eviction([&] {
      made.clear();
      const mirror::MatrixUse use = mirror::read(A);
      for (uint64_t i = 0, row = 0; i < m; row += Tile_nrows[i++]) {
        for (uint64_t j = 0, column = 0; j < n; column += Tile_ncols[j++]) {
          made.push_back(
              new_tile(A, type, operations::part(*use, {row, Tile_nrows[i]}, {column, Tile_ncols[j]})));
        }
      }
    });
    if (blocking()) runtime::device().synchronize();
    for (uint64_t k = 0; k < m * n; ++k) Tiles[k] = made[k]->give();
    return GrB_SUCCESS;
  });
}

namespace {

/// `resized` makes the new content of the old. What is on the host is SuiteSparse's to resize.
template <class Handle, class Resized>
Outcome resize(Handle object, uint64_t rows, uint64_t columns, const Resized& resized) {
  return attempt([&]() -> Outcome {
    require(object != nullptr && rows <= most_positions && columns <= most_positions);
    if (mirror::state(object) != mirror::State::device) return forwarded;
    if (rows == 0 || columns == 0) throw Declined("the output has no positions");
    with_eviction([&] {
      auto use = mirror::write(object);
      auto content = resized(*use);
      mirror::resize_shell(object, rows, columns);
      *use = std::move(content);
      use.commit();
    });
    if (blocking()) runtime::device().synchronize();
    return GrB_SUCCESS;
  });
}

}  // namespace

/// As many positions as the matrix has, in another shape.
void require_reshapable(const MatrixOperand& a, uint64_t rows, uint64_t columns) {
  using Wide = unsigned __int128;
  const Wide positions = Wide(rows) * columns;
  require(positions == Wide(a.rows) * a.columns && positions <= most_positions);
}

Outcome GrB_Matrix_resize(GrB_Matrix C, GrB_Index nrows_new, GrB_Index ncols_new) {
  return resize(C, nrows_new, ncols_new, [&](const formats::DeviceMatrix& c) {
    return operations::part(c, {0, nrows_new}, {0, ncols_new});
  });
}

Outcome GrB_Vector_resize(GrB_Vector w, GrB_Index nrows_new) {
  return resize(w, nrows_new, 1,
                [&](const formats::DeviceVector& u) { return operations::resized(u, nrows_new); });
}

Outcome GxB_Matrix_reshape(GrB_Matrix C, bool by_col, GrB_Index nrows_new, GrB_Index ncols_new,
                           GrB_Descriptor desc) {
  return attempt([&]() -> Outcome {
    decode::descriptor(desc);
    require_reshapable(operand(C), nrows_new, ncols_new);
    return resize(C, nrows_new, ncols_new, [&](const formats::DeviceMatrix& c) {
      return operations::reshaped(c, by_col, nrows_new, ncols_new);
    });
  });
}

namespace {

/// SuiteSparse holds A as a bitmap or full, or would, had it the entries that the device has.
bool is_dense(const MatrixOperand& a) {
  if (mirror::dense_on_host(a.handle)) return true;
  if (mirror::state(a.handle) != mirror::State::device) return false;
  const mirror::MetadataGuard guard(a.handle);
  double bitmap_switch = 1;
  real::table().GxB_Matrix_Option_get_FP64(a.handle, real::options().bitmap_switch, &bitmap_switch);
  return double(entries_of(a)) > bitmap_switch * double(a.rows) * double(a.columns);
}

/// For A's reshaped content, with the settings that SuiteSparse gives it: A's where it copies a bitmap or a
/// full matrix; else those of a new matrix, which has A's shape at first where A is turned for the reshaping.
MadeMatrix reshaped_shell(const MatrixOperand& a, bool by_column, uint64_t rows, uint64_t columns) {
  const bool held = mirror::held_by_column(a.handle), turned = held != by_column,
             copied = !turned && is_dense(a);
  const GrB_Type type = type_handle(a.handle);
  auto made = std::make_unique<Made<GrB_Matrix>>(turned || copied ? new_matrix(type, a.rows, a.columns)
                                                                  : new_matrix(type, rows, columns));
  if (copied) mirror::take_settings(a.handle, made->get());
  mirror::set_orientation(made->get(), held);
  mirror::resize_shell(made->get(), rows, columns);
  return made;
}

}  // namespace

Outcome GxB_Matrix_reshapeDup(GrB_Matrix* C, GrB_Matrix A, bool by_col, GrB_Index nrows_new,
                              GrB_Index ncols_new, GrB_Descriptor desc) {
  return attempt([&]() -> Outcome {
    decode::descriptor(desc);
    require(C != nullptr);
    const MatrixOperand a = operand(A);
    require_reshapable(a, nrows_new, ncols_new);
    if (!a.has_positions()) throw Declined("the output has no positions");
    Inputs inputs("reshape");
    inputs.add(a);
    if (!inputs.placed(false)) return forwarded;
    MadeMatrix made;
    with_eviction([&] {
      const mirror::MatrixUse use = mirror::read(A);
      made = reshaped_shell(a, by_col, nrows_new, ncols_new);
      give_content(made, operations::reshaped(*use, by_col, nrows_new, ncols_new));
    });
    if (blocking()) runtime::device().synchronize();
    *C = made->give();
    return GrB_SUCCESS;
  });
}

}  // namespace cugrb::capi::offload
