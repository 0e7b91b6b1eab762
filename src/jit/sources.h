// The kernel sources that travel in the library as text, and which of them a kernel needs.
#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "src/jit/digest.h"

namespace cugrb::jit {

struct EmbeddedSource {
  const char* path;  ///< from the repository root: "cuda/kernels/base.h"
  const char* text;
};
/// The generated table (tools/embed_sources.py).
const EmbeddedSource* embedded_sources(size_t& count);

/// The files that one family header reaches by #include "...", itself first.
struct SourceSet {
  std::vector<std::string> paths;
  std::vector<const std::string*> texts;
  Digest digest;  ///< of all paths and texts
};

/// Path -> text. One set for the process, from the embedded table; for tests of the kernels themselves the
/// environment variable CUGRB_KERNEL_SOURCES names a directory whose files (same relative paths) replace or
/// join the embedded ones.
class Sources {
 public:
  /// The process's sources, read at the first call.
  static const Sources& instance();
  Sources(const EmbeddedSource* table, size_t count, const std::string& override_directory);

  /// Everything reachable from `roots` and from the includes in `text`. Quoted includes that are not in the
  /// set are left to the compiler (which will name them). Throws CompilationFailure when a root is unknown.
  /// Kept as long as this lives: a program asks for many kernels of few families, and reading a family's
  /// files takes twice as long as loading a kernel. Thread-safe.
  const SourceSet& reachable(const std::vector<std::string>& roots, const std::string& text = "") const;

  /// Of all files: whether two libraries have the same kernels.
  Digest digest() const;

 private:
  SourceSet read(const std::vector<std::string>& first) const;

  std::map<std::string, std::string> files_;
  mutable std::mutex mutex_;
  mutable std::map<std::vector<std::string>, SourceSet> read_;  ///< by the files that stand first
};

}  // namespace cugrb::jit
