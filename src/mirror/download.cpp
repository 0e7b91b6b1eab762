#include <cstring>
#include <new>

#include "src/mirror/integer_copies.h"
#include "src/mirror/transfer.h"

namespace cugrb::mirror {

HostContent download(const formats::DeviceVector& vector) {
  HostView shape;
  shape.by_column = true;  // as SuiteSparse holds every vector
  shape.value_bytes = vector.type.size;
  shape.vectors = 1;
  shape.vector_length = vector.length;
  shape.entries = vector.nvals();
  shape.iso = vector.iso;
  if (shape.entries > 0 && vector.form == Form::bitmap) shape.form = HostForm::bitmap;
  if (shape.entries > 0 && vector.form == Form::full) shape.form = HostForm::full;

  HostContent content;
  if (!content.reserve(shape)) throw std::bad_alloc();
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

}  // namespace cugrb::mirror
