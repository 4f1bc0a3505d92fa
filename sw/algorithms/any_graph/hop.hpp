#pragma once

#include <cstdint>

#include "schedule/schedule.hpp"

namespace gossamer::any_graph {

/// A message crosses a link in a round.
struct Hop {
  std::uint32_t round = 0;
  Node from = 0;
  Node to = 0;
  Message message;
};

}  // namespace gossamer::any_graph
