// Decompressed bytes of a gzip or xz file.
#pragma once
#include <memory>

#include "tools/graph_files/plain_file.h"

namespace cugrb::graph_files {

// A file may consist of several members (gzip) or streams (xz), one after the other. Behind the last one
// zeros are padding: any number after gzip, a multiple of four after xz. Everything else there is a
// FileError, like damaged and truncated data.
inline constexpr std::string_view gzip_magic{"\x1f\x8b", 2};
inline constexpr std::string_view xz_magic{
    "\xfd"
    "7zXZ\0",
    6};

std::unique_ptr<ByteSource> make_gzip_source(std::unique_ptr<PlainFile> file);
std::unique_ptr<ByteSource> make_xz_source(std::unique_ptr<PlainFile> file);

}  // namespace cugrb::graph_files
