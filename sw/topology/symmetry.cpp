#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "topology/topology.hpp"

namespace gossamer {
namespace {

/// A digit that a translation changes must stand in a factor that can be translated.
void require_translation(const Topology& topology, Node by) {
  if (by >= topology.nodes()) throw std::logic_error("Symmetry: generator is no node");
  for (std::size_t f = 0; f < topology.factors().size(); ++f) {
    if (topology.digit(by, f) != 0 && !topology.factors()[f].cyclic) {
      throw std::logic_error("Symmetry: generator moves along a factor that is not cyclic");
    }
  }
}

/// Translations commute: a subgroup H grows by g to H, H+g, H+2g, ... until a multiple of g is in
/// H.
std::vector<Node> closure(const Topology& topology, std::span<const Node> generators) {
  std::vector<Node> elements = {0};
  std::vector<bool> member(topology.nodes(), false);
  member[0] = true;
  for (const Node g : generators) {
    require_translation(topology, g);
    const std::size_t size = elements.size();
    for (Node multiple = g; !member[multiple]; multiple = topology.translate(multiple, g)) {
      for (std::size_t e = 0; e < size; ++e) {
        elements.push_back(topology.translate(elements[e], multiple));
        member[elements.back()] = true;
      }
    }
  }
  std::sort(elements.begin(), elements.end());
  return elements;
}

}  // namespace

Symmetry::Symmetry(const Topology& topology, std::span<const Node> generators)
    : elements_(closure(topology, generators)),
      class_of_(topology.nodes(), kNoNode),
      shift_(topology.nodes(), 0) {
  for (Node x = 0; x < topology.nodes(); ++x) {
    if (class_of_[x] != kNoNode) continue;
    const Node c = classes();
    representatives_.push_back(x);
    for (const Node g : elements_) {
      const Node y = topology.translate(x, g);
      class_of_[y] = c;
      shift_[y] = g;
    }
  }
}

}  // namespace gossamer
