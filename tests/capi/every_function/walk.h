// Reads objects through iterators, as the attached functions are meant to be used.
#pragma once
#include <cstdlib>

#include "tests/capi/every_function/fixture.h"

namespace every_function {

inline const GrB_Index indices[] = {0, 2, 4};

/// Attaches a new iterator with `attach` and, when that has worked, walks.
template <class Attach, class Walk>
void with_iterator(const Attach& attach, const Walk& walk) {
  GxB_Iterator iterator = nullptr;
  GxB_Iterator_new(&iterator);
  const GrB_Info info = attach(iterator);
  print_info(info);
  if (info == GrB_SUCCESS) walk(iterator);
  GxB_Iterator_free(&iterator);
}

template <class Attach>
void walk_rows(GrB_Matrix matrix, const Attach& attach) {
  with_iterator(attach, [](GxB_Iterator iterator) {
    for (GrB_Index i = 0; i < N; ++i) {
      GrB_Info info = GxB_rowIterator_seekRow(iterator, i);
      for (; info == GrB_SUCCESS; info = GxB_rowIterator_nextCol(iterator)) {
        std::printf("  (%d,%d) %g\n", static_cast<int>(i),
                    static_cast<int>(GxB_rowIterator_getColIndex(iterator)), GxB_Iterator_get_FP64(iterator));
      }
    }
  });
  digest("walked", matrix);
}

template <class Attach>
void walk_columns(GrB_Matrix matrix, const Attach& attach) {
  with_iterator(attach, [](GxB_Iterator iterator) {
    for (GrB_Index j = 0; j < N; ++j) {
      GrB_Info info = GxB_colIterator_seekCol(iterator, j);
      for (; info == GrB_SUCCESS; info = GxB_colIterator_nextRow(iterator)) {
        std::printf("  (%d,%d) %g\n", static_cast<int>(GxB_colIterator_getRowIndex(iterator)),
                    static_cast<int>(j), GxB_Iterator_get_FP64(iterator));
      }
    }
  });
  digest("walked", matrix);
}

template <class Attach>
void walk_entries(GrB_Matrix matrix, const Attach& attach) {
  with_iterator(attach, [](GxB_Iterator iterator) {
    GrB_Info info = GxB_Matrix_Iterator_seek(iterator, 0);
    for (; info == GrB_SUCCESS; info = GxB_Matrix_Iterator_next(iterator)) {
      GrB_Index i = 0, j = 0;
      GxB_Matrix_Iterator_getIndex(iterator, &i, &j);
      std::printf("  (%d,%d) %g\n", static_cast<int>(i), static_cast<int>(j),
                  GxB_Iterator_get_FP64(iterator));
    }
  });
  digest("walked", matrix);
}

template <class Attach>
void walk_vector(GrB_Vector vector, const Attach& attach) {
  with_iterator(attach, [](GxB_Iterator iterator) {
    GrB_Info info = GxB_Vector_Iterator_seek(iterator, 0);
    for (; info == GrB_SUCCESS; info = GxB_Vector_Iterator_next(iterator)) {
      std::printf("  %d %g\n", static_cast<int>(GxB_Vector_Iterator_getIndex(iterator)),
                  GxB_Iterator_get_FP64(iterator));
    }
  });
  digest("walked", vector);
}

}  // namespace every_function
