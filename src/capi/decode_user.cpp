#include "src/capi/decode_user.h"

#include <functional>
#include <mutex>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "src/capi/named_operators.h"
#include "src/capi/offload_scalars.h"
#include "src/capi/operator_check.h"
#include "src/mirror/mirror.h"
#include "src/mirror/types.h"
#include "src/support/declined.h"
#include "src/support/trace.h"

namespace cugrb::capi::decode {
namespace {

/// An operator as noted: its description, or why there is none.
template <class Op>
struct Noted {
  std::shared_ptr<const Op> op;
  std::string reason;
  std::string origin;              ///< of a definition of CUGRB_OPERATORS: where it stands
  const void* function = nullptr;  ///< what such a definition is compared with, before its first use
};

/// What was noted, by handle.
template <class Op>
class Notes {
 public:
  using Read = std::function<Noted<Op>()>;

  void note(const void* handle, Noted<Op> noted) { set(handle, {std::move(noted), nullptr}); }
  /// `read` gives what is to be noted to the first call that asks for it. A program may make its operators in
  /// every run, and few of its calls look at them.
  void note_later(const void* handle, Read read) { set(handle, {{}, std::move(read)}); }
  /// With an op: throws Declined where there is none.
  Noted<Op> find(const void* handle) {
    Entry entry = get(handle);
    if (entry.read) {
      entry = {entry.read(), nullptr};  // not under the lock: it asks the dynamic linker
      set(handle, entry);
    }
    if (!entry.noted.op) throw Declined(entry.noted.reason);
    return std::move(entry.noted);
  }

 private:
  struct Entry {
    Noted<Op> noted;
    Read read;  ///< empty once it was read
  };
  Entry get(const void* handle) {
    const std::lock_guard<std::mutex> guard(lock_);
    const auto found = entries_.find(handle);
    if (found == entries_.end()) throw Declined("operator that was not seen being made");
    return found->second;
  }
  void set(const void* handle, Entry entry) {
    const std::lock_guard<std::mutex> guard(lock_);
    entries_[handle] = std::move(entry);
  }

  std::mutex lock_;
  std::unordered_map<const void*, Entry> entries_;
};

template <class Op>
class Registry : public Notes<Op> {
 public:
  std::shared_ptr<const Op> get(const void* handle) {
    const Noted<Op> noted = this->find(handle);
    if (noted.function != nullptr) check(handle, noted);
    return noted.op;
  }

 private:
  /// Not under the lock: the program's function may call GraphBLAS. What the device lacks for the moment is
  /// asked for again in the next call.
  void check(const void* handle, Noted<Op> noted) {
    std::string difference;
    const std::string kernel = trace::current().kernel;  // the call's own will stand there
    try {
      check_definition(*noted.op, noted.function, noted.origin);
    } catch (const Declined& declined) {
      difference = declined.what();
      if (difference.find(noted.origin) == std::string::npos) throw;
    }
    trace::current().kernel = kernel;
    noted.function = nullptr;
    if (!difference.empty()) noted.op = nullptr;
    noted.reason = difference;
    this->note(handle, noted);
    if (!difference.empty()) throw Declined(difference);
  }
};

Registry<UnaryOp>& unary_ops() {
  static Registry<UnaryOp> registry;
  return registry;
}
Registry<BinaryOp>& binary_ops() {
  static Registry<BinaryOp> registry;
  return registry;
}
Registry<IndexUnaryOp>& index_unary_ops() {
  static Registry<IndexUnaryOp> registry;
  return registry;
}
/// A GxB_IndexBinaryOp as it was made: it becomes an operator when a theta is bound to it.
struct IndexBinaryOp {
  std::string name, definition;
  Type z, x, y, theta;
};
Notes<IndexBinaryOp>& index_binary_ops() {
  static Notes<IndexBinaryOp> notes;
  return notes;
}

std::string without_definition(const std::string& name) {
  return "user-defined operator " + (name.empty() ? "without a name" : name) +
         " is a bare function pointer (no definition string)";
}

/// A Source that outlives the call that gave it. An empty text stands for none.
struct GivenSource {
  explicit GivenSource(const Source& source)
      : function(source.function), name(text(source.name)), definition(text(source.definition)) {}
  bool has_definition() const { return !name.empty() && !definition.empty(); }

  const void* function;
  std::string name, definition;

 private:
  static std::string text(const char* given) { return given == nullptr ? "" : given; }
};

/// Notes what `make` gives, or why it gives nothing.
template <class Op, class Make>
void note_made(Notes<Op>& notes, const void* handle, Noted<Op> noted, const Make& make) {
  try {
    noted.op = std::make_shared<const Op>(make());
  } catch (const Declined& declined) {
    noted.reason = declined.what();
  }
  notes.note(handle, std::move(noted));
}

/// Lists an operator without a definition. The program may never need it on the device: what is wrong with
/// its types is told when it does.
void want(const std::string& name, const std::vector<GrB_Type>& handles, bool by_place) {
  std::vector<Type> types;
  try {
    for (const GrB_Type handle : handles) types.push_back(mirror::type_of(handle));
  } catch (const Declined&) {
    return;
  }
  want_definition(name, types, by_place);
}

/// What `make` gives of a name and a definition, or why it cannot be. An operator without a definition has
/// the one that CUGRB_OPERATORS gives for its name.
template <class Op, class Make>
Noted<Op> read(const GivenSource& source, const Make& make) {
  std::string name = source.name, definition = source.definition;
  Noted<Op> noted;
  if (!source.has_definition()) {
    const std::string found = operator_name(source.name.c_str(), source.function);
    const auto side = side_definition(found);
    if (!side) {
      noted.reason = without_definition(source.name);
      return noted;
    }
    name = found;
    definition = side->text;
    noted.origin = side->origin;
    noted.function = source.function;
  }
  try {
    Op op = make(name, definition);
    if (!noted.origin.empty()) op.name += " (" + noted.origin + ")";
    noted.op = std::make_shared<const Op>(std::move(op));
  } catch (const Declined& declined) {
    noted.reason = "user-defined operator " + name + ": " + declined.what();
  }
  return noted;
}

/// Notes an operator, which is read when a call asks for it. `types` are z's and the operands'.
template <class Op, class Make>
void note(Registry<Op>& registry, const void* handle, const Source& source,
          const std::vector<GrB_Type>& types, const Make& make) {
  GivenSource given(source);
  if (are_definitions_wanted() && !given.has_definition()) {
    const std::string name = operator_name(source.name, source.function);
    if (!side_definition(name)) want(name, types, std::is_same_v<Op, IndexUnaryOp>);
  }
  registry.note_later(handle, [given = std::move(given), make] { return read<Op>(given, make); });
}

}  // namespace

void note_type(GrB_Type type, size_t size, const char* name, const char* definition) {
  mirror::record_type(type, name == nullptr ? "" : name, definition == nullptr ? "" : definition, size);
}

void note_unary_op(GrB_UnaryOp op, GrB_Type z, GrB_Type x, const Source& source) {
  note(unary_ops(), op, source, {z, x}, [=](const std::string& name, const std::string& definition) {
    return catalogue::user_unary_op(name, definition, mirror::type_of(z), mirror::type_of(x));
  });
}

void note_binary_op(GrB_BinaryOp op, GrB_Type z, GrB_Type x, GrB_Type y, const Source& source) {
  note(binary_ops(), op, source, {z, x, y}, [=](const std::string& name, const std::string& definition) {
    return catalogue::user_binary_op(name, definition, mirror::type_of(z), mirror::type_of(x),
                                     mirror::type_of(y));
  });
}

void note_index_binary_op(GxB_IndexBinaryOp op, GrB_Type z, GrB_Type x, GrB_Type y, GrB_Type theta,
                          const Source& source) {
  note_made(index_binary_ops(), op, {}, [&] {
    GivenSource given(source);
    if (!given.has_definition()) throw Declined(without_definition(given.name));
    return IndexBinaryOp{std::move(given.name), std::move(given.definition), mirror::type_of(z),
                         mirror::type_of(x),    mirror::type_of(y),          mirror::type_of(theta)};
  });
}

void note_bound_index_op(GrB_BinaryOp op, GxB_IndexBinaryOp made_of, GrB_Scalar theta) {
  note_made(binary_ops(), op, {}, [&] {
    const IndexBinaryOp from = *index_binary_ops().find(made_of).op;
    const Value given = offload::required_value(theta);
    const Value bound = given.type == from.theta ? given : reference::cast(given, from.theta);
    return catalogue::user_index_binary_op(from.name, from.definition, from.z, from.x, from.y, bound);
  });
}

void note_index_unary_op(GrB_IndexUnaryOp op, GrB_Type z, GrB_Type x, GrB_Type thunk, const Source& source) {
  note(index_unary_ops(), op, source, {z, x, thunk},
       [=](const std::string& name, const std::string& definition) {
         return catalogue::user_index_unary_op(name, definition, mirror::type_of(z), mirror::type_of(x),
                                               mirror::type_of(thunk));
       });
}

std::shared_ptr<const UnaryOp> user_unary_op(GrB_UnaryOp op) { return unary_ops().get(op); }
std::shared_ptr<const BinaryOp> user_binary_op(GrB_BinaryOp op) { return binary_ops().get(op); }
std::shared_ptr<const IndexUnaryOp> user_index_unary_op(GrB_IndexUnaryOp op) {
  return index_unary_ops().get(op);
}

}  // namespace cugrb::capi::decode
