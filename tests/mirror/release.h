// Freeing an object of the residency tests as a program would: the mirror's entry goes before the object.
#pragma once
#include "src/mirror/mirror.h"

namespace cugrb::test {

inline void release(GrB_Matrix& a) {
  mirror::forget(a);
  GrB_Matrix_free(&a);
}
inline void release(GrB_Vector& v) {
  mirror::forget(v);
  GrB_Vector_free(&v);
}

}  // namespace cugrb::test
