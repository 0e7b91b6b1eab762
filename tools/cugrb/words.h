// The words of a command line before CLI11 sees them: which subcommand is meant, where exec's program begins,
// and what an unknown word was meant to be.
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cugrb::command {

/// The choice that differs least from an unknown word, as " (did you mean 'NAME'?)"; empty when none is near.
std::string suggestion(const std::string& word, const std::vector<std::string>& choices);

/// Failure, with the choices, when a word stands where a subcommand belongs and is none, or when none
/// follows.
void check_subcommands(const CLI::App& app, const std::vector<std::string>& words);

/// The number of words that are options of `app` and their values. An option whose value can be left out has
/// one only behind '='.
size_t leading_options(const CLI::App& app, const std::vector<std::string>& words, size_t begin);

/// What CLI11 found too much: the words, and for an option the nearest one.
std::string unexpected_words(const CLI::App& app);

}  // namespace cugrb::command
