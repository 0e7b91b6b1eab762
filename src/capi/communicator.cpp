// include/cugrb/cugrb.h: vectors of several processes, from device memory to device memory.
#include <cstring>
#include <mutex>
#include <string>

#include "cuda/nccl/communicator.h"
#include "include/cugrb/cugrb.h"
#include "src/capi/copy_text.h"
#include "src/capi/gate.h"
#include "src/capi/offload_call.h"
#include "src/memory/policy.h"
#include "src/selector/placement.h"
#include "src/support/trace.h"
#include "src/support/without_cancellation.h"

using cugrb::formats::DeviceVector;
using cugrb::runtime::Buffer;

/// What the C API hands out as an opaque pointer.
struct cugrb_communicator {
  cugrb_communicator(const cugrb::nccl::UniqueId& id, int rank, int ranks, double deadline)
      : nccl(cugrb::runtime::device(), id, rank, ranks, deadline) {}

  cugrb::nccl::Communicator nccl;
  cugrb::selector::InStep in_step;
  DeviceVector arriving;  ///< between start and finish
  std::string failure;    ///< of the last call
};

namespace cugrb::capi {
namespace {

/// The call's arguments are wrong, in these words.
class Refused : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Runs a collective operation: a GrB_Info, and a text in the communicator.
template <class Body>
GrB_Info collective(const char* function, cugrb_communicator* communicator, const Body& body) noexcept {
  const WithoutCancellation without_cancellation;
  if (communicator == nullptr) return GrB_NULL_POINTER;
  try {
    const trace::Scope scope(function);
    try {
      communicator->failure.clear();
      const auto missing =
          memory::shortage([&] { offload::with_eviction([&] { body(communicator->nccl); }); });
      if (missing) {
        communicator->failure = *missing;
        return GrB_OUT_OF_MEMORY;
      }
      if (blocking()) runtime::device().synchronize();
      return GrB_SUCCESS;
    } catch (const std::bad_alloc&) {
      communicator->failure = "out of host memory";
      return GrB_OUT_OF_MEMORY;
    } catch (const Refused& error) {
      communicator->failure = error.what();
      return GrB_INVALID_VALUE;
    } catch (const std::exception& error) {  // CommunicationFailure, Declined, DeviceFailure
      communicator->failure = error.what();
      return GrB_PANIC;
    }
  } catch (...) {
    return GrB_PANIC;
  }
}

void require_block(const DeviceVector& block, uint64_t stride) {
  if (block.length > stride)
    throw Refused("a block of " + std::to_string(block.length) + " positions, of at most " +
                  std::to_string(stride));
}

/// One value for each position, none missing.
DeviceVector every_value(GrB_Vector vector) {
  const auto use = mirror::read(vector);
  if (use->nvals() != use->length) {
    throw Refused("a vector of " + std::to_string(use->length) + " positions and " +
                  std::to_string(use->nvals()) + " entries, where each position needs one");
  }
  return formats::expand_iso(formats::to_full(*use));
}

/// The vector becomes what has been computed.
void give(GrB_Vector vector, DeviceVector&& content) {
  auto use = mirror::write(vector, false);
  if (use->length != content.length || use->type != content.type) {
    throw Refused("an output of " + std::to_string(use->length) + " positions of " + use->type.name +
                  ", where there are " + std::to_string(content.length) + " of " + content.type.name);
  }
  *use = std::move(content);
  use.commit();
}

int nccl_type(const Type& type) {
  switch (type.code) {
    case TypeCode::Int8:
      return nccl::type_int8;
    case TypeCode::UInt8:
      return nccl::type_uint8;
    case TypeCode::Int32:
      return nccl::type_int32;
    case TypeCode::UInt32:
      return nccl::type_uint32;
    case TypeCode::Int64:
      return nccl::type_int64;
    case TypeCode::UInt64:
      return nccl::type_uint64;
    case TypeCode::Fp32:
      return nccl::type_float;
    case TypeCode::Fp64:
      return nccl::type_double;
    default:
      throw Refused("NCCL reduces no values of " + type.name);
  }
}

void start_all_gather(cugrb_communicator& c, GrB_Vector local, uint64_t stride) {
  const DeviceVector block = every_value(local);
  require_block(block, stride);
  const size_t bytes = stride * block.type.size;
  DeviceVector all;
  all.type = block.type;
  all.length = stride * static_cast<uint64_t>(c.nccl.ranks());
  all.form = Form::full;
  all.values = Buffer(all.length * block.type.size);
  if (block.length > 0) {
    runtime::device().copy_on_device(all.values.as<char>() + bytes * static_cast<size_t>(c.nccl.rank()),
                                     block.values.data(), block.length * block.type.size);
  }
  c.arriving = std::move(all);
  if (bytes > 0) c.nccl.all_gather(c.arriving.values.data(), bytes);
}

/// Room for `counts[r]` elements of every rank, with this rank's in their place.
nccl::Communicator::Uneven with_own(Buffer& all, const Buffer& own, const uint64_t* counts, size_t size,
                                    const nccl::Communicator& c) {
  nccl::Communicator::Uneven array;
  size_t bytes = 0, place = 0;
  for (int r = 0; r < c.ranks(); ++r) {
    if (r == c.rank()) place = bytes;
    array.bytes.push_back(counts[r] * size);
    bytes += array.bytes.back();
  }
  all = Buffer(bytes);
  array.data = all.as<char>();
  const size_t own_bytes = array.bytes[static_cast<size_t>(c.rank())];
  if (own_bytes > 0) runtime::device().copy_on_device(array.data + place, own.data(), own_bytes);
  return array;
}

void all_gather_entries(nccl::Communicator& c, GrB_Vector out, GrB_Vector local, uint64_t stride,
                        const uint64_t* counts) {
  DeviceVector block = [&] {
    const auto use = mirror::read(local);
    return formats::expand_iso(formats::to_sparse(*use));
  }();
  require_block(block, stride);
  const uint64_t own = block.nvals();
  if (own != counts[c.rank()])
    throw Refused("a vector of " + std::to_string(own) + " entries, which is said to have " +
                  std::to_string(counts[c.rank()]));
  DeviceVector all = DeviceVector::empty(block.type, stride * static_cast<uint64_t>(c.ranks()));
  uint64_t entries = 0;
  for (int r = 0; r < c.ranks(); ++r) entries += counts[r];
  if (entries > 0) {
    const auto width = formats::index_width(all.length);
    const Buffer indices = own == 0 ? Buffer()
                                    : formats::shifted(block.indices, formats::index_width(block.length),
                                                       width, own, stride * static_cast<uint64_t>(c.rank()));
    c.all_gather({with_own(all.indices, indices, counts, formats::bytes_of(width), c),
                  with_own(all.values, block.values, counts, all.type.size, c)});
    all.set_nvals(entries);
    c.finish();
  }
  give(out, std::move(all));
}

void reduce_scatter(nccl::Communicator& c, GrB_Vector out, GrB_Vector all, uint64_t stride,
                    cugrb_reduction reduction) {
  const DeviceVector values = every_value(all);
  if (values.length != stride * static_cast<uint64_t>(c.ranks()))
    throw Refused("a vector of " + std::to_string(values.length) + " positions, for " +
                  std::to_string(c.ranks()) + " ranks of " + std::to_string(stride));
  DeviceVector part;
  part.type = values.type;
  part.length = offload::operand(out).size;
  part.form = Form::full;
  require_block(part, stride);
  // All memory before the operation: one that begins again would be one too many for the other ranks.
  part.values = Buffer(part.length * values.type.size);
  const Buffer own(stride * values.type.size);
  if (stride > 0) {
    c.reduce_scatter(values.values.data(), own.data(), stride, nccl_type(values.type),
                     reduction == CUGRB_PLUS ? nccl::op_sum : nccl::op_min);
    c.finish();
  }
  if (part.length > 0) runtime::device().copy_on_device(part.values.data(), own.data(), part.values.bytes());
  if (part.length == 0) part = DeviceVector::empty(values.type, 0);
  give(out, std::move(part));
}

}  // namespace
}  // namespace cugrb::capi

using namespace cugrb;
using namespace cugrb::capi;

extern "C" {
#pragma GCC visibility push(default)

int cugrb_unique_id(void* id, char* text, size_t size) {
  const WithoutCancellation without_cancellation;
  try {
    const nccl::UniqueId made = nccl::make_unique_id();
    std::memcpy(id, &made, CUGRB_UNIQUE_ID_BYTES);
    return 0;
  } catch (const std::exception& error) {
    copy_text(error.what(), text, size);
    return -1;
  }
}

cugrb_communicator* cugrb_communicator_create(const void* id, int rank, int ranks, double deadline,
                                              char* text, size_t size) {
  const WithoutCancellation without_cancellation;
  static_assert(sizeof(nccl::UniqueId) == CUGRB_UNIQUE_ID_BYTES);
  try {
    nccl::UniqueId given;
    std::memcpy(&given, id, sizeof given);
    return new cugrb_communicator(given, rank, ranks, deadline);
  } catch (const std::exception& error) {
    copy_text(error.what(), text, size);
    return nullptr;
  }
}

void cugrb_communicator_abort(cugrb_communicator* communicator) {
  if (communicator != nullptr) communicator->nccl.abort("the program has ended the communication");
}

void cugrb_communicator_free(cugrb_communicator* communicator) { delete communicator; }

size_t cugrb_communicator_error(const cugrb_communicator* communicator, char* text, size_t size) {
  if (communicator == nullptr) return 0;
  const WithoutCancellation without_cancellation;
  try {
    const std::string ended = communicator->nccl.failure();
    const std::string& failure = ended.empty() ? communicator->failure : ended;
    copy_text(failure, text, size);
    return failure.size();
  } catch (...) {
    return 0;
  }
}

int cugrb_all_gather_start(cugrb_communicator* communicator, GrB_Vector local, uint64_t stride) {
  return collective("cugrb_all_gather_start", communicator,
                    [&](nccl::Communicator&) { start_all_gather(*communicator, local, stride); });
}

int cugrb_all_gather_finish(cugrb_communicator* communicator, GrB_Vector all) {
  return collective("cugrb_all_gather_finish", communicator, [&](nccl::Communicator& c) {
    c.finish();
    give(all, std::move(communicator->arriving));
  });
}

int cugrb_all_gather_entries(cugrb_communicator* communicator, GrB_Vector all, GrB_Vector local,
                             uint64_t stride, const uint64_t* counts) {
  return collective("cugrb_all_gather_entries", communicator,
                    [&](nccl::Communicator& c) { all_gather_entries(c, all, local, stride, counts); });
}

int cugrb_reduce_scatter(cugrb_communicator* communicator, GrB_Vector part, GrB_Vector all, uint64_t stride,
                         cugrb_reduction reduction) {
  return collective("cugrb_reduce_scatter", communicator,
                    [&](nccl::Communicator& c) { reduce_scatter(c, part, all, stride, reduction); });
}

#pragma GCC visibility pop
}  // extern "C"
