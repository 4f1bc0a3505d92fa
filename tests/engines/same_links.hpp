#pragma once

#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"

namespace gossamer::test {

/// What is compared: a wrong table may read words that were never written, whose value is random.
enum class Compare { Everything, NotData };

inline std::string text(const std::vector<NodeError>& errors) {
  std::string all;
  for (const NodeError& e : errors) {
    all += fmt::format("node {}: {:#x}, first {} in slot {} at port {}\n", e.node, e.seen,
                       e.first_code, e.first_slot, e.first_port);
  }
  return all;
}

/// Runs two loaded fabrics side by side to their end, or for so many cycles, and returns the first
/// link that differs in a cycle, or any other difference; empty if there is none. `b` runs several
/// cycles at a time, and is looked at after each.
inline std::string first_disagreement(Fabric& a, Fabric& b, const Topology& topology,
                                      Compare compare = Compare::Everything,
                                      std::uint64_t most_cycles = 100000) {
  std::string different;
  std::mt19937 random(1);
  while (!a.done() && a.cycle() < most_cycles && different.empty()) {
    b.run_and_look(1 + random() % 200, [&] {
      a.run(1);
      for (Node x = 0; x < topology.nodes(); ++x) {
        for (Port p = 0; p < topology.ports(); ++p) {
          Flit of_a = a.link(x, p), of_b = b.link(x, p);
          if (compare == Compare::NotData) of_a.data = of_b.data = 0;
          if (!(of_a == of_b))
            different = fmt::format("cycle {}, node {}, port {}", a.cycle(), x, p);
        }
      }
      if (different.empty() && a.done() != b.done())
        different = fmt::format("only one is at rest in cycle {}", a.cycle());
      return different.empty() && a.cycle() < most_cycles;
    });
  }
  if (different != "") return different;
  if (text(a.errors()) != text(b.errors()))
    return "errors: " + text(a.errors()) + "or " + text(b.errors());
  if (compare == Compare::NotData) return "";
  if (!a.done()) return "no end";
  if (a.cycle() != b.cycle()) return "they end in different cycles";
  if (a.last_arrival() != b.last_arrival()) return "last arrivals differ";
  if (a.flits_moved() != b.flits_moved()) return "different numbers of flits moved";
  return "";
}

/// The words that have arrived; for an adaptive node preceded by their places.
inline std::vector<std::uint32_t> arrivals(const Fabric& fabric, Node x, unsigned log) {
  std::vector<std::uint32_t> words = fabric.log(x, log), where;
  const std::vector<bool> arrived = fabric.arrived(x, log);
  for (std::uint32_t at = 0; at < arrived.size(); ++at) {
    if (arrived[at]) where.insert(where.end(), {at, words[at]});
  }
  return arrived.empty() ? words : where;
}

/// The first log in which two fabrics hold something else.
inline std::string unlike_logs(const Fabric& a, const Fabric& b, Node nodes, unsigned logs) {
  for (Node x = 0; x < nodes; ++x) {
    for (unsigned g = 0; g < logs; ++g) {
      if (arrivals(a, x, g) != arrivals(b, x, g)) return fmt::format("node {}, log {}", x, g);
    }
  }
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
  if (used.compared().words != fresh.compared().words ||
      used.compared().different != fresh.compared().different) {
    return "words compared";
  }
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    if (used.as_expected(x) != fresh.as_expected(x)) return fmt::format("node {}, as expected", x);
  }
  return unlike_logs(used, fresh, image.topology.nodes(), image.kind.logs());
}

}  // namespace gossamer::test
