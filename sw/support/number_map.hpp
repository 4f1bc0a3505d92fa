#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gossamer {

/// Numbers of 64 bits, but ~0, each with a value. They are looked up and added, never removed: a
/// table with open addressing, because there may be millions of them. At most so many eighths of it
/// are in use.
template <class Value, unsigned kMostEighths>
class NumberMap {
 public:
  /// Null if the number is not there.
  const Value* find(std::uint64_t number) const {
    if (used_ == 0) return nullptr;
    const Entry& entry = entries_[place_of(number)];
    return entry.number == kFree ? nullptr : &entry.value;
  }
  /// The number's value, and whether it is new.
  std::pair<Value*, bool> add(std::uint64_t number, const Value& value) {
    if (8 * used_ >= kMostEighths * entries_.size()) grow();
    Entry& entry = entries_[place_of(number)];
    const bool is_new = entry.number == kFree;
    if (is_new) {
      entry = {number, value};
      ++used_;
    }
    return {&entry.value, is_new};
  }
  std::uint64_t size() const { return used_; }
  std::uint64_t bytes() const { return entries_.size() * sizeof(Entry); }
  template <class Do>
  void for_each(const Do& act) const {
    for (const Entry& entry : entries_) {
      if (entry.number != kFree) act(entry.number);
    }
  }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};
  struct Entry {
    std::uint64_t number = kFree;
    [[no_unique_address]] Value value = {};
  };

  /// Where the number is, or would be put.
  std::size_t place_of(std::uint64_t number) const {
    auto i = static_cast<std::size_t>(number * 0x9e3779b97f4a7c15 >> shift_);
    while (entries_[i].number != kFree && entries_[i].number != number) {
      i = (i + 1) & (entries_.size() - 1);
    }
    return i;
  }
  void grow() {
    const std::vector<Entry> old = std::exchange(entries_, {});
    shift_ = old.empty() ? 60 : shift_ - 1;
    entries_.resize(std::size_t{1} << (64 - shift_));
    for (const Entry& entry : old) {
      if (entry.number != kFree) entries_[place_of(entry.number)] = entry;
    }
  }

  std::vector<Entry> entries_;  ///< none, or a power of two
  std::uint64_t used_ = 0;
  unsigned shift_ = 64;
};

}  // namespace gossamer
