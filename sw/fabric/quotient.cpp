#include "fabric/quotient.hpp"

#include <fmt/format.h>

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
  steps_.resize(place(topology_.nodes(), 0));
  for (Node c = 0; c < topology_.nodes(); ++c) {
    for (Port p = 0; p < topology_.ports(); ++p) {
      const Endpoint to = all.peer(symmetry.representative(c), p);
      if (to.connected()) set_step(c, p, all.negate(symmetry.shift(to.node)));
    }
  }
}

void Quotient::set_step(Node c, Port p, Node by) {
  std::uint64_t* step = steps_.data() + place(c, p);
  *step = by;
  for (std::size_t f = 0; f < blocks_.size(); ++f) {
    *++step = blocks_[f].limit(all_, f, all_.digit(by, f));
  }
}

}  // namespace gossamer
