// How much of a graph file is held at once.
#pragma once
#include <cstddef>

namespace cugrb::graph_files {

#if defined(CUGRB_SMALL_BUFFERS)
// Of a fuzz target: a few bytes of input cross the ends of all of them.
inline constexpr size_t block_bytes = 16, line_buffer_bytes = 16, longest_line_bytes = 1 << 12;
#else
inline constexpr size_t block_bytes = 1 << 18;         ///< bytes of the file, as they lie on disk
inline constexpr size_t line_buffer_bytes = 1 << 20;   ///< text; grows where a line is longer
inline constexpr size_t longest_line_bytes = 1 << 26;  ///< a line beyond it is no text
#endif

}  // namespace cugrb::graph_files
