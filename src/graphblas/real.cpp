#include "src/graphblas/real.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_set>

#include "src/graphblas/exports.h"
#include "src/graphblas/loader.h"
#include "src/support/environment.h"
#include "src/support/every_call.h"
#include "src/support/settings.h"

namespace cugrb::real {

namespace detail {
constinit Functions functions;
constinit std::atomic<bool> booted{false};
CUGRB_READ_BY_EVERY_CALL constinit std::atomic<bool> forward_only{false};
constinit Generation generation = Generation::seven;
OptionNumbers options;
CUGRB_READ_BY_EVERY_CALL constinit CodeRange library_code[most_ranges];
}  // namespace detail

namespace {

/// Made at boot and never destroyed: exit handlers of the program may still call GraphBLAS.
struct State {
  Library library;
  std::string reason, version;
  std::mutex mutex;
};

State& state() {
  static State* const state = new State;
  return *state;
}

constinit std::once_flag boot_once;
constinit std::atomic<void* (*)(size_t)> allocate{std::malloc};
constinit std::atomic<void* (*)(void*, size_t)> reallocate{std::realloc};
constinit std::atomic<void (*)(void*)> release{std::free};

/// Fills the table; returns the complaint about functions that the library lacks although every version has
/// them.
std::string bind(const Library& library) {
  size_t missing = 0;
  std::string example;
  for (size_t i = 0; i < function_count; ++i) {
    void* address = library.find(function_names[i]);
    // All members are function pointers of one size, and names and members have one order (both asserted or
    // generated).
    std::memcpy(reinterpret_cast<char*>(&detail::functions) + i * sizeof(void*), &address, sizeof(void*));
    if (address == nullptr && in_every_version[i] && missing++ == 0) example = function_names[i];
  }
  if (missing == 0) return {};
  return library.path + " lacks " + std::to_string(missing) + " functions that every version has, " +
         example + " first";
}

/// A function that cuGrB does not know would see objects whose content is on the device.
std::string check_exports(const Library& library) {
  const std::unordered_set<std::string_view> known(std::begin(function_names), std::end(function_names));
  for (const std::string_view name :
       exported_functions(reinterpret_cast<const void*>(detail::functions.GrB_init))) {
    const bool of_the_api = name.starts_with("GrB_") || name.starts_with("GxB_");
    if (of_the_api && !known.contains(name))
      return library.path + " has a function that this cuGrB does not know: " + std::string(name);
  }
  return {};
}

/// Where the code lies that may call the exported names without being the program.
void note_library_code() {
  size_t known = 0;
  const auto note = [&known](const void* address) {
    if (address == nullptr || known == detail::most_ranges || is_library_code(address)) return;
    detail::library_code[known++] = code_around(address);
  };
  note(reinterpret_cast<const void*>(&note_library_code));
  for (size_t i = 0; i < function_count; ++i) note(function_at(i));
}

/// Functions of one copy with predefined objects of another would be mixed when the program sees the latter.
std::string check_predefined(const Library& library) {
  void** const seen = static_cast<void**>(dlsym(RTLD_DEFAULT, "GrB_BOOL"));
  void** const own = static_cast<void**>(library.find("GrB_BOOL"));
  if (seen == nullptr || own == nullptr || *seen == *own) return {};
  return "the program sees the predefined objects of another copy of GraphBLAS than " + library.path;
}

void boot_now(const void* caller) {
  Library& library = state().library;
  library = find_library(settings().graphblas, CUGRB_CONFIGURED_GRAPHBLAS, caller);
  if (!library.find) {
    set_forward_only("no SuiteSparse:GraphBLAS library was found; set CUGRB_GRAPHBLAS to its path");
  } else {
    const std::string complaints[] = {bind(library), library.complaint, check_predefined(library),
                                      check_exports(library)};
    detail::generation = generation_of(detail::functions);
    detail::options = option_numbers(detail::generation);
    note_library_code();
    if (runs_with_foreign_rights()) {
      set_forward_only(
          "the program runs with rights that its user does not have (set-user-ID or file capabilities): "
          "no kernels are compiled or loaded for it");
    }
    for (const std::string& complaint : complaints) {
      if (!complaint.empty()) set_forward_only(complaint);
    }
  }
  detail::booted.store(true, std::memory_order_release);
}

std::string dotted(const int numbers[3]) {
  return std::to_string(numbers[0]) + "." + std::to_string(numbers[1]) + "." + std::to_string(numbers[2]);
}

}  // namespace

const void* function_at(size_t i) {
  // All members are function pointers of one size, in the order of the names (see bind).
  const void* address = nullptr;
  std::memcpy(&address, reinterpret_cast<const char*>(&detail::functions) + i * sizeof(void*), sizeof(void*));
  return address;
}

void boot(const void* caller) {
  std::call_once(boot_once, [caller] { boot_now(caller); });
}

const std::string& forward_only_reason() {
  table();
  return state().reason;
}

void set_forward_only(const std::string& reason) {
  const std::lock_guard lock(state().mutex);
  if (!detail::forward_only.load()) {
    state().reason = reason;
    detail::forward_only.store(true);
  }
}

void read_version() {
  const Functions& real = table();
  if (real.GxB_Global_Option_get == nullptr || !state().version.empty()) return;
  // A library that numbers its options in another way than its generation may write anything: leave it room.
  alignas(16) int numbers[64] = {};
  const GrB_Info info = real.GxB_Global_Option_get(options().library_version, numbers);
  state().version = info == GrB_SUCCESS ? dotted(numbers) : "unknown";
}

const std::string& path() {
  table();
  return state().library.path;
}

const std::string& version() { return state().version; }

void* predefined(const char* name) {
  table();
  void** const symbol = state().library.find ? static_cast<void**>(state().library.find(name)) : nullptr;
  return symbol != nullptr ? *symbol : nullptr;
}

void* user_malloc(size_t bytes) { return allocate.load(std::memory_order_relaxed)(bytes); }
void user_free(void* memory) { release.load(std::memory_order_relaxed)(memory); }

void* user_realloc(void* memory, size_t old_bytes, size_t bytes) {
  if (memory == nullptr) return user_malloc(bytes);
  if (auto* const resize = reallocate.load(std::memory_order_relaxed)) return resize(memory, bytes);
  void* const moved = user_malloc(bytes);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, memory, std::min(old_bytes, bytes));
  user_free(memory);
  return moved;
}

void set_allocators(void* (*new_allocate)(size_t), void* (*new_reallocate)(void*, size_t),
                    void (*new_release)(void*)) {
  allocate = new_allocate != nullptr ? new_allocate : std::malloc;
  reallocate = new_allocate != nullptr ? new_reallocate : std::realloc;
  release = new_release != nullptr ? new_release : std::free;
}

}  // namespace cugrb::real
