#pragma once

#include <fmt/format.h>

#include <string>

#include "fabric/fabric.hpp"

namespace gossamer::test {

/// Runs two loaded fabrics in parallel to their end, and returns the first link that differs in a
/// cycle, or any other difference; empty if there is none.
inline std::string first_disagreement(Fabric& a, Fabric& b, const Topology& topology,
                                      std::uint64_t most_cycles = 100000) {
  while (!a.done() && a.cycle() < most_cycles) {
    a.run(1);
    b.run(1);
    for (Node x = 0; x < topology.nodes(); ++x) {
      for (Port p = 0; p < topology.ports(); ++p) {
        if (a.link(x, p) == b.link(x, p)) continue;
        return fmt::format("cycle {}, node {}, port {}", a.cycle(), x, p);
      }
    }
    if (a.done() != b.done()) return fmt::format("only one is at rest in cycle {}", a.cycle());
  }
  if (!a.done()) return "no end";
  if (a.cycle() != b.cycle()) return "they end in different cycles";
  if (a.last_arrival() != b.last_arrival()) return "last arrivals differ";
  if (a.flits_moved() != b.flits_moved()) return "different numbers of flits moved";
  return "";
}

}  // namespace gossamer::test
