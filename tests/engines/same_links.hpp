#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

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

/// Runs the images one after the other on one fabric, the first half of them to the end, the others
/// for some cycles, then the last one as on another fabric that has run nothing. Returns the first
/// difference; empty if there is none.
inline std::string difference_after(Fabric& used, Fabric& fresh,
                                    const std::vector<FabricImage>& images) {
  for (std::size_t i = 0; i + 1 < images.size(); ++i) {
    used.load(images[i]);
    used.run(2 * i < images.size() ? 100000 : 7);
  }
  const FabricImage& image = images.back();
  used.load(image);
  fresh.load(image);
  if (used.cycle() != 0 || used.flits_moved() != 0 || !used.errors().empty())
    return "it does not begin anew";
  const std::string links = first_disagreement(used, fresh, image.topology);
  if (links != "") return links;
  const auto all = [](const Fabric& fabric) {
    std::string text;
    for (const NodeError& e : fabric.errors()) {
      text +=
          fmt::format("{} {} {} {} {}\n", e.node, e.seen, e.first_code, e.first_slot, e.first_port);
    }
    return text;
  };
  if (all(used) != all(fresh)) return "errors: " + all(used) + " instead of " + all(fresh);
  if (used.compared().words != fresh.compared().words ||
      used.compared().different != fresh.compared().different) {
    return "words compared";
  }
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    if (used.as_expected(x) != fresh.as_expected(x)) return fmt::format("node {}, as expected", x);
    for (unsigned g = 0; g < image.kind.logs(); ++g) {
      if (used.log(x, g) != fresh.log(x, g) || used.arrived(x, g) != fresh.arrived(x, g))
        return fmt::format("node {}, log {}", x, g);
    }
  }
  return "";
}

}  // namespace gossamer::test
