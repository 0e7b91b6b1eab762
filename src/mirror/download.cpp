#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "src/formats/dcsr.h"
#include "src/formats/host_copy.h"
#include "src/formats/matrix_in_parts.h"
#include "src/formats/vector_parts.h"
#include "src/memory/policy.h"
#include "src/mirror/integer_copies.h"
#include "src/mirror/transfer.h"

namespace cugrb::mirror {

namespace {

/// What a kernel has not counted, and cannot now, is counted here: content comes home also where no kernel
/// can be compiled or launched.
uint64_t entries_of(const formats::DeviceVector& vector) try {
  return vector.nvals();
} catch (const std::exception&) {
  if (vector.form != Form::bitmap) throw;
  const std::vector<uint8_t> present = vector.present.to_host<uint8_t>(vector.length);
  return uint64_t(present.size()) - uint64_t(std::count(present.begin(), present.end(), uint8_t(0)));
}

HostContent content_of(const formats::DeviceVector& vector) {
  HostView shape;
  shape.by_column = true;  // as SuiteSparse holds every vector
  shape.value_bytes = vector.type.size;
  shape.vectors = 1;
  shape.vector_length = vector.length;
  shape.entries = entries_of(vector);
  shape.iso = vector.iso;
  if (shape.entries > 0 && vector.form == Form::bitmap) shape.form = HostForm::bitmap;
  if (shape.entries > 0 && vector.form == Form::full) shape.form = HostForm::full;

  HostContent content;
  if (!content.reserve(shape)) throw std::bad_alloc();
  content.leave_form_open();
  if (shape.form == HostForm::sparse) {
    content.offsets()[0] = 0;
    content.offsets()[1] = static_cast<int64_t>(shape.entries);
    copy_integers_to_host(content.indices(), vector.indices.data(), shape.entries,
                          formats::index_width(vector.length));
  }
  if (shape.form == HostForm::bitmap) {
    runtime::device().copy_to_host(content.present(), vector.present.data(), vector.length);
  }
  const uint64_t value_bytes = content.view().value_count() * shape.value_bytes;
  if (value_bytes > 0) runtime::device().copy_to_host(content.values(), vector.values.data(), value_bytes);
  return content;
}

/// A bitmap of so few entries that a list of them is worth making: fewer bytes come down, and take place on
/// the host. SuiteSparse chooses the form in either case.
bool is_rather_a_list(const formats::DeviceVector& vector) {
  constexpr uint64_t worth_making_bytes = uint64_t(1) << 20;
  if (vector.form != Form::bitmap) return false;
  const uint64_t value_bytes = vector.iso ? 0 : vector.type.size;
  const uint64_t of_bitmap = vector.length * (1 + value_bytes);
  if (of_bitmap <= worth_making_bytes) return false;
  return of_bitmap > entries_of(vector) * (sizeof(uint64_t) + value_bytes) + worth_making_bytes;
}

/// Put together on the host, where home has no memory for the whole.
HostContent content_of_parts(const formats::DeviceVector& vector) {
  const formats::Split& split = *vector.parts->split;
  HostView shape;
  shape.by_column = true;
  shape.value_bytes = vector.type.size;
  shape.vectors = 1;
  shape.vector_length = vector.length;
  shape.entries = vector.nvals();
  shape.form = vector.form == Form::full ? HostForm::full : HostForm::bitmap;
  HostContent content;
  if (!content.reserve(shape)) throw std::bad_alloc();
  content.leave_form_open();
  for (size_t p = 0; p < split.parts.size(); ++p) {
    const formats::DeviceVector& part = vector.parts->of[p];
    const std::vector<uint64_t> positions =
        formats::widened(split.parts[p].positions, split.width, part.length);
    const std::vector<char> values = part.values.to_host<char>(part.length * shape.value_bytes);
    const std::vector<int8_t> present = part.present.to_host<int8_t>(part.present ? part.length : 0);
    for (uint64_t n = 0; n < part.length; ++n) {
      std::memcpy(static_cast<char*>(content.values()) + positions[n] * shape.value_bytes,
                  values.data() + n * shape.value_bytes, shape.value_bytes);
      if (part.present) content.present()[positions[n]] = present[n];
    }
  }
  return content;
}

}  // namespace

HostContent download(const formats::DeviceVector& vector) {
  if (vector.parts != nullptr) {
    formats::DeviceVector whole;
    if (!arranges([&] { whole = formats::collected(vector); })) return content_of_parts(vector);
    return download(whole);
  }
  formats::DeviceVector list;
  const bool is_list = is_rather_a_list(vector) && arranges([&] { list = formats::to_sparse(vector); });
  return content_of(is_list ? list : vector);
}

namespace {

/// The matrix by rows, or by columns when `by_column`; as it is stored when that cannot be made now.
std::pair<const formats::Csr*, bool> arranged(const formats::DeviceMatrix& matrix, bool by_column) {
  const formats::Csr* rows = &matrix.stored;
  const bool turned = by_column != matrix.by_column && arranges([&] { rows = &matrix.by_rows(by_column); });
  return {rows, matrix.by_column != turned};
}

bool has_every_position(const formats::Csr& csr) {
  return csr.entries > 0 && csr.entries % csr.rows == 0 && csr.entries / csr.rows == csr.columns;
}

}  // namespace

namespace {

/// Rows that the host has put together.
HostContent content_of_rows(const formats::HostRows& rows, const formats::SparseShape& matrix,
                            bool by_column) {
  HostView shape;
  shape.form = HostForm::sparse;
  shape.by_column = by_column;
  shape.value_bytes = matrix.type.size;
  shape.vectors = matrix.rows;
  shape.vector_length = matrix.columns;
  shape.entries = matrix.entries;
  shape.iso = matrix.iso;
  HostContent content;
  if (!content.reserve(shape)) throw std::bad_alloc();
  content.leave_form_open();
  std::copy(rows.offsets.begin(), rows.offsets.end(), content.offsets());
  std::copy(rows.columns.begin(), rows.columns.end(), content.indices());
  std::copy(rows.values.begin(), rows.values.end(), static_cast<char*>(content.values()));
  return content;
}

/// Of a fragmented matrix.
HostContent download_fragments(const formats::Dcsr& matrix, bool by_column) {
  return content_of_rows(formats::rows_on_host(matrix), matrix, by_column);
}

/// Of a matrix in parts.
HostContent download_parts(const formats::MatrixParts& parts, bool by_column) {
  const formats::DeviceMatrix& first = parts.of.front();
  return content_of_rows(
      formats::rows_on_host(parts),
      formats::sparse_shape(first.type, parts.split->length, first.stored.columns, parts.entries()),
      by_column);
}

}  // namespace

HostContent download(const formats::DeviceMatrix& matrix, bool by_column, bool full_allowed) {
  if (matrix.parts != nullptr) return download_parts(*matrix.parts, matrix.by_column);
  if (matrix.fragments != nullptr) return download_fragments(*matrix.fragments, matrix.by_column);
  const auto [csr, arranged_by_column] = arranged(matrix, by_column);
  HostView shape;
  shape.form = full_allowed && has_every_position(*csr) ? HostForm::full : HostForm::sparse;
  shape.by_column = arranged_by_column;
  shape.value_bytes = matrix.type.size;
  shape.vectors = csr->rows;
  shape.vector_length = csr->columns;
  shape.entries = csr->entries;
  shape.iso = csr->iso;

  HostContent content;
  if (!content.reserve(shape)) throw std::bad_alloc();
  content.leave_form_open();
  if (shape.form == HostForm::sparse) {
    copy_integers_to_host(content.offsets(), csr->offsets.data(), csr->rows + 1, csr->offset_width);
    copy_integers_to_host(content.indices(), csr->column_indices.data(), csr->entries, csr->column_width);
  }
  const uint64_t value_bytes = content.view().value_count() * shape.value_bytes;
  if (value_bytes > 0) runtime::device().copy_to_host(content.values(), csr->values.data(), value_bytes);
  return content;
}

}  // namespace cugrb::mirror
