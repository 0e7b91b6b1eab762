#include "src/operations/multiply/mxv/pull.h"

#include "cuda/views/row_presence.h"
#include "src/formats/l2_share.h"

namespace cugrb::operations {

using formats::Csr;
using runtime::Buffer;

std::string values_id(const Type& type, bool read, bool iso) {
  if (!read) return "values_none";
  return template_id(iso ? "values_iso" : "values_array", {type.name});
}

std::string operand_id(const DeviceVector& vector, bool read) {
  const std::string values = values_id(vector.type, read, vector.iso);
  if (vector.form == Form::full) return template_id("operand_full", {values});
  if (vector.form == Form::bitmap) return template_id("operand_bitmap", {values});
  return template_id("operand_listed", {formats::index_type(formats::index_width(vector.length)), values});
}

std::string product_id(const MatrixVectorRun& run, const std::string& matrix, const std::string& operand) {
  return template_id("matrix_vector",
                     {run.call.semiring.source, matrix, operand, text_of(run.call.vector_first)});
}

std::string csr_product_id(const MatrixVectorRun& run, const Csr& matrix, const DeviceVector& vector) {
  const std::string rows = template_id(
      "csr_rows", {formats::index_type(matrix.offset_width), formats::index_type(matrix.column_width),
                   values_id(matrix.type, run.reads_matrix(), matrix.iso)});
  return product_id(run, rows, operand_id(vector, run.reads_vector()));
}

namespace {

struct RowPresence {
  Buffer present;  ///< a byte for each row
  size_t bytes() const { return present.bytes(); }
};

RowPresence presence_of(const Csr& rows) {
  RowPresence presence;
  presence.present = Buffer(rows.rows);
  RowPresenceArguments arguments;
  arguments.matrix = rows.view();
  arguments.present = presence.present.as<uint8_t>();
  formats::launch_blocks("row_presence.h",
                         template_id("row_presence", {formats::index_type(rows.offset_width)}),
                         formats::blocks_for(rows.rows), arguments);
  return presence;
}

}  // namespace

bool pattern_is_known(const MatrixVectorRun& run) {
  const bool counted = run.call.matrix.fragments == nullptr;  // rows that come and go are not
  return counted && run.mask.allows_all && run.call.vector.form == Form::full;
}

DeviceVector new_result(const MatrixVectorRun& run, bool known_pattern) {
  const DeviceMatrix& matrix = run.call.matrix;
  const bool transposed = run.call.transpose_matrix;
  const uint64_t empty_rows = known_pattern ? matrix.row_lengths(transposed).empty : 0;
  DeviceVector t;
  t.type = run.call.semiring.add.type();
  t.length = run.rows();
  t.values = Buffer((t.length * t.type.size + 3) / 4 * 4);
  t.form = known_pattern && empty_rows == 0 ? Form::full : Form::bitmap;
  if (t.form == Form::full) return t;
  if (known_pattern) {
    t.present = matrix.derived(transposed, formats::OfPattern<RowPresence>(), presence_of).present;
    t.set_nvals(t.length - empty_rows);
    return t;
  }
  t.present = Buffer(t.length);
  t.set_nvals_counter({});  // counted when somebody asks
  return t;
}

size_t operand_bytes(const MatrixVector& call) {
  return call.vector_first ? call.semiring.multiply.x.size : call.semiring.multiply.y.size;
}

size_t entry_bytes(const MatrixVectorRun& run, uint64_t entries) {
  const Csr& stored = run.call.matrix.stored;
  const size_t value = run.reads_matrix() && !stored.iso ? stored.type.size : 0;
  return entries * (formats::bytes_of(stored.column_width) + value);
}

uint64_t policy_of(const MatrixVectorRun& run, size_t matrix_bytes, const DeviceVector& t) {
  const DeviceVector& u = run.call.vector;
  // T's twice: that of the product before is still there.
  return formats::l2_policy_of(matrix_bytes, u.length * u.type.size + 2 * t.length * t.type.size);
}

MxvOperands operands_of(const MatrixVectorRun& run, const CsrView& matrix, const DeviceVector& vector,
                        const DeviceVector& t, size_t matrix_bytes) {
  MxvOperands operands;
  operands.matrix = matrix;
  operands.policy = policy_of(run, matrix_bytes, t);
  set_operands(operands, run, vector, t);
  return operands;
}

MxvOperands operands_of(const MatrixVectorRun& run, const Pull& pull) {
  return operands_of(run, pull.matrix.view(), pull.vector, pull.t, entry_bytes(run, pull.matrix.entries));
}

Pull::Pull(const MatrixVectorRun& run)
    : matrix(run.call.matrix.fragments != nullptr ? run.call.matrix.stored
                                                  : run.call.matrix.by_rows(run.call.transpose_matrix)),
      bitmap(run.call.vector.form == Form::sparse ? to_bitmap(run.call.vector) : DeviceVector()),
      vector(run.call.vector.form == Form::sparse ? bitmap : run.call.vector),
      full_result(pattern_is_known(run)),
      t(new_result(run, full_result)) {}

}  // namespace cugrb::operations
