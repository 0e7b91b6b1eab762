#include "tests/offload/cases.h"

namespace cases {
namespace {

unsigned next(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

bool is_complex(GrB_Type type) { return type == GxB_FC32 || type == GxB_FC64; }

void print_entry(double value) { std::printf("%.9g", value); }
void print_entry(std::complex<double> value) {
  std::printf("(%.9g,%.9g)", value.real() + 0.0, value.imag() + 0.0);  // no sign of 0
}

template <class T, class Extract>
void print_entries(GrB_Vector vector, const Extract& extract) {
  GrB_Index n = 0;
  GrB_Vector_nvals(&n, vector);
  std::vector<GrB_Index> places(n);
  std::vector<T> values(n);
  extract(places.data(), values.data(), &n, vector);
  for (GrB_Index k = 0; k < n; ++k) {
    std::printf(" %" PRIu64 ":", uint64_t(places[k]));
    print_entry(values[k]);
  }
}

template <class T, class Extract>
void print_entries(GrB_Matrix matrix, const Extract& extract) {
  GrB_Index n = 0;
  GrB_Matrix_nvals(&n, matrix);
  std::vector<GrB_Index> rows(n), columns(n);
  std::vector<T> values(n);
  extract(rows.data(), columns.data(), values.data(), &n, matrix);
  for (GrB_Index k = 0; k < n; ++k) {
    std::printf(" %" PRIu64 ",%" PRIu64 ":", uint64_t(rows[k]), uint64_t(columns[k]));
    print_entry(values[k]);
  }
}

}  // namespace

Matrix::Matrix(GrB_Type type, GrB_Index rows, GrB_Index columns, unsigned seed) {
  GrB_Matrix_new(&handle, type, rows, columns);
  for (GrB_Index i = 0; i < rows; ++i) {
    if (i % 9 == 5) continue;  // some rows are empty
    for (GrB_Index j = 0; j < columns; ++j) {
      if (next(seed) % 6 == 0) GrB_Matrix_setElement_INT32(handle, int(next(seed) % 9) - 4, i, j);
    }
  }
}

void fill(const Vector& vector, int filling, unsigned seed) {
  GrB_Index n = 0;
  GrB_Vector_size(&n, vector.handle);
  for (GrB_Index i = 0; i < n; ++i) {
    const unsigned draw = next(seed) % 16;
    const bool present = filling == 2 || (filling == 1 && draw < 8) || (filling == 0 && draw < 3);
    if (present && filling != 3) GrB_Vector_setElement_INT32(vector.handle, int(next(seed) % 9) - 4, i);
  }
}

void print(const std::string& name, GrB_Info info, GrB_Vector vector) {
  std::printf("%s: %d", name.c_str(), int(info));
  if (vector != nullptr) {
    GrB_Type type = nullptr;
    GxB_Vector_type(&type, vector);
    if (is_complex(type))
      print_entries<std::complex<double>>(vector, GxB_Vector_extractTuples_FC64);
    else
      print_entries<double>(vector, GrB_Vector_extractTuples_FP64);
  }
  std::printf("\n");
}

void print(const std::string& name, GrB_Info info, GrB_Matrix matrix) {
  std::printf("%s: %d", name.c_str(), int(info));
  GrB_Type type = nullptr;
  GxB_Matrix_type(&type, matrix);
  if (is_complex(type))
    print_entries<std::complex<double>>(matrix, GxB_Matrix_extractTuples_FC64);
  else
    print_entries<double>(matrix, GrB_Matrix_extractTuples_FP64);
  std::printf("\n");
}

void print_number(const std::string& name, GrB_Info info, double value) {
  std::printf("%s: %d %.9g\n", name.c_str(), int(info), value);
}

void print_number(const std::string& name, GrB_Info info, std::complex<double> value) {
  std::printf("%s: %d ", name.c_str(), int(info));
  print_entry(value);
  std::printf("\n");
}

}  // namespace cases
