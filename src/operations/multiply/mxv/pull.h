// What every kernel that pulls has in common: u at any position, T, and the text of the product.
#pragma once
#include <string>

#include "cuda/views/mxv.h"
#include "src/formats/launch.h"
#include "src/operations/multiply/choose.h"
#include "src/operations/multiply/mxv/run.h"
#include "src/operations/template_id.h"
#include "src/selector/looks.h"

namespace cugrb::operations {

/// "values_none", "values_iso<T>" or "values_array<T>" (cuda/kernels/mxv_operands.h).
std::string values_id(const Type& type, bool read, bool iso);
/// How the kernel sees u: asked at any position (pull), or as a list (push).
std::string operand_id(const DeviceVector& vector, bool read);
/// The `matrix_vector` of cuda/kernels/mxv_operands.h for a matrix of those template arguments.
std::string product_id(const MatrixVectorRun& run, const std::string& matrix, const std::string& operand);
/// The same for a CSR.
std::string csr_product_id(const MatrixVectorRun& run, const formats::Csr& matrix,
                           const DeviceVector& vector);

/// Which positions of T get an entry is a matter of the matrix alone: those of rows with entries. (u is full,
/// and there is no mask.)
bool pattern_is_known(const MatrixVectorRun& run);
/// T without values yet. Where the pattern is known it is there already: T is full, or a bitmap that shares
/// the matrix's presence of rows, which is made at the first call; kernels then take it for full. Else a
/// bitmap whose count is not known. Room for whole 32-bit words (atomic updates of small values go through
/// the word around them).
DeviceVector new_result(const MatrixVectorRun& run, bool known_pattern);
/// u, the mask and T, among a kernel's arguments.
template <class Arguments>
void set_operands(Arguments& arguments, const MatrixVectorRun& run, const DeviceVector& vector,
                  const DeviceVector& t) {
  arguments.vector = vector.view();
  arguments.mask = run.mask.view;
  arguments.result.values = t.values.data();
  arguments.result.present = t.present.as<uint8_t>();
  arguments.result.length = t.length;
}
/// `matrix_bytes`: what every product reads of the matrix, of which L2 keeps what fits it.
MxvOperands operands_of(const MatrixVectorRun& run, const CsrView& matrix, const DeviceVector& vector,
                        const DeviceVector& t, size_t matrix_bytes);
/// Of a value of u as the multiply operator takes it.
size_t operand_bytes(const MatrixVector& call);
/// Bytes of so many positions and their values, as CSR has them.
size_t entry_bytes(const MatrixVectorRun& run, uint64_t entries);
/// How L2 treats a format of that many bytes: it keeps what fits it beside the vectors.
uint64_t policy_of(const MatrixVectorRun& run, size_t matrix_bytes, const DeviceVector& t);

/// What a pull reads and writes.
struct Pull {
  const formats::Csr& matrix;  ///< of a fragmented matrix its shape alone
  const DeviceVector bitmap;   ///< u in this form, where it is sparse
  const DeviceVector& vector;  ///< u, full or bitmap
  bool full_result;            ///< T's pattern is known: kernels do not write it, only values
  DeviceVector t;

  explicit Pull(const MatrixVectorRun& run);
};
/// Of a pull that reads as much of the matrix as its CSR holds.
MxvOperands operands_of(const MatrixVectorRun& run, const Pull& pull);

/// A specialisation of the template `stem` of cuda/kernels/`header`. Its template-id, hundreds of characters,
/// is only put together, by template_id_of(stem), where the run's memo does not know the kernel: within one
/// plan a stem has the same arguments every time. It is launched with `Arguments`.
template <class Arguments, class TemplateId>
const runtime::Kernel& product_kernel(const MatrixVectorRun& run, const char* header, const char* stem,
                                      const TemplateId& template_id_of) {
  const runtime::Kernel* kernel = run.memo == nullptr ? nullptr : run.memo->kernel(stem);
  if (kernel != nullptr) return *kernel;
  kernel = &jit::kernel({header, template_id_of(stem), run.call.semiring.preamble, sizeof(Arguments)});
  if (run.memo != nullptr) run.memo->remember(stem, *kernel);
  return *kernel;
}

/// Launches it in blocks of 256 threads. All these kernels wait for earlier ones themselves.
template <class Arguments, class TemplateId>
void launch_product(const MatrixVectorRun& run, const char* header, const char* stem, uint64_t blocks,
                    const Arguments& arguments, const TemplateId& template_id_of) {
  if (blocks == 0) return;
  formats::launch_blocks(product_kernel<Arguments>(run, header, stem, template_id_of), blocks, arguments,
                         /*overlaps=*/true);
}

/// product_id of a pull from rows of another format than CSR.
inline std::string product_id(const MatrixVectorRun& run, const Pull& pull, const std::string& matrix) {
  return product_id(run, matrix, operand_id(pull.vector, run.reads_vector()));
}

/// Fills in what the costs of formats other than CSR depend on; from `looks.neighbours` uses on how
/// neighbouring entries gather, and the widths of slices, too, as far as they have arrived
/// (DeviceMatrix::derived_later), and whether others may be made. `waits`: for all of it, and they may.
void describe_formats(const MatrixVectorRun& run, const selector::Looks& looks, bool waits,
                      selector::MxvProblem& problem);
/// Fills in what each kernel has to say, and which formats are there. `of_device`: the problem is about the
/// device that holds the matrix. Of references the forced one alone, or all that are listed.
void describe_kernels(const MatrixVectorRun& run, bool of_device, References references,
                      selector::MxvProblem& problem);

}  // namespace cugrb::operations
