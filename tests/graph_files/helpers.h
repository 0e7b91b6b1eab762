// Files with given content, matrices as lists, messages of errors.
#pragma once
#include <lzma.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "tests/catch.h"
#include "tools/graph_files/generate.h"

namespace helpers {

/// A folder that is deleted when the program ends.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "cugrb-test-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::string file_with(const std::string& name, const std::string& content) {
  static const Folder folder;
  const std::string path = folder.path() + "/" + name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

inline std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string compressed_xz(const std::string& text) {
  std::string out(text.size() * 2 + 1024, '\0');
  size_t size = 0;
  REQUIRE(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const uint8_t*>(text.data()),
                                  text.size(), reinterpret_cast<uint8_t*>(out.data()), &size,
                                  out.size()) == LZMA_OK);
  out.resize(size);
  return out;
}

using Triples = std::vector<std::tuple<uint64_t, uint64_t, double>>;

/// All entries by row and column; 1 as the value of a pattern.
inline Triples triples(const cugrb::graph_files::Csr& a) {
  using cugrb::graph_files::ValueKind;
  Triples list;
  for (uint64_t i = 0; i < a.nrows; ++i) {
    for (uint64_t p = a.offsets[i]; p < a.offsets[i + 1]; ++p) {
      const double value = a.values == ValueKind::pattern   ? 1
                           : a.values == ValueKind::integer ? static_cast<double>(a.integers[p])
                                                            : a.reals[p];
      list.emplace_back(i, a.columns[p], value);
    }
  }
  return list;
}

inline std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const cugrb::graph_files::FileError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace helpers
