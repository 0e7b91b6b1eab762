// What the command writes: its output files, standard output, messages to its own processes.
#pragma once
#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

#include "src/support/text.h"
#include "tools/graph_files/output_file.h"

namespace cugrb::command {

using graph_files::write_file;

/// Several lines for a terminal: printable(), with the line feeds left.
std::string printable_lines(const std::string& text);

/// JSON with bytes in names that are no UTF-8 escaped as text (\xNN).
std::string json_text(const nlohmann::json& value, int indent);

/// The output file of an option, made before the work begins, so that a wrong name costs none; nothing when
/// the option is not given.
class OptionalOutput {
 public:
  explicit OptionalOutput(const std::string& path, mode_t withheld = 0);
  /// Writes the whole file; nothing when there is none.
  void write(const std::string& text);

 private:
  std::unique_ptr<graph_files::OutputFile> file_;
};

/// Output files by option: ("--json", "out.json"). Failure when one is an input, too, or two are the same.
using NamedFiles = std::vector<std::pair<std::string, std::string>>;
void check_outputs(const NamedFiles& outputs, const std::vector<std::string>& inputs);

/// A private file between two processes of the command: any bytes in strings, any numbers.
void write_message(const std::string& path, const nlohmann::json& message);
/// Discarded (is_discarded()) when the file holds no message.
nlohmann::json read_message(const std::string& path);

/// Descriptors 0, 1 and 2 exist, so that no file that is opened gets one of these numbers: where one was
/// closed, writing to it fails.
void reserve_standard_descriptors();
/// Failure when something that was printed did not arrive.
void flush_standard_output();

}  // namespace cugrb::command
