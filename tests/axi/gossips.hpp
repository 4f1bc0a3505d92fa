#pragma once

#include "Vaxi_all.h"
#include "Vaxi_far.h"
#include "Vaxi_single.h"
#include "Vaxi_single___024root.h"
#include "Vaxi_sum.h"
#include "Vaxi_sum_half.h"
#include "Vaxi_torus.h"
#include "axi/bench.hpp"
#include "catch.hpp"
#include "engines/engine_library.hpp"
#include "engines/prepared.hpp"

// Gossips on the fabrics of this folder, and what each node should then send out.
namespace gossamer::test {

using Single = AxiBench<Vaxi_single>;
using All = AxiBench<Vaxi_all>;
using Far = AxiBench<Vaxi_far>;      ///< a tree of two stages, links of three
using Torus = AxiBench<Vaxi_torus>;  ///< two dimensions, and so three ports
using Sum = AxiBench<Vaxi_sum>;      ///< the same, and its nodes reduce
using SumHalf =
    AxiBench<Vaxi_sum_half>;  ///< a ring of half-duplex links with a tree, whose nodes reduce

inline constexpr Node kNodes = Single::kNodes;  ///< of the rings

/// Gossip on a ring of 4 nodes, in the order of a cycle.
inline Schedule ring_gossip(std::vector<Node> cycle) {
  Request request{.topology = Topology::parse("ring:4"), .cycle = std::move(cycle)};
  return algorithm("hamiltonian").plan(request);
}
inline FabricImage forwards(unsigned flits) { return prepare(ring_gossip({0, 1, 2, 3}), flits, 2); }
inline FabricImage backwards(unsigned flits) {
  return prepare(ring_gossip({3, 2, 1, 0}), flits, 2);
}

/// All-port gossip on the ring: each node sends its own message both ways, then forwards what came
/// from the left.
inline FabricImage both_ways(unsigned flits, const PortStages& stages = {}) {
  Schedule s(Topology::parse("ring:4"), Collective::Gossip,
             {PortModel::All, Duplex::Full, Switching::Packet, true});
  const auto up = [&](unsigned round, Node x, Node origin) {
    const Node path[] = {x, (x + 1) % kNodes};
    const Message message[] = {{origin, kNoNode}};
    s.add(round, path, message);
  };
  for (Node x = 0; x < kNodes; ++x) {
    const Node down[] = {x, (x + 3) % kNodes};
    const Message own[] = {{x, kNoNode}};
    up(1, x, x);
    s.add(1, down, own);
  }
  for (Node x = 0; x < kNodes; ++x) up(2, x, (x + 3) % kNodes);
  return prepare(s, flits, 2, nullptr, stages);
}
inline const PortStages kFar{3, 3};

/// All-port gossip on a torus of 3 times 2 nodes; its links of dimension 1 have a stage.
inline FabricImage on_torus(unsigned flits) {
  Request request{.topology = Topology::parse("torus:3x2"), .cycle = {}};
  request.ports = PortModel::All;
  return prepare(algorithm("translation").plan(request), flits, 3, nullptr, {0, 0, 1});
}

/// The own words of a node.
inline Words own_words(const FabricImage& image, Node x) {
  const auto begin = image.own_words.begin() + static_cast<std::ptrdiff_t>(image.own_begin[x]);
  return {begin, begin + image.own_size(x)};
}

template <class Bench>
void inject_all(Bench& bench, const FabricImage& image) {
  for (Node x = 0; x < Bench::kNodes; ++x) bench.inject(x, own_words(image, x));
}

/// For each node the packets received from it, or expected.
using Arrivals = std::vector<std::vector<Packet>>;

template <class Bench>
Arrivals came(const Bench& bench) {
  Arrivals all;
  for (Node x = 0; x < Bench::kNodes; ++x) all.push_back(bench.packets(x));
  return all;
}

/// A period as the tile engine runs it.
inline std::unique_ptr<Fabric> period(const FabricImage& image) {
  auto fabric = tb::make_tile_fabric(image.kind, false, 3, image.most_stages() != 0);
  fabric->load(image);
  while (!fabric->done()) fabric->run(1);
  REQUIRE(fabric->errors().empty());
  return fabric;
}

/// The expected packets after so many periods: the logs of the tile engine.
inline Arrivals arrivals(const FabricImage& image, unsigned periods = 1) {
  const auto fabric = period(image);
  Arrivals all(image.topology.nodes());
  for (Node x = 0; x < all.size(); ++x) {
    for (unsigned g = 0; g < image.kind.logs() + unsigned{image.kind.reduce}; ++g) {
      Packet packet{g, fabric->log(x, g)};
      if (image.kind.own_log() == 0) {
        packet.words.erase(packet.words.begin(), packet.words.begin() + image.own_size(x));
      }
      if (!packet.words.empty()) all[x].push_back(packet);
    }
    const std::vector<Packet> once = all[x];
    if (periods == 0) all[x].clear();
    for (unsigned more = 1; more < periods; ++more) {
      all[x].insert(all[x].end(), once.begin(), once.end());
    }
  }
  return all;
}

/// Three periods: nodes answer while they run, and each packet is as the tile engine has it.
template <class Bench>
void check_run(const FabricImage& image, std::uint32_t seed, unsigned stall) {
  INFO("seed " << seed << ", stalls " << stall << "%");
  Bench bench(seed, stall);
  REQUIRE(bench.commit(bench.tables(image)) == kOkay);
  for (unsigned period = 1; period <= 3; ++period) {
    inject_all(bench, image);
    bench.drain();
    bench.start();
    for (Node x = 0; bench.status(rtl::AXI_RUNNING);
         x = (x + 1) % Bench::kNodes) {  // before the words
      CHECK(bench.read(axi_address(x, rtl::CFG_REGISTERS, rtl::CFG_PORTS)).data ==
            image.kind.ports);
    }
    CHECK(came(bench) == arrivals(image, period));
    CHECK(bench.control(rtl::AXI_PERIODS) == period);
  }
  CHECK_FALSE(bench.status(rtl::AXI_ERROR));
  CHECK_FALSE(bench.status(rtl::AXI_BAD_PACKET));
}

}  // namespace gossamer::test
