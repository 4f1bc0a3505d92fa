#include "fabric/quotient.hpp"

#include <fmt/format.h>

#include <map>

namespace gossamer {
namespace {

Topology classes_of(const Topology& all, const Symmetry& symmetry) {
  Graph graph{.spec = fmt::format("{} class{} of {}", symmetry.classes(),
                                  symmetry.classes() == 1 ? "" : "es", all.spec()),
              .nodes = symmetry.classes(),
              .ports = all.ports(),
              .cyclic = false,
              .peers = {}};
  graph.peers.reserve(std::size_t{graph.nodes} * graph.ports);
  for (Node c = 0; c < graph.nodes; ++c) {
    for (Port p = 0; p < graph.ports; ++p) {
      Endpoint to = all.peer(symmetry.representative(c), p);
      if (to.connected()) to.node = symmetry.class_of(to.node);
      graph.peers.push_back(to);
    }
  }
  std::string name = graph.spec;
  return {std::move(name), {std::move(graph)}};
}

}  // namespace

Quotient::Quotient(const Topology& all, const Symmetry& symmetry, const Payload& payload)
    : all_(all),
      symmetry_(symmetry),
      payload_(payload),
      topology_(classes_of(all, symmetry)),
      ports_(topology_.ports()),
      count_(all.nodes()),
      nodes_(all.nodes()),
      flits_(payload.flits()) {
  for (std::size_t f = 0; f < all.factors().size(); ++f) {
    blocks_.emplace_back(all, f);
  }
  steps_.assign(blocks_.size() + 1, 0);
  step_of_.assign(place(topology_.nodes(), 0), 0);
  std::map<Node, std::uint32_t> known = {{0, 0}};
  for (Node c = 0; c < topology_.nodes(); ++c) {
    representatives_.push_back(symmetry.representative(c));
    for (Port p = 0; p < topology_.ports(); ++p) {
      const Endpoint to = all.peer(symmetry.representative(c), p);
      if (!to.connected()) continue;
      const Node by = all.negate(symmetry.shift(to.node));
      const auto [at, is_new] = known.try_emplace(by, 0);
      if (is_new) at->second = add_step(by);
      step_of_[place(c, p)] = at->second;
    }
  }
}

std::uint32_t Quotient::add_step(Node by) {
  const auto at = static_cast<std::uint32_t>(steps_.size());
  steps_.push_back(by);
  for (std::size_t f = 0; f < blocks_.size(); ++f) {
    steps_.push_back(blocks_[f].limit(all_, f, all_.digit(by, f)));
  }
  return at;
}

}  // namespace gossamer
