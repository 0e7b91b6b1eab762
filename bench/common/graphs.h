// Matrices by name: generated ones, and the files of a folder.
#pragma once
#include <string>
#include <vector>

namespace cugrb::bench {

/// Matrix files (.mtx, .txt, and those compressed) of a folder, by name. Throws std::invalid_argument.
std::vector<std::string> files_of(const std::string& folder);

/// "rmat", "chung_lu", "uniform", "poisson2d", …; "file" for a file.
std::string family_of(const std::string& graph);

/// A file's name without folder and extensions; a generated graph's name as it is.
std::string short_name(const std::string& graph);

}  // namespace cugrb::bench
