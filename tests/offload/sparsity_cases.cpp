// Sparsity controls that wait while the object is on the host (src/mirror/sparsity_control.cpp): whatever is
// done to the object afterwards shows what plain SuiteSparse shows, its form and its memory included.
#include <cstdlib>
#include <functional>

#include "tests/offload/cases.h"

namespace cases {
namespace {

/// Form, iso-ness and bytes of memory are shown. (Not where results of the device come back: it promises none
/// of these.)
bool forms_shown = false;

constexpr GrB_Index rows = 4, columns = 4096;
constexpr GrB_Index length = rows * columns;
constexpr int bitmap_or_full = GxB_BITMAP + GxB_FULL;

// ---- what differs between the two kinds of objects ----

GrB_Info set(GrB_Matrix a, double x, GrB_Index k) {
  return GrB_Matrix_setElement_FP64(a, x, k % rows, k / rows);
}
GrB_Info set(GrB_Vector v, double x, GrB_Index k) { return GrB_Vector_setElement_FP64(v, x, k); }
GrB_Info set_integer(GrB_Matrix a, int x, GrB_Index k) {
  return GrB_Matrix_setElement_INT32(a, x, k % rows, k / rows);
}
GrB_Info set_integer(GrB_Vector v, int x, GrB_Index k) { return GrB_Vector_setElement_INT32(v, x, k); }
GrB_Info set_outside(GrB_Matrix a) { return GrB_Matrix_setElement_FP64(a, 1, rows, 0); }
GrB_Info set_outside(GrB_Vector v) { return GrB_Vector_setElement_FP64(v, 1, length); }
GrB_Info remove(GrB_Matrix a, GrB_Index k) { return GrB_Matrix_removeElement(a, k % rows, k / rows); }
GrB_Info remove(GrB_Vector v, GrB_Index k) { return GrB_Vector_removeElement(v, k); }
GrB_Info extract(double* x, GrB_Matrix a, GrB_Index k) {
  return GrB_Matrix_extractElement_FP64(x, a, k % rows, k / rows);
}
GrB_Info extract(double* x, GrB_Vector v, GrB_Index k) { return GrB_Vector_extractElement_FP64(x, v, k); }
void create(GrB_Matrix* a) { GrB_Matrix_new(a, GrB_FP64, rows, columns); }
void create(GrB_Vector* v) { GrB_Vector_new(v, GrB_FP64, length); }
void release(GrB_Matrix* a) { GrB_Matrix_free(a); }
void release(GrB_Vector* v) { GrB_Vector_free(v); }
GrB_Info get(GrB_Matrix a, GxB_Option_Field field, void* value) {
  return GxB_Matrix_Option_get(a, field, value);
}
GrB_Info get(GrB_Vector v, GxB_Option_Field field, void* value) {
  return GxB_Vector_Option_get(v, field, value);
}
GrB_Info control(GrB_Matrix a, int value) { return GxB_Matrix_Option_set(a, GxB_SPARSITY_CONTROL, value); }
GrB_Info control(GrB_Vector v, int value) { return GxB_Vector_Option_set(v, GxB_SPARSITY_CONTROL, value); }
GrB_Info bitmap_switch(GrB_Matrix a, double value) {
  return GxB_Matrix_Option_set(a, GxB_BITMAP_SWITCH, value);
}
GrB_Info bitmap_switch(GrB_Vector v, double value) {
  return GxB_Vector_Option_set(v, GxB_BITMAP_SWITCH, value);
}
GrB_Info nvals(GrB_Index* n, GrB_Matrix a) { return GrB_Matrix_nvals(n, a); }
GrB_Info nvals(GrB_Index* n, GrB_Vector v) { return GrB_Vector_nvals(n, v); }
GrB_Info wait(GrB_Matrix a) { return GrB_Matrix_wait(a, GrB_MATERIALIZE); }
GrB_Info wait(GrB_Vector v) { return GrB_Vector_wait(v, GrB_MATERIALIZE); }
GrB_Info clear(GrB_Matrix a) { return GrB_Matrix_clear(a); }
GrB_Info clear(GrB_Vector v) { return GrB_Vector_clear(v); }
GrB_Info duplicate(GrB_Matrix* copy, GrB_Matrix a) { return GrB_Matrix_dup(copy, a); }
GrB_Info duplicate(GrB_Vector* copy, GrB_Vector v) { return GrB_Vector_dup(copy, v); }
GrB_Info resize(GrB_Matrix a) { return GrB_Matrix_resize(a, rows + 1, columns); }
GrB_Info resize(GrB_Vector v) { return GrB_Vector_resize(v, length + 1); }
GrB_Info iso(bool* flag, GrB_Matrix a) { return GxB_Matrix_iso(flag, a); }
GrB_Info iso(bool* flag, GrB_Vector v) { return GxB_Vector_iso(flag, v); }
GrB_Info fprint(GrB_Matrix a) {
  return GxB_Matrix_fprint(a, "it", forms_shown ? GxB_SHORT : GxB_SILENT, stdout);
}
GrB_Info fprint(GrB_Vector v) {
  return GxB_Vector_fprint(v, "it", forms_shown ? GxB_SHORT : GxB_SILENT, stdout);
}
const char* error(GrB_Matrix a) {
  const char* text = nullptr;
  GrB_Matrix_error(&text, a);
  return text;
}
const char* error(GrB_Vector v) {
  const char* text = nullptr;
  GrB_Vector_error(&text, v);
  return text;
}
GrB_Info serialized(GrB_Matrix a) {
  void* blob = nullptr;
  GrB_Index bytes = 0;
  GrB_Matrix copy = nullptr;
  GxB_Matrix_serialize(&blob, &bytes, a, nullptr);
  GxB_Matrix_deserialize(&copy, GrB_FP64, blob, bytes, nullptr);
  const GrB_Info info = fprint(copy);
  release(&copy);
  std::free(blob);
  return info;
}
GrB_Info serialized(GrB_Vector v) {
  void* blob = nullptr;
  GrB_Index bytes = 0;
  GrB_Vector copy = nullptr;
  GxB_Vector_serialize(&blob, &bytes, v, nullptr);
  GxB_Vector_deserialize(&copy, GrB_FP64, blob, bytes, nullptr);
  const GrB_Info info = fprint(copy);
  release(&copy);
  std::free(blob);
  return info;
}
GrB_Info pack_full(GrB_Matrix a) {
  void* x = std::calloc(length, sizeof(double));
  return GxB_Matrix_pack_FullR(a, &x, length * sizeof(double), false, nullptr);
}
GrB_Info pack_full(GrB_Vector v) {
  void* x = std::calloc(length, sizeof(double));
  return GxB_Vector_pack_Full(v, &x, length * sizeof(double), false, nullptr);
}
/// The entries a bitmap export finds: it fails on any other form than the one that the control asks for.
GrB_Info exported(GrB_Matrix* a) {
  GrB_Type type = nullptr;
  GrB_Index m = 0, n = 0, b_bytes = 0, x_bytes = 0, entries = 0;
  int8_t* b = nullptr;
  void* x = nullptr;
  bool one = false;
  const GrB_Info info =
      GxB_Matrix_export_BitmapR(a, &type, &m, &n, &b, &x, &b_bytes, &x_bytes, &one, &entries, nullptr);
  if (forms_shown) std::printf("exported %d %d %d %d\n", int(b_bytes), int(x_bytes), int(entries), int(one));
  std::free(b);
  std::free(x);
  return info;
}
GrB_Info exported(GrB_Vector* v) {
  GrB_Type type = nullptr;
  GrB_Index n = 0, b_bytes = 0, x_bytes = 0, entries = 0;
  int8_t* b = nullptr;
  void* x = nullptr;
  bool one = false;
  const GrB_Info info =
      GxB_Vector_export_Bitmap(v, &type, &n, &b, &x, &b_bytes, &x_bytes, &one, &entries, nullptr);
  if (forms_shown) std::printf("exported %d %d %d %d\n", int(b_bytes), int(x_bytes), int(entries), int(one));
  std::free(b);
  std::free(x);
  return info;
}
/// Reads the object on the device, as the mask and as an input.
GrB_Info use(GrB_Matrix a) {
  Matrix c(GrB_FP64, rows, columns, 3);
  const GrB_Info info = GrB_Matrix_apply(c.handle, a, nullptr, GrB_AINV_FP64, a, GrB_DESC_S);
  print("used", info, c.handle);
  return info;
}
GrB_Info use(GrB_Vector v) {
  Vector w(GrB_FP64, length);
  fill(w, 0, 3);
  const GrB_Info info = GrB_Vector_apply(w.handle, v, nullptr, GrB_AINV_FP64, v, GrB_DESC_S);
  print("used", info, w.handle);
  return info;
}
/// The object becomes a result: what the device makes of it waits for the control, too.
GrB_Info change(GrB_Matrix a) {
  return GrB_Matrix_assign_FP64(a, a, nullptr, 9, GrB_ALL, rows, GrB_ALL, columns, GrB_DESC_S);
}
GrB_Info change(GrB_Vector v) {
  return GrB_Vector_assign_FP64(v, v, nullptr, 9, GrB_ALL, length, GrB_DESC_S);
}

template <class Object>
struct Case {
  const char* name;
  std::function<void(Object&)> run;
};

/// All that can be seen of the object.
template <class Object>
void show(const char* name, Object object) {
  int control_now = -1, status = -1;
  bool one = false;
  GrB_Index n = 0;
  const char* const text = error(object);
  std::printf("error text: %s\n", text == nullptr ? "none" : text);
  print_value("control", get(object, GxB_SPARSITY_CONTROL, &control_now), &control_now);
  print_value("nvals", nvals(&n, object), &n);
  const GrB_Info got_status = get(object, GxB_SPARSITY_STATUS, &status), got_iso = iso(&one, object);
  print_number("status", got_status, forms_shown ? status : 0);
  print_number("iso", got_iso, forms_shown ? one : 0);
  print(name, fprint(object), object);
}

template <class Object>
std::vector<Case<Object>> all_cases() {
  return {
      {"nothing", [](Object&) {}},
      {"elements",
       [](Object& a) {
         for (int k = 0; k < 4; ++k) set(a, k + 1, 700 * k);
       }},
      {"the same element again",
       [](Object& a) {
         for (int k = 0; k < 4; ++k) set(a, k + 1, 700);
       }},
      {"equal elements",
       [](Object& a) {
         for (int k = 0; k < 4; ++k) set(a, 1, 700 * k);
       }},
      {"elements of two types",
       [](Object& a) {
         set(a, 2.5, 3);
         set_integer(a, 7, 9);
         set(a, 3.5, 5000);
       }},
      {"a count between elements",
       [](Object& a) {
         GrB_Index n = 0;
         for (int k = 0; k < 4; ++k) {
           set(a, k, 10 * k);
           print_value("nvals", nvals(&n, a), &n);
         }
       }},
      {"many elements",
       [](Object& a) {
         for (GrB_Index k = 0; k < 400; ++k) set(a, 1, 17 * k);
       }},
      {"every element",
       [](Object& a) {
         for (GrB_Index k = 0; k < length; ++k) set(a, 1, k);
       }},
      {"every element, counted",
       [](Object& a) {
         GrB_Index n = 0;
         for (GrB_Index k = 0; k < length; ++k) set(a, 1, k);
         print_value("nvals", nvals(&n, a), &n);
       }},
      {"element removed",
       [](Object& a) {
         set(a, 4, 6);
         remove(a, 6);
         set(a, 5, 6);
       }},
      {"element read",
       [](Object& a) {
         double x = 0;
         set(a, 4, 6);
         print_value("element", extract(&x, a, 6), &x);
         print_value("no element", extract(&x, a, 7), &x);
       }},
      {"a call that fails",
       [](Object& a) {
         set(a, 4, 6);
         print_number("outside", set_outside(a), 0);
       }},
      {"another bitmap",
       [](Object& a) {
         set(a, 4, 6);
         print_number("control", control(a, GxB_BITMAP), 0);
         print_number("control", control(a, GxB_FULL), 0);
       }},
      {"any form after all",
       [](Object& a) {
         set(a, 4, 6);
         print_number("control", control(a, GxB_AUTO_SPARSITY), 0);
       }},
      {"sparse after all",
       [](Object& a) {
         print_number("control", control(a, GxB_SPARSE), 0);
         set(a, 4, 6);
       }},
      {"invalid controls",
       [](Object& a) {
         for (const int value : {0, 16, -1, 99}) print_number("control", control(a, value), value);
       }},
      {"other options",
       [](Object& a) {
         double density = 0;
         int format = -1;
         bool hypersparse = true;
         print_value("format", get(a, GxB_FORMAT, &format), &format);
         print_value("switch", get(a, GxB_BITMAP_SWITCH, &density), &density);
         print_number("no such field", get(a, GxB_Option_Field(GxB_CHUNK), &density), 0);
         print_number("nowhere", get(a, GxB_SPARSITY_CONTROL, nullptr), 0);
         print_value("hypersparse", get(a, GxB_IS_HYPER, &hypersparse), &hypersparse);
         control(a, bitmap_or_full);
         print_number("switch set", bitmap_switch(a, 0.125), 0);
       }},
      {"wait",
       [](Object& a) {
         set(a, 4, 6);
         print_number("wait", wait(a), 0);
         set(a, 4.5, 7);
       }},
      {"clear",
       [](Object& a) {
         set(a, 4, 6);
         print_number("clear", clear(a), 0);
         set(a, 5, 8);
       }},
      {"resize",
       [](Object& a) {
         set(a, 4, 6);
         print_number("resize", resize(a), 0);
       }},
      {"dup",
       [](Object& a) {
         Object copy = nullptr;
         set(a, 4, 6);
         print_number("dup", duplicate(&copy, a), 0);
         set(copy, 5, 7);
         show("copy", copy);
         release(&copy);
       }},
      {"serialize",
       [](Object& a) {
         set(a, 4, 6);
         print_number("serialize", serialized(a), 0);
       }},
      {"export",
       [](Object& a) {
         set(a, 4, 6);
         print_number("export", exported(&a), 0);
         create(&a);
       }},
      {"pack",
       [](Object& a) {
         set(a, 4, 6);
         print_number("pack", pack_full(a), 0);
       }},
      {"use on the device",
       [](Object& a) {
         for (int k = 0; k < 4; ++k) set(a, k + 1, 700 * k);
         use(a);
         set(a, 6, 11);
         use(a);
       }},
      {"use of nothing", [](Object& a) { use(a); }},
  };
}

/// What the device makes is shown without what it does not promise: iso-ness and bytes of memory.
template <class Object>
void results() {
  Object object = nullptr;
  create(&object);
  control(object, bitmap_or_full);
  for (int k = 0; k < 4; ++k) set(object, k + 1, 700 * k);
  print("result", change(object), GrB_Vector(nullptr));
  int value = -1;
  GrB_Index n = 0;
  print_value("control", get(object, GxB_SPARSITY_CONTROL, &value), &value);
  print_value("nvals", nvals(&n, object), &n);
  print_value("status", get(object, GxB_SPARSITY_STATUS, &value), &value);
  print("result", GrB_SUCCESS, object);
  change(object);
  control(object, GxB_BITMAP);
  print_number("pack", pack_full(object), 0);
  print_value("control of what was packed", get(object, GxB_SPARSITY_CONTROL, &value), &value);
  release(&object);
}

template <class Object>
void all() {
  for (const Case<Object>& c : all_cases<Object>()) {
    for (const int wanted :
         {int(bitmap_or_full), int(GxB_BITMAP), int(GxB_FULL), int(GxB_SPARSE + GxB_BITMAP)}) {
      Object object = nullptr;
      create(&object);
      std::printf("%s, control %d\n", c.name, wanted);
      print_number("control", control(object, wanted), 0);
      c.run(object);
      show(c.name, object);
      release(&object);
    }
  }
  results<Object>();
}

}  // namespace

void sparsity(bool with_forms) {
  forms_shown = with_forms;
  all<GrB_Matrix>();
  all<GrB_Vector>();
}

}  // namespace cases
