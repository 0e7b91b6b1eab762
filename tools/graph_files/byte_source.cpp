#include "tools/graph_files/byte_source.h"

#include <sys/stat.h>

#include "tools/graph_files/compressed_source.h"

namespace cugrb::graph_files {
namespace {

struct Foreign {
  std::string_view magic;
  const char* name;
};
/// Containers that are not unpacked.
constexpr Foreign foreign[] = {{"BZh", "bzip2"},
                               {"\x28\xb5\x2f\xfd", "zstd"},
                               {{"PK\3\4", 4}, "zip"},
                               {"7z\xbc\xaf\x27\x1c", "7z"},
                               {"\x1f\x9d", "compress (.Z)"},
                               {{"\x04\x22\x4d\x18", 4}, "lz4"}};

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
  auto file = std::make_unique<PlainFile>(path);
  for (const Foreign& f : foreign) {
    if (file->next_is(f.magic)) {
      file->fail(std::string("is packed with ") + f.name + "; expected plain text, gzip or xz");
    }
  }
  if (file->next_is(gzip_magic)) return make_gzip_source(std::move(file));
  if (file->next_is(xz_magic)) return make_xz_source(std::move(file));
  return file;
}

std::unique_ptr<PlainFile> open_plain(const std::string& path) {
  auto file = std::make_unique<PlainFile>(path);
  if (file->next_is(gzip_magic) || file->next_is(xz_magic))
    file->fail("is compressed, so that no part of it can be read alone; expected the file unpacked");
  return file;
}

uint64_t file_size(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) ? static_cast<uint64_t>(status.st_size)
                                                                     : 0;
}

}  // namespace cugrb::graph_files
