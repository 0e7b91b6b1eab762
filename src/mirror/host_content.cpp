#include "src/mirror/host_content.h"

#include <sys/mman.h>

#include <cstring>
#include <utility>

#include "src/graphblas/real.h"
#include "src/mirror/error_texts.h"
#include "src/support/declined.h"

namespace cugrb::mirror {
namespace {

/// Memory that nobody has touched yet is handed over by the system page by page while it is written; in pages
/// of 2 MB that is several times as fast. A wish: the system may ignore it.
void prefer_large_pages(void* memory, uint64_t bytes) {
  constexpr uint64_t large_page = uint64_t(1) << 21, page = 4096;
  if (bytes < 2 * large_page) return;
  const uint64_t begin = (reinterpret_cast<uintptr_t>(memory) + page - 1) / page * page;
  const uint64_t end = (reinterpret_cast<uintptr_t>(memory) + bytes) / page * page;
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace

int32_t status_of(HostForm form) {
  switch (form) {
    case HostForm::hypersparse:
      return GxB_HYPERSPARSE;
    case HostForm::bitmap:
      return GxB_BITMAP;
    case HostForm::full:
      return GxB_FULL;
    default:
      return GxB_SPARSE;
  }
}

HostForm form_of_status(int status) {
  switch (status) {
    case GxB_HYPERSPARSE:
      return HostForm::hypersparse;
    case GxB_BITMAP:
      return HostForm::bitmap;
    case GxB_FULL:
      return HostForm::full;
    default:
      return HostForm::sparse;
  }
}

bool held_by_column(GrB_Matrix object) {
  int32_t format = GxB_BY_COL;
  real::table().GxB_Matrix_Option_get_INT32(object, real::options().format, &format);
  return format == GxB_BY_COL;
}

void set_orientation(GrB_Matrix object, bool by_column) {
  if (held_by_column(object) == by_column) return;
  real::table().GxB_Matrix_Option_set_INT32(object, real::options().format,
                                            by_column ? GxB_BY_COL : GxB_BY_ROW);
}

bool is_read_only(GrB_Matrix object) {
  int32_t read_only = 0;
  return real::generation() >= real::Generation::ten &&
         real::table().GrB_Matrix_get_INT32(object, &read_only, real::field_is_readonly) == GrB_SUCCESS &&
         read_only != 0;
}

uint64_t HostView::value_count() const {
  if (iso) return 1;
  const bool has_every_position = form == HostForm::bitmap || form == HostForm::full;
  return has_every_position ? vectors * vector_length : entries;
}

namespace {

uint64_t entries_of(const HostView& v, GrB_Matrix object) {
  switch (v.form) {
    case HostForm::hypersparse:
      return v.offsets ? v.offsets[v.listed_vectors] : 0;
    case HostForm::sparse:
      return v.offsets ? v.offsets[v.vectors] : 0;
    case HostForm::bitmap: {
      GrB_Index entries = 0;
      if (real::table().GrB_Matrix_nvals(&entries, object) != GrB_SUCCESS) throw Declined("nvals failed");
      return entries;
    }
    case HostForm::full:
      break;
  }
  return v.vectors * v.vector_length;
}

}  // namespace

HostView view(GrB_Matrix object) {
  real::AttachedArrays arrays;
  if (!real::attached_arrays(real::table(), real::generation(), object, &arrays))
    throw Declined("the object's pending work could not be finished");
  HostView v;
  v.form = form_of_status(arrays.form);
  v.by_column = arrays.by_column;
  v.iso = arrays.iso;
  v.value_bytes = arrays.value_bytes;
  v.vectors = arrays.vectors;
  v.vector_length = arrays.vector_length;
  v.listed_vectors = v.form == HostForm::hypersparse ? arrays.listed_vectors : 0;
  v.offsets = arrays.offsets;
  v.names = arrays.names;
  v.indices = arrays.indices;
  v.present = arrays.present;
  v.values = arrays.values;
  v.entries = entries_of(v, object);
  return v;
}

HostContent& HostContent::operator=(HostContent&& other) noexcept {
  std::swap(held_, other.held_);
  std::swap(jumbled_, other.jumbled_);
  std::swap(form_open_, other.form_open_);
  std::swap(shape_, other.shape_);
  std::swap(had_, other.had_);
  std::swap(offsets_, other.offsets_);
  std::swap(names_, other.names_);
  std::swap(indices_, other.indices_);
  std::swap(present_, other.present_);
  std::swap(values_, other.values_);
  return *this;
}

void HostContent::clear() {
  for (Array* array : {&offsets_, &names_, &indices_, &present_, &values_}) {
    if (array->memory != nullptr) real::user_free(array->memory);
    *array = {};
  }
  held_ = jumbled_ = form_open_ = false;
  shape_ = {};
  had_ = {};
}

bool HostContent::reserve(const HostView& shape) {
  clear();
  shape_ = shape;
  shape_.offsets = shape_.names = shape_.indices = {};
  shape_.present = nullptr;
  shape_.values = nullptr;
  if (shape_.entries == 0) shape_.iso = false;
  const bool hypersparse = shape.form == HostForm::hypersparse;
  const bool compressed = hypersparse || shape.form == HostForm::sparse;
  const uint64_t listed = hypersparse ? shape.listed_vectors : shape.vectors;
  held_ = true;
  const auto get = [this](Array& array, uint64_t bytes) {
    if (!held_ || bytes == 0) return;
    array.memory = real::user_malloc(bytes);
    array.bytes = bytes;
    held_ = array.memory != nullptr;
    if (held_) prefer_large_pages(array.memory, bytes);
  };
  if (compressed) get(offsets_, (listed + 1) * sizeof(int64_t));
  if (hypersparse) get(names_, listed * sizeof(int64_t));
  if (compressed) get(indices_, shape_.entries * sizeof(int64_t));
  if (shape.form == HostForm::bitmap) get(present_, shape.vectors * shape.vector_length);
  get(values_, shape_.value_count() * shape_.value_bytes);
  if (held_) return true;
  clear();
  return false;
}

bool HostContent::resize(uint64_t entries) {
  const auto fit = [](Array& array, uint64_t bytes) {
    if (bytes == 0 || bytes == array.bytes) return true;
    void* const memory = real::user_realloc(array.memory, array.bytes, bytes);
    if (memory == nullptr) return false;
    prefer_large_pages(memory, bytes);
    array = {memory, bytes};
    return true;
  };
  return fit(indices_, entries * sizeof(int64_t)) && fit(values_, entries * shape_.value_bytes);
}

void HostContent::make_iso() {
  void* const memory = real::user_realloc(values_.memory, values_.bytes, shape_.value_bytes);
  if (memory != nullptr) values_ = {memory, shape_.value_bytes};  // else what is too much stays
  shape_.iso = true;
}

HostView HostContent::view() const {
  HostView v = shape_;
  v.offsets = static_cast<const int64_t*>(offsets_.memory);
  v.names = static_cast<const int64_t*>(names_.memory);
  v.indices = static_cast<const int64_t*>(indices_.memory);
  v.present = static_cast<const int8_t*>(present_.memory);
  v.values = values_.memory;
  return v;
}

namespace {

IntegerHints widths_in(GrB_Matrix object) {
  IntegerHints widths = {};
  if (real::generation() < real::Generation::ten) return widths;
  constexpr std::array<int, 3> fields = {real::field_row_index_bits, real::field_column_index_bits,
                                         real::field_offset_bits};
  for (size_t n = 0; n < fields.size(); ++n)
    real::table().GrB_Matrix_get_INT32(object, &widths[n], fields[n]);
  return widths;
}

}  // namespace

GrB_Info HostContent::take(GrB_Matrix object) {
  const ErrorTextGuard text(object);
  const auto& t = real::table();
  clear();
  GrB_Index entries = 0;
  GrB_Index rows = 0, columns = 0;
  int32_t format = GxB_BY_ROW, status = GxB_SPARSE;
  // nvals finishes pending tuples and zombies, so that the form and the shape below are those that unpack
  // finds.
  GrB_Info info = t.GrB_Matrix_nvals(&entries, object);
  if (info == GrB_SUCCESS) info = t.GrB_Matrix_nrows(&rows, object);
  if (info == GrB_SUCCESS) info = t.GrB_Matrix_ncols(&columns, object);
  if (info == GrB_SUCCESS) info = t.GxB_Matrix_Option_get_INT32(object, real::options().format, &format);
  if (info == GrB_SUCCESS)
    info = t.GxB_Matrix_Option_get_INT32(object, real::options().sparsity_status, &status);
  GrB_Type type = nullptr;
  if (info == GrB_SUCCESS) info = t.GxB_Matrix_type(&type, object);
  size_t value_bytes = 0;
  if (info == GrB_SUCCESS) info = t.GxB_Type_size(&value_bytes, type);
  if (info != GrB_SUCCESS) return info;
  shape_.form = form_of_status(status);
  shape_.by_column = format == GxB_BY_COL;
  shape_.value_bytes = value_bytes;
  shape_.vectors = shape_.by_column ? columns : rows;
  shape_.vector_length = shape_.by_column ? rows : columns;
  shape_.entries = entries;
  had_ = widths_in(object);
  info = unpack(object);
  held_ = info == GrB_SUCCESS;
  if (!held_) clear();
  return info;
}

GrB_Info HostContent::unpack(GrB_Matrix a) {
  const auto& t = real::table();
  auto& [p, p_bytes] = offsets_;
  auto& [h, h_bytes] = names_;
  auto& [i, i_bytes] = indices_;
  auto& [b, b_bytes] = present_;
  auto& [x, x_bytes] = values_;
  const auto integers = [](void*& memory) { return reinterpret_cast<GrB_Index**>(&memory); };
  const auto bytes = [](void*& memory) { return reinterpret_cast<int8_t**>(&memory); };
  GrB_Index count = 0;
  GrB_Info info = GrB_PANIC;
  switch (shape_.form) {
    case HostForm::hypersparse: {
      const auto function = shape_.by_column ? t.GxB_Matrix_unpack_HyperCSC : t.GxB_Matrix_unpack_HyperCSR;
      info = function(a, integers(p), integers(h), integers(i), &x, &p_bytes, &h_bytes, &i_bytes, &x_bytes,
                      &shape_.iso, &count, &jumbled_, nullptr);
      shape_.listed_vectors = count;
      break;
    }
    case HostForm::sparse: {
      const auto function = shape_.by_column ? t.GxB_Matrix_unpack_CSC : t.GxB_Matrix_unpack_CSR;
      info = function(a, integers(p), integers(i), &x, &p_bytes, &i_bytes, &x_bytes, &shape_.iso, &jumbled_,
                      nullptr);
      break;
    }
    case HostForm::bitmap: {
      const auto function = shape_.by_column ? t.GxB_Matrix_unpack_BitmapC : t.GxB_Matrix_unpack_BitmapR;
      info = function(a, bytes(b), &x, &b_bytes, &x_bytes, &shape_.iso, &count, nullptr);
      break;
    }
    case HostForm::full: {
      const auto function = shape_.by_column ? t.GxB_Matrix_unpack_FullC : t.GxB_Matrix_unpack_FullR;
      info = function(a, &x, &x_bytes, &shape_.iso, nullptr);
      break;
    }
  }
  return info;
}

GrB_Info HostContent::pack(GrB_Matrix a) {
  const auto& t = real::table();
  auto& [p, p_bytes] = offsets_;
  auto& [h, h_bytes] = names_;
  auto& [i, i_bytes] = indices_;
  auto& [b, b_bytes] = present_;
  auto& [x, x_bytes] = values_;
  const auto integers = [](void*& memory) { return reinterpret_cast<GrB_Index**>(&memory); };
  const auto bytes = [](void*& memory) { return reinterpret_cast<int8_t**>(&memory); };
  // An empty iso object may have no value at all; pack asks for one.
  const bool iso = shape_.iso && x != nullptr;
  switch (shape_.form) {
    case HostForm::hypersparse: {
      const auto function = shape_.by_column ? t.GxB_Matrix_pack_HyperCSC : t.GxB_Matrix_pack_HyperCSR;
      return function(a, integers(p), integers(h), integers(i), &x, p_bytes, h_bytes, i_bytes, x_bytes, iso,
                      shape_.listed_vectors, jumbled_, nullptr);
    }
    case HostForm::sparse: {
      const auto function = shape_.by_column ? t.GxB_Matrix_pack_CSC : t.GxB_Matrix_pack_CSR;
      return function(a, integers(p), integers(i), &x, p_bytes, i_bytes, x_bytes, iso, jumbled_, nullptr);
    }
    case HostForm::bitmap: {
      const auto function = shape_.by_column ? t.GxB_Matrix_pack_BitmapC : t.GxB_Matrix_pack_BitmapR;
      return function(a, bytes(b), &x, b_bytes, x_bytes, iso, shape_.entries, nullptr);
    }
    case HostForm::full: {
      const auto function = shape_.by_column ? t.GxB_Matrix_pack_FullC : t.GxB_Matrix_pack_FullR;
      return function(a, &x, x_bytes, iso, nullptr);
    }
  }
  return GrB_PANIC;
}

GrB_Info HostContent::give(GrB_Matrix object, std::optional<int32_t> sparsity_control,
                           const IntegerHints& widths) {
  const ErrorTextGuard text(object);
  if (shape_.by_column != held_by_column(object) && !turn()) return GrB_OUT_OF_MEMORY;
  HostSettings settings(object);
  if (sparsity_control) settings.set_sparsity_control(*sparsity_control);
  // GxB_Vector_pack_CSC would allocate its one pointer array after it has freed the old content, and leave
  // the object invalid for ever when that fails; the matrix forms take all arrays from here and allocate
  // nothing.
  settings.free_name(object);
  const GrB_Info info = pack(object);
  if (info != GrB_SUCCESS) {
    settings.set_name(object);
    return info;
  }
  settings.restore(object, shape_.form, form_open_, {had_, widths});
  // All arrays are SuiteSparse's now (it takes the pointers and leaves null), except those of zero bytes.
  clear();
  return GrB_SUCCESS;
}

HostSettings::HostSettings(GrB_Matrix object) {
  const auto& t = real::table();
  t.GxB_Matrix_Option_get_INT32(object, real::options().sparsity_control, &sparsity_control_);
  t.GxB_Matrix_Option_get_FP64(object, real::options().hyper_switch, &hyper_switch_);
  t.GxB_Matrix_Option_get_FP64(object, real::options().bitmap_switch, &bitmap_switch_);
  if (real::generation() >= real::Generation::nine) {
    read_name(object);
    t.GrB_Matrix_get_INT32(object, &hyper_hash_, real::field_hyper_hash);
  }
  if (real::generation() >= real::Generation::ten) {
    for (size_t n = 0; n < hints_.size(); ++n) t.GrB_Matrix_get_INT32(object, &hints_[n], hint_fields[n]);
  }
}

void HostSettings::read_name(GrB_Matrix object) {
  const auto& t = real::table();
  size_t length = 0;
  if (t.GrB_Matrix_get_SIZE(object, &length, real::field_name) != GrB_SUCCESS || length <= 1) return;
  name_.resize(length);
  t.GrB_Matrix_get_String(object, name_.data(), real::field_name);
  name_.resize(std::strlen(name_.c_str()));
}

void HostSettings::restore_widths(GrB_Matrix object, HostForm form, const Widths& widths) const {
  const auto& t = real::table();
  const bool has_integers = form == HostForm::sparse || form == HostForm::hypersparse;
  static const auto global = static_cast<GrB_Global>(real::predefined("GrB_GLOBAL"));
  for (size_t n = 0; n < hints_.size(); ++n) {
    int32_t hint = hints_[n] != 0 ? hints_[n] : widths.otherwise[n];
    if (widths.had[n] != 0) hint = widths.had[n];
    if (hint == 0 && has_integers) t.GrB_Global_get_INT32(global, &hint, hint_fields[n]);
    // To ask for 32 bits converts at once, where they suffice; to take the wish back converts nothing.
    if (hint != 64 && has_integers) t.GrB_Matrix_set_INT32(object, 32, hint_fields[n]);
    t.GrB_Matrix_set_INT32(object, hints_[n], hint_fields[n]);
  }
}

void HostSettings::move_to_arena(GrB_Matrix object) {
  const auto& t = real::table();
  int32_t arena = 0;
  const GrB_Info info = t.GrB_Matrix_get_INT32(object, &arena, real::field_data_arena);
  if (info == GrB_SUCCESS && arena != 0) t.GrB_Matrix_wait(object, GrB_MATERIALIZE);
}

void HostSettings::set_hyper_switch(GrB_Matrix object) const {
  real::table().GxB_Matrix_Option_set_FP64(object, real::options().hyper_switch, hyper_switch_);
}

void HostSettings::free_name(GrB_Matrix object) const {
  if (name_.empty()) return;
  char none[] = "";
  real::table().GrB_Matrix_set_String(object, none, real::field_name);
}

void HostSettings::set_name(GrB_Matrix object) const {
  if (name_.empty()) return;
  real::table().GrB_Matrix_set_String(object, const_cast<char*>(name_.c_str()), real::field_name);
}

void HostSettings::restore(GrB_Matrix object, HostForm form, bool choose_form, const Widths& widths) const {
  const auto& t = real::table();
  // Every set conforms the object at once. With the settings that pack gives there is nothing to set and the
  // form stays. Otherwise: while only its present form is allowed, setting the switches converts nothing; the
  // last call may convert, and without memory for it the content stays as it is, which is still right.
  const HostSettings given(object);
  const bool same_switches = given.hyper_switch_ == hyper_switch_ && given.bitmap_switch_ == bitmap_switch_;
  if (choose_form || !same_switches || given.sparsity_control_ != sparsity_control_) {
    t.GxB_Matrix_Option_set_INT32(object, real::options().sparsity_control, status_of(form));
    t.GxB_Matrix_Option_set_FP64(object, real::options().hyper_switch, hyper_switch_);
    t.GxB_Matrix_Option_set_FP64(object, real::options().bitmap_switch, bitmap_switch_);
    t.GxB_Matrix_Option_set_INT32(object, real::options().sparsity_control, sparsity_control_);
  }
  if (given.name_ != name_) set_name(object);
  if (hyper_hash_ != given.hyper_hash_) t.GrB_Matrix_set_INT32(object, hyper_hash_, real::field_hyper_hash);
  if (real::generation() < real::Generation::ten) return;
  restore_widths(object, form, widths);
  move_to_arena(object);
}

}  // namespace cugrb::mirror
