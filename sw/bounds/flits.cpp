#include "bounds/flits.hpp"

#include <algorithm>
#include <limits>

#include "bounds/distances.hpp"
#include "gossamer_constants.hpp"

namespace gossamer::bounds {

std::uint64_t cycles_over(std::vector<std::uint64_t> begin, std::uint64_t amount) {
  std::ranges::sort(begin);
  std::uint64_t sum = 0, cycles = std::numeric_limits<std::uint64_t>::max();
  for (std::uint64_t k = 1; k <= begin.size() && begin[k - 1] < cycles; ++k) {
    sum += begin[k - 1];
    cycles = divide_up(amount + sum, k);
  }
  return cycles;
}

std::uint64_t cycles_of_flow(const std::vector<std::uint64_t>& hops, std::uint64_t flits) {
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t k = 0; k < hops.size(); ++k) {
    fewest = std::min(fewest, divide_up(flits + hops[k], k + 1));
  }
  return fewest;
}

std::uint64_t port_spread(const Profile& distances, std::uint64_t receivers, std::uint64_t flits,
                          std::uint64_t hop) {
  static_assert(rtl::TIME_LAT == rtl::TIME_DELTA + 2);
  std::vector<std::uint64_t> comes = {0}, holders = {0};  // by cycle: flits, and other nodes
  std::uint64_t near = 0, all = 0, last_reaches = 0, all_reach = 0;
  for (std::uint64_t t = 1;; ++t) {
    if (t % hop == 0 && t / hop < distances.size()) near += distances[t / hop];
    const std::uint64_t passed = t > hop ? comes[t - hop] : 0;
    const std::uint64_t sent = t > hop + 2 ? holders[t - hop - 2] : 0;
    comes.push_back(std::min(near, passed + sent + 1));
    holders.push_back(std::min(near, holders.back() + comes.back()));
    all += std::min(comes.back(), receivers);
    if (last_reaches == 0 && holders.back() >= receivers) last_reaches = t + flits - 1;
    if (all_reach == 0 && all >= receivers * flits) all_reach = t;
    if (all_reach == 0 && comes.back() >= receivers) {
      all_reach = t + divide_up(receivers * flits - all, receivers);
    }
    if (last_reaches != 0 && all_reach != 0) return std::max(last_reaches, all_reach);
  }
}

std::uint64_t port_sum(const Profile& distances, std::uint64_t others, std::uint64_t hop) {
  constexpr std::uint64_t kStored = rtl::TIME_LAT + rtl::TIME_JOIN;
  // Backwards in time: by cycle, nodes whose parts leave them in a word for the sum, and those that
  // do so or did when what they stored is still added up.
  std::vector<std::uint64_t> leave, stored;
  std::uint64_t near = 0, all = 0;
  for (std::uint64_t t = 0;; ++t) {
    const auto at = [&](const std::vector<std::uint64_t>& of, std::uint64_t before) {
      return t < before ? 0 : of[t - before];
    };
    if (t > 0 && t % hop == 0 && t / hop < distances.size()) near += distances[t / hop];
    const bool root = t >= hop && (t - hop) % kStored == 0;
    leave.push_back(std::min(near, at(leave, hop) + at(stored, hop + kStored) + (root ? 1 : 0)));
    stored.push_back(leave[t] + at(stored, kStored));
    all = std::min(near, all + leave[t]);
    if (all >= others) return t;
  }
}

}  // namespace gossamer::bounds
