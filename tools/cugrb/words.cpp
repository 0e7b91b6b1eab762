#include "tools/cugrb/words.h"

#include <fmt/core.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>

#include "src/support/text.h"
#include "tools/cugrb/command.h"

namespace cugrb::command {

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Letters to insert, leave out, replace or swap with their neighbour until one word is the other.
size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

/// The subcommands by name, in the order of the help.
std::vector<const CLI::App*> subcommands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* sub) { return !sub->get_name().empty(); });
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& apps) {
  std::vector<std::string> names;
  for (const CLI::App* app : apps) names.push_back(app->get_name());
  return names;
}

/// The name of an option without its value.
std::string option_name(const std::string& word) { return word.substr(0, word.find('=')); }

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

/// "cugrb run": as the user types it.
std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : full_name(*app.get_parent()) + " " + app.get_name();
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option :
       app.get_options([](const CLI::Option* o) { return !o->get_group().empty(); })) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

std::string suggestion(const std::string& word, const std::vector<std::string>& choices) {
  const std::string asked = lower(word);
  const std::string* nearest = nullptr;
  size_t least = std::max<size_t>(1, asked.size() / 3) + 1;
  for (const std::string& choice : choices) {
    const bool beginning = asked.size() > 1 && lower(choice).compare(0, asked.size(), asked) == 0;
    const size_t d = beginning ? 0 : distance(asked, lower(choice));
    if (d >= least) continue;
    least = d;
    nearest = &choice;
  }
  return nearest == nullptr ? "" : fmt::format(" (did you mean '{}'?)", *nearest);
}

void check_subcommands(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* level = &app;
  for (const std::string& word : words) {
    const std::vector<const CLI::App*> choices = subcommands(*level);
    if (choices.empty()) return;
    const std::string all = fmt::format("{}", fmt::join(names_of(choices), ", "));
    if (is_option(word)) {
      if (level->get_option_no_throw(option_name(word)) != nullptr) return;
      throw Failure(fmt::format("{} has no option '{}'; expected one of the subcommands {} first",
                                full_name(*level), printable(word), all),
                    usage);
    }
    const auto found = std::find_if(choices.begin(), choices.end(),
                                    [&](const CLI::App* sub) { return sub->get_name() == word; });
    if (found == choices.end()) {
      throw Failure(fmt::format("{} has no subcommand '{}'{}; expected one of {}", full_name(*level),
                                printable(word), suggestion(word, names_of(choices)), all),
                    usage);
    }
    level = *found;
  }
  const std::vector<const CLI::App*> choices = subcommands(*level);
  if (choices.empty()) return;
  throw Failure(fmt::format("{} needs a subcommand: one of {}; {} --help describes them", full_name(*level),
                            fmt::join(names_of(choices), ", "), full_name(*level)),
                usage);
}

size_t leading_options(const CLI::App& app, const std::vector<std::string>& words, size_t begin) {
  size_t k = begin;
  while (k < words.size() && is_option(words[k]) && words[k] != "--") {
    const CLI::Option* option = app.get_option_no_throw(option_name(words[k]));
    const bool has_value = option != nullptr && option->get_expected_min() > 0 &&
                           option->get_items_expected_min() > 0 && words[k].find('=') == std::string::npos;
    k += has_value ? 2 : 1;
  }
  return std::min(k, words.size()) - begin;
}

std::string unexpected_words(const CLI::App& app) {
  const CLI::App* level = &app;
  while (!level->get_subcommands().empty()) level = level->get_subcommands().front();
  const std::vector<std::string> extra = app.remaining(true);
  std::string text;
  for (const std::string& word : extra) {
    text += fmt::format("{}'{}'", text.empty() ? "" : ", ", printable(word));
    if (is_option(word)) text += suggestion(option_name(word), options_of(*level));
  }
  return fmt::format("{} does not expect {}", full_name(*level), text);
}

}  // namespace cugrb::command
