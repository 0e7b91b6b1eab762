#include "src/jit/sources.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "src/jit/jit.h"
#include "src/support/environment.h"

namespace cugrb::jit {
namespace {

std::vector<std::string> quoted_includes(const std::string& text) {
  std::vector<std::string> result;
  static const std::string directive = "#include \"";
  for (size_t at = text.find(directive); at != std::string::npos; at = text.find(directive, at)) {
    at += directive.size();
    const size_t end = text.find('"', at);
    if (end == std::string::npos) break;
    result.push_back(text.substr(at, end - at));
  }
  return result;
}

}  // namespace

Sources::Sources(const EmbeddedSource* table, size_t count, const std::string& override_directory) {
  for (size_t i = 0; i < count; ++i) files_[table[i].path] = table[i].text;
  if (override_directory.empty()) return;
  namespace fs = std::filesystem;
  std::error_code error;
  for (fs::recursive_directory_iterator it(override_directory, error), end; !error && it != end;
       it.increment(error)) {
    if (!it->is_regular_file(error)) continue;
    std::ifstream file(it->path(), std::ios::binary);
    const std::string name = fs::relative(it->path(), override_directory, error).generic_string();
    files_[name] = std::string(std::istreambuf_iterator<char>(file), {});
  }
}

const Sources& Sources::instance() {
  static const Sources sources = [] {
    size_t count = 0;
    const EmbeddedSource* table = embedded_sources(count);
    const char* directory = environment_variable("CUGRB_KERNEL_SOURCES");
    return Sources(table, count, directory == nullptr ? "" : directory);
  }();
  return sources;
}

const SourceSet& Sources::reachable(const std::vector<std::string>& roots, const std::string& text) const {
  std::vector<std::string> first = roots;
  for (const std::string& root : roots) {
    if (files_.count(root) == 0) throw CompilationFailure("no kernel source named " + root);
  }
  for (const std::string& path : quoted_includes(text)) {
    if (files_.count(path) != 0) first.push_back(path);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto [place, is_new] = read_.try_emplace(first);
  if (is_new) place->second = read(first);
  return place->second;
}

SourceSet Sources::read(const std::vector<std::string>& first) const {
  SourceSet result;
  std::set<std::string> seen;
  const auto add = [&](const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
      if (files_.count(path) != 0 && seen.insert(path).second) result.paths.push_back(path);
    }
  };
  add(first);
  for (size_t i = 0; i < result.paths.size(); ++i) {
    const auto found = files_.find(result.paths[i]);
    result.texts.push_back(&found->second);
    result.digest.add(found->first).add(found->second);
    add(quoted_includes(found->second));
  }
  return result;
}

Digest Sources::digest() const {
  Digest all;
  for (const auto& [path, text] : files_) all.add(path).add(text);
  return all;
}

}  // namespace cugrb::jit
