// What may share a launch: the rule. src/formats/joined.h does it.
//
// A launch visits places: all positions of a vector, or those of a list. A write-back reads and writes its
// own place only, in the outputs of earlier ones too, unless it says otherwise. So those that visit the same
// places may be done by one launch, each place by one thread, in their order. A reduction may follow, over
// what has been written there.
#pragma once
#include <cstdint>
#include <string>

namespace cugrb::formats {

/// What a launch visits. The list's address stands for its content: its memory is not used for anything else
/// while work that reads it waits.
struct Places {
  const void* list = nullptr;  ///< of positions, in device memory; null: all
  uint64_t count = 0;
  std::string index;  ///< the type of the list's positions; empty without a list
  friend bool operator==(const Places&, const Places&) = default;
};

/// What the rule asks of a write-back.
struct Joinable {
  Places places;
  bool reads_elsewhere = false;  ///< of an operand, other positions than its own
  bool user_defined = false;     ///< a type or an operator is: the text of its definition comes with it
};

/// Why `next` cannot wait for others to join it; empty where it can.
std::string why_not_put_off(const Joinable& next);
/// Why it cannot join `stages` write-backs that visit `places`; empty where it can.
std::string why_not_joined(const Places& places, int stages, const Places& next);

}  // namespace cugrb::formats
