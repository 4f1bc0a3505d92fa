#include "bounds/combining.hpp"

#include <vector>

#include "bounds/arithmetic.hpp"
#include "gossamer_constants.hpp"

namespace gossamer::bounds {

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
  return {combined, "how fast the parts of a sum can come together"};
}

}  // namespace gossamer::bounds
