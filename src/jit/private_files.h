// Files that code is taken from: only regular ones, and only where nobody but this user and root can write.
#pragma once
#include <sys/stat.h>

#include <optional>
#include <string>

namespace cugrb::jit {

/// Why what `status` describes must not be trusted, to follow a name ("others can write to it"); empty when
/// it is this user's or root's and nobody else can write to it.
std::string distrust(const struct stat& status);
/// The same of a folder, which may be reached through a symbolic link. Empty also where there is none.
std::string distrust_of_folder(const std::string& path);

/// Makes the missing folders on the way, only for this user. An errno, or 0.
int make_private_folders(const std::string& path);

/// A file's content. std::nullopt when there is none, or it cannot be read, or must not be: then `refusal`
/// says why. It never waits, whatever lies in the file's place. What is read counts as used at this time.
std::optional<std::string> read_private_file(const std::string& path, std::string& refusal);
/// Writes a new file. An errno, or 0.
int write_new_file(const std::string& path, const std::string& content);

}  // namespace cugrb::jit
