#include "tables/store_model.hpp"

#include <utility>

namespace gossamer {

std::size_t Places::entry_of(std::uint64_t message) const {
  std::size_t i = at(message);
  while (entries_[i].message != kFree && entries_[i].message != message) {
    i = (i + 1) & (entries_.size() - 1);
  }
  return i;
}

void Places::grow() {
  const std::vector<Entry> old = std::exchange(entries_, {});
  shift_ = old.empty() ? 60 : shift_ - 1;
  entries_.resize(std::size_t{1} << (64 - shift_));
  for (const Entry& e : old) {
    if (e.message != kFree) entries_[entry_of(e.message)] = e;
  }
}

bool Places::add(std::uint64_t message, Place place) {
  if (4 * used_ >= 3 * entries_.size()) grow();
  Entry& entry = entries_[entry_of(message)];
  if (entry.message != kFree) return false;
  entry = {message, place};
  ++used_;
  return true;
}

const Place* Places::find(std::uint64_t message) const {
  if (used_ == 0) return nullptr;
  const Entry& entry = entries_[entry_of(message)];
  return entry.message == kFree ? nullptr : &entry.place;
}

void StoreModel::append(unsigned log, const Message& m, std::uint32_t words) {
  if (contents_) {
    const std::uint64_t number = numbers_.number(m);
    const Place place{log, static_cast<std::uint32_t>(lengths_[log])};
    if (places_.add(number, place)) {
      arrived_.resize(lengths_.size());
      arrived_[log].push_back(number);
    }
  }
  lengths_[log] += words;
}

const Place* StoreModel::find(const Message& m) const { return places_.find(numbers_.number(m)); }

std::vector<Message> StoreModel::everything(std::span<const unsigned> logs) const {
  std::vector<Message> all;
  if (arrived_.empty()) return all;
  for (const unsigned log : logs) {
    for (const std::uint64_t number : arrived_[log]) all.push_back(numbers_.message(number));
  }
  return all;
}

}  // namespace gossamer
