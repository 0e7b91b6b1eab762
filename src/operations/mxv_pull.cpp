#include "src/operations/mxv_pull.h"

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

DeviceVector new_result(const MatrixVectorRun& run, bool full) {
  DeviceVector t;
  t.type = run.call.semiring.add.type();
  t.length = run.rows();
  t.values = Buffer((t.length * t.type.size + 3) / 4 * 4);
  t.form = full ? Form::full : Form::bitmap;
  if (full) return t;
  t.present = Buffer(t.length);
  t.set_nvals_counter({});  // counted when somebody asks
  return t;
}

MxvOperands operands_of(const MatrixVectorRun& run, const CsrView& matrix, const DeviceVector& vector,
                        const DeviceVector& t) {
  MxvOperands operands;
  operands.matrix = matrix;
  operands.vector = vector.view();
  operands.mask = run.mask.view;
  operands.result.values = t.values.data();
  operands.result.present = t.present.as<uint8_t>();
  operands.result.length = t.length;
  return operands;
}

Pull::Pull(const MatrixVectorRun& run)
    : matrix(run.call.matrix.by_rows(run.call.transpose_matrix)),
      vector(run.call.vector.form == Form::sparse ? to_bitmap(run.call.vector) : run.call.vector),
      full_result(run.mask.allows_all && vector.form == Form::full &&
                  run.call.matrix.row_lengths(run.call.transpose_matrix).empty == 0),
      t(new_result(run, full_result)) {}

std::string preamble_of(const MatrixVectorRun& run) { return run.call.semiring.preamble + run.mask.preamble; }

}  // namespace cugrb::operations
