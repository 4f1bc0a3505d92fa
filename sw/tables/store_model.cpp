#include "tables/store_model.hpp"

namespace gossamer {

void StoreModel::append(unsigned log, const Message& m) {
  if (contents_) {
    const Place place{log, static_cast<std::uint32_t>(lengths_[log])};
    if (places_.try_emplace(key(m), place).second) {
      arrived_.resize(lengths_.size());
      arrived_[log].push_back(m);
    }
  }
  ++lengths_[log];
}

const Place* StoreModel::find(const Message& m) const {
  const auto it = places_.find(key(m));
  return it == places_.end() ? nullptr : &it->second;
}

std::vector<Message> StoreModel::everything(std::span<const unsigned> logs) const {
  std::vector<Message> all;
  if (arrived_.empty()) return all;
  for (unsigned log : logs) all.insert(all.end(), arrived_[log].begin(), arrived_[log].end());
  return all;
}

}  // namespace gossamer
