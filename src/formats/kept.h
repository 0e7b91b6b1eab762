// Kept: what is made of a matrix once and found again by a typed key.
#pragma once
#include <concepts>
#include <memory>
#include <typeindex>
#include <utility>
#include <variant>
#include <vector>

#include "src/formats/begun.h"

namespace cugrb::formats {

/// The key of an F of which a matrix has one. Every key names the type that it is the key of (Made), and
/// compares; its members, if any, tell variants apart. The type of the key decides the slot.
template <class F>
struct Only {
  using Made = F;
  bool operator==(const Only&) const = default;
};
/// The same of an F that follows from the places of the entries alone. Matrices that differ in their values
/// share it (Pattern).
template <class F>
struct OfPattern : Only<F> {
  static constexpr bool of_pattern = true;
};

/// Storage, which goes under memory pressure. All else is knowledge, which stays.
template <class F>
concept TakesMemory = requires(const F& made) {
  { made.bytes() } -> std::same_as<size_t>;
};

/// One thing that is kept, or is on its way from the device.
class Slot {
 public:
  virtual ~Slot() = default;
  virtual bool is_there() const = 0;
  virtual bool arrived() const = 0;  ///< take() would not wait
  virtual void take() = 0;           ///< waits; then it is there
  virtual size_t bytes() const = 0;  ///< device memory that goes with it

  const std::type_index type;  ///< of its key
  uint64_t awaited_from = 0;   ///< uses of the matrix from which on it is waited for

 protected:
  explicit Slot(std::type_index type) : type(type) {}
};

template <class Key>
class SlotOf final : public Slot {
 public:
  using Made = typename Key::Made;
  SlotOf(const Key& key, Made&& made) : Slot(typeid(Key)), key(key), what_(std::move(made)) {}
  SlotOf(const Key& key, Begun<Made>&& begun) : Slot(typeid(Key)), key(key), what_(std::move(begun)) {}
  const Made& made() const { return std::get<Made>(what_); }
  bool is_there() const override { return std::holds_alternative<Made>(what_); }
  bool arrived() const override { return is_there() || std::get<Begun<Made>>(what_).arrived(); }
  void take() override { what_.template emplace<Made>(std::get<Begun<Made>>(what_).take()); }
  size_t bytes() const override {
    if constexpr (TakesMemory<Made>) return is_there() ? made().bytes() : 0;
    return 0;
  }

  const Key key;

 private:
  std::variant<Made, Begun<Made>> what_;
};

/// Slots in the order in which they came. What they hold stays where it is until its slot goes.
struct Kept {
  std::vector<std::unique_ptr<Slot>> slots;

  /// Null when there is none. A slot of that type was made for that key: the cast cannot be wrong.
  template <class Key>
  SlotOf<Key>* find(const Key& key) const {
    for (const std::unique_ptr<Slot>& slot : slots) {
      if (slot->type != typeid(Key)) continue;
      auto* const of_type = static_cast<SlotOf<Key>*>(slot.get());
      if (of_type->key == key) return of_type;
    }
    return nullptr;
  }
  template <class Key, class What>
  SlotOf<Key>& add(const Key& key, What&& what) {
    auto slot = std::make_unique<SlotOf<Key>>(key, std::forward<What>(what));
    SlotOf<Key>& added = *slot;
    slots.push_back(std::move(slot));
    return added;
  }
  size_t bytes() const {
    size_t sum = 0;
    for (const std::unique_ptr<Slot>& slot : slots) sum += slot->bytes();
    return sum;
  }
};

}  // namespace cugrb::formats
