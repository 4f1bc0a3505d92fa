#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "schedule/schedule.hpp"

namespace gossamer {

/// A hop whose end stores what comes.
struct StoredHop {
  const Transfer* transfer;
  TransferHop hop;
  Port in;
};

/// All of one round, port by port, whatever the order of the transfers. Of a message that comes to
/// a node twice in one round, the first in this order is the one that counts.
inline std::vector<StoredHop> stored_hops(const Schedule& s, std::span<const Transfer> round) {
  std::vector<StoredHop> all;
  for (const Transfer& t : round) {
    for (const TransferHop hop : s.stored_hops(t)) {
      all.push_back({&t, hop, port_in(s.topology(), hop)});
    }
  }
  std::ranges::stable_sort(all, {}, &StoredHop::in);
  return all;
}

}  // namespace gossamer
