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

std::uint64_t cycles_to_combine(std::uint64_t parts, std::uint64_t hop) {
  const std::size_t sends = rtl::TIME_LAT + rtl::TIME_OP + hop - rtl::TIME_DELTA;
  const std::size_t keeps = rtl::TIME_OP + rtl::TIME_KEEP;
  std::vector<std::uint64_t> came, own, sent;  // by cycles from the start: parts, at most
  for (std::size_t t = 0;; ++t) {
    came.push_back(t < sends ? 0 : sent[t - sends]);
    own.push_back(t < keeps ? 1 : add_saturating(own[t - keeps], came[t - keeps]));
    sent.push_back(add_saturating(came[t], own[t]));
    if (sent[t] >= parts) return rtl::TIME_START + t;
  }
}

Bound of_sums(Bound of_flits, std::uint64_t parts, std::uint64_t hop, std::uint64_t flits,
              std::uint64_t ports) {
  if (parts < 2) return of_flits;
  of_flits.value += rtl::TIME_OP;
  const std::uint64_t combined =
      cycles_to_combine(parts, hop) + divide_up(flits, ports + 1) + rtl::TIME_OP;
  if (combined <= of_flits.value) return of_flits;
  return {combined, "how fast the parts of a sum can come together in nodes that do not join"};
}

}  // namespace gossamer::bounds
