// The real library: SuiteSparse:GraphBLAS as a table of function pointers. Everything in cuGrB that wants a
// host-side GraphBLAS call goes through `real::table()`; nothing calls the exported names (they are our own).
#pragma once
#include <atomic>
#include <string>

#include "src/graphblas/code_range.h"
#include "src/graphblas/generation.h"

namespace cugrb::real {

namespace detail {
extern Functions functions;
extern std::atomic<bool> booted;
extern std::atomic<bool> forward_only;
extern Generation generation;
extern OptionNumbers options;
/// cuGrB's own code, and that of the real library (which may be spread over several objects).
inline constexpr size_t most_ranges = 4;
extern CodeRange library_code[most_ranges];
}  // namespace detail

/// Finds and binds the real library once. Thread-safe. After it, table() is filled as far as the library
/// goes, and the generation is known. In this order: CUGRB_GRAPHBLAS; the next definition in link order; an
/// already loaded libgraphblas* (Python wheels load a private copy under a hashed name with local
/// visibility); the library that this build was configured with. `caller`: an address in the code that calls
/// GraphBLAS; it decides when several copies are loaded.
void boot(const void* caller = nullptr);

/// One pointer a function of any version (null when the library lacks it): real::table().GrB_mxv(...).
inline const Functions& table() {
  if (!detail::booted.load(std::memory_order_acquire)) boot();
  return detail::functions;
}

/// Which generation of SuiteSparse:GraphBLAS the library is, and the numbers of its options. Known after
/// boot().
inline Generation generation() { return detail::generation; }
inline const OptionNumbers& options() { return detail::options; }

/// The function of position i in function_names, as the library has it (null when it lacks it).
const void* function_at(size_t i);

/// Whether code at this address (a call's return address) is SuiteSparse's or cuGrB's own, not the program's.
/// Known after boot().
inline bool is_library_code(const void* address) {
  bool inside = false;
  for (const CodeRange& range : detail::library_code) inside |= range.holds(address);
  return inside;
}

/// True when calls can only be passed on; forward_only_reason() says why.
inline bool forward_only() { return detail::forward_only.load(std::memory_order_relaxed); }
/// Why only forwarding is possible (missing or unknown functions, another layout of objects, more than one
/// copy); empty when all is well.
const std::string& forward_only_reason();
/// From now on calls are only passed on (the first reason stays).
void set_forward_only(const std::string& reason);

/// Asks the real library for its version, once it answers (7.4 does only after GrB_init).
void read_version();

/// Path of the library, and its version as GxB_Global_Option_get gives it: "7.4.0" (empty before GrB_init).
const std::string& path();
const std::string& version();

/// The real library's data symbol of a predefined object ("GrB_PLUS_FP32" -> the handle it holds); null if
/// there is none.
void* predefined(const char* name);

/// The user's allocator, as given to GxB_init (malloc, realloc and free otherwise): arrays that are packed
/// into an object must come from it, because the real library frees them with it.
void* user_malloc(size_t bytes);
void user_free(void* memory);
/// Memory of another size with the same content, as realloc: null, with nothing changed, when there is none.
/// Copies where the user gave no function for it.
void* user_realloc(void* memory, size_t old_bytes, size_t bytes);
void set_allocators(void* (*allocate)(size_t), void* (*reallocate)(void*, size_t), void (*release)(void*));

}  // namespace cugrb::real
