// Runs a program's calls through one of the two ways into GraphBLAS, and writes them as C.
#pragma once
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/differential/programs/program.h"
#include "tests/differential/programs/symbols.h"

namespace differential::programs {

/// The entries of an object in row-major order; a value as the bits of the widest type of its kind.
struct Entry {
  GrB_Index i = 0, j = 0;
  std::array<uint64_t, 2> bits = {};
  bool operator==(const Entry&) const = default;
};
struct Snapshot {
  GrB_Index rows = 0, columns = 0;
  std::vector<Entry> entries;
  bool iso = false;  ///< as the library has it; not compared
  bool operator==(const Snapshot& other) const {
    return rows == other.rows && columns == other.columns && entries == other.entries;
  }
};
/// The value of an entry as a real; of a complex one its real part, of a user-defined one 0.
double real_value(const std::string& type, const Entry& entry);
/// The imaginary part of a complex one.
double imaginary_value(const Entry& entry);
std::string text_of(const std::string& type, const Entry& entry);

/// What a call gives besides its output.
struct Outcome {
  GrB_Info info = GrB_SUCCESS;
  std::string answer;  ///< scalars and tuples that it gives
  std::string error;   ///< GrB_error of the output, where the call fails
  bool operator==(const Outcome&) const = default;
};

/// An argument: its value, and how C spells it.
template <class T>
struct Named {
  T value;
  std::string text;
};

/// The objects of one program in one library. Freed through it.
class Executor {
 public:
  /// `written`: null, or where the calls are written to as C as well.
  Executor(const Api& api, const Program& program, std::string* written = nullptr);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  Outcome perform(const Step& step);
  Snapshot snapshot(int object);
  /// The type of an object, which `split` may change.
  const std::string& type(int object) const { return types_[object]; }
  /// Gives up the objects: the library left them half written.
  void abandon() { handles_.clear(); }
  void wait(int object);

 private:
  struct Handle {
    GrB_Matrix matrix = nullptr;
    GrB_Vector vector = nullptr;
  };

  void make(int object);
  void make_entries(int object);
  GrB_Info vector_call(const Step& step, Outcome& outcome);
  GrB_Info vector_assignment(const Step& step);
  GrB_Info matrix_call(const Step& step, Outcome& outcome);
  GrB_Info matrix_assignment(const Step& step);
  GrB_Info whole_object(const Step& step, Outcome& outcome);
  GrB_Info product(const Step& step);
  GrB_Info build(const Step& step);
  GrB_Info reduce(const Step& step, Outcome& outcome);
  GrB_Info sort(const Step& step);
  GrB_Info concat(const Step& step);
  GrB_Info split(const Step& step);
  GrB_Info duplicate(const Step& step);
  GrB_Info set_element(const Step& step);
  GrB_Info element(const Step& step, Outcome& outcome);
  GrB_Info read(const Step& step, Outcome& outcome);
  void make_scalar(const Step& step);
  std::string error_text(const Step& step);

  template <class Function, class... Arguments>
  GrB_Info call(const char* name, Function function, const Named<Arguments>&... arguments);
  void write(const std::string& line);
  std::string name(int object) const;

  const Api& api_;
  const Program& program_;
  std::string* written_;
  std::vector<Handle> handles_;
  std::vector<std::string> types_;
  GrB_Scalar alpha_ = nullptr, beta_ = nullptr;
  GrB_Index element_count_ = 0;

  // Arguments of a step.
  Named<GrB_Vector> vector(int object) const;
  Named<GrB_Matrix> matrix(int object) const;
  Named<GrB_Descriptor> descriptor(const Configuration& c) const;
  Named<GrB_BinaryOp> accumulator(const Configuration& c) const;
};

}  // namespace differential::programs
