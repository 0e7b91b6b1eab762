// What a program is drawn with: the objects so far, as its calls leave them, and the random numbers.
#pragma once
#include "tests/differential/programs/generator.h"
#include "tests/differential/programs/values.h"

namespace differential::programs {

/// Whether the mask has the shape of the part that is written.
bool writes_subobject(const Configuration& c);

/// Draws one program, call after call.
class Generator {
 public:
  Generator(const Palette& palette, uint64_t seed) : palette_(palette), random_(seed) { draw_sizes(); }

  Program draw(size_t most);

 private:
  struct Shape {
    GrB_Index rows, columns;
  };

  void draw_sizes();
  GrB_Index size() { return random_.pick(sizes_); }
  static bool is_huge(GrB_Index n) { return n > 100000; }
  bool is_huge(int k) const { return is_huge(shape(k).rows) || is_huge(shape(k).columns); }
  /// Whether it has too many places for a bitmap.
  bool is_large(int k) const {
    return k >= 0 && (is_huge(k) || (shape(k).rows > 0 && shape(k).columns > 100000 / shape(k).rows));
  }
  const Shape& shape(int k) const { return shapes_[size_t(k)]; }

  Tuple draw_tuple(const Object& o);
  void draw_entries(Object& o);
  int new_object(bool is_matrix, const std::string& type, GrB_Index rows, GrB_Index columns);
  /// One of that kind, type and shape that is there, mostly; else a new one.
  int object(bool is_matrix, const std::string& type, GrB_Index rows, GrB_Index columns);
  int vector(const std::string& type, GrB_Index n) { return object(false, type, n, 1); }
  int matrix(const std::string& type, GrB_Index rows, GrB_Index columns) {
    return object(true, type, rows, columns);
  }
  int any(bool is_matrix, const std::string& type);
  int any(bool is_matrix);
  /// An index list into n places. Empty only where n is.
  List list(GrB_Index n);
  static List all(GrB_Index n);
  bool draw_step(Step& s);
  bool takes_mask(Operation operation) const;
  void bind_mask(Step& s);
  /// Whether the call fills an object of too many places.
  bool makes_huge(const Step& s);
  bool bind(Step& s);
  bool bind_vector(Step& s);
  void draw_tuples(Step& s);
  /// The first operand in the shape that it has before its transposition.
  int first_of(const Configuration& c, GrB_Index rows, GrB_Index columns) {
    return transposes_first(c) ? matrix(c.type_u, columns, rows) : matrix(c.type_u, rows, columns);
  }
  int second_of(const Configuration& c, GrB_Index rows, GrB_Index columns) {
    return transposes_second(c) ? matrix(c.type_v, columns, rows) : matrix(c.type_v, rows, columns);
  }
  bool bind_matrix(Step& s);
  bool bind_assignment(Step& s);
  bool bind_assembly(Step& s);
  Step look_at(int k) const;
  bool bind_whole(Step& s);
  bool draw_place(Step& s, int k);
  /// What the call does to shapes and types.
  void follow(const Step& s);

  const Palette& palette_;
  Random random_;
  std::vector<GrB_Index> sizes_;
  Program program_;
  std::vector<Shape> shapes_;       ///< of the objects, as the calls so far have left them
  std::vector<std::string> types_;  ///< the same
};

}  // namespace differential::programs
