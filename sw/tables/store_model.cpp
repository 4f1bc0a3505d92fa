#include "tables/store_model.hpp"

#include <utility>

namespace gossamer {

std::size_t Places::entry_of(const Message& m) const {
  std::size_t i = at(m);
  while (entries_[i].message.origin != kNoNode && entries_[i].message != m) {
    i = (i + 1) & (entries_.size() - 1);
  }
  return i;
}

void Places::grow() {
  const std::vector<Entry> old = std::exchange(entries_, {});
  shift_ = old.empty() ? 60 : shift_ - 1;
  entries_.resize(std::size_t{1} << (64 - shift_));
  for (const Entry& e : old) {
    if (e.message.origin != kNoNode) entries_[entry_of(e.message)] = e;
  }
}

bool Places::add(const Message& m, Place place) {
  if (4 * used_ >= 3 * entries_.size()) grow();
  Entry& entry = entries_[entry_of(m)];
  if (entry.message.origin != kNoNode) return false;
  entry = {m, place};
  ++used_;
  return true;
}

const Place* Places::find(const Message& m) const {
  if (used_ == 0) return nullptr;
  const Entry& entry = entries_[entry_of(m)];
  return entry.message.origin == kNoNode ? nullptr : &entry.place;
}

void StoreModel::append(unsigned log, const Message& m) {
  if (contents_) {
    const Place place{log, static_cast<std::uint32_t>(lengths_[log])};
    if (places_.add(m, place)) {
      arrived_.resize(lengths_.size());
      arrived_[log].push_back(m);
    }
  }
  ++lengths_[log];
}

const Place* StoreModel::find(const Message& m) const { return places_.find(m); }

std::vector<Message> StoreModel::everything(std::span<const unsigned> logs) const {
  std::vector<Message> all;
  if (arrived_.empty()) return all;
  for (unsigned log : logs) all.insert(all.end(), arrived_[log].begin(), arrived_[log].end());
  return all;
}

}  // namespace gossamer
