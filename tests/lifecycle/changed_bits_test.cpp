// Every bit of a node's tables, changed one at a time: the node reports it, or it changes nothing.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "catch.hpp"
#include "node_variants.hpp"
#include "programs.hpp"

namespace gossamer::test {
namespace {

/// Nodes of a ring, which run again and again.
class Ring {
 public:
  explicit Ring(const NodeVariant& variant) : build_(variant.build) {
    for (Node x = 0; x < kNodes; ++x) nodes_.push_back(variant.make(x + 1));
    for (int i = 0; i < 3; ++i) cycle({.reset = true, .start = false, .transfer = {}, .links = {}});
  }

  void load(const std::vector<NodeProgram>& programs, std::uint32_t own) {
    own_ = own;
    for (Node x = 0; x < kNodes; ++x) {
      for (const Transfer& t : table_transfers(programs[x], build_, 0)) write(t, x);
      write({true, rtl::CFG_OWN_WORDS, own}, x);
      if (!build_.kind.adaptive) continue;
      write({true, rtl::CFG_SHIFT, 1}, x);
      for (Port p = 0; p < build_.kind.ports; ++p)
        write({true, rtl::CFG_PARTNER + p, 2 + p % 2 * 2}, x);
    }
  }

  /// All nodes wait for their start.
  void restart() {
    cycle({.reset = false,
           .start = false,
           .transfer = Transfer{true, rtl::CFG_CONTROL, 1},
           .links = {}});
    idle(2);
  }
  void write(const Transfer& t, Node x) {
    cycle({.reset = false, .start = false, .transfer = t, .links = {}}, x);
  }

  /// What node 0 does in so many cycles, and what it has received then.
  std::vector<std::uint64_t> run(unsigned cycles) {
    std::vector<std::uint64_t> seen;
    for (Node x = 0; x < kNodes; ++x) {  // arrivals of an adaptive node may have replaced them
      for (std::uint32_t i = 0; i < own_; ++i) {
        write({true, store(build_.kind.own_log(), i), 0x11 * (x * own_ + i + 1)}, x);
      }
    }
    idle(3);
    for (unsigned t = 0; t < cycles; ++t) {
      cycle({.reset = false, .start = t == 0, .transfer = {}, .links = {}});
      for (const Flit& f : nodes_[0]->links) {
        seen.push_back(f.valid ? std::uint64_t{f.data} << 2 | unsigned{f.last} << 1 | 1 : 0);
      }
      seen.push_back(nodes_[0]->done);
    }
    for (unsigned log = 0; log < build_.kind.logs(); ++log) {
      if (build_.kind.adaptive) {
        for (std::uint32_t m = 0; m < build_.messages; ++m) {
          const std::uint32_t ports = read(region(rtl::CFG_ARRIVED, m));
          seen.push_back(ports);
          if (!(build_.kind.single_port ? ports != 0 : ports >> log & 1)) continue;
          for (std::uint32_t i = 2 * m; i < 2 * m + 2; ++i) seen.push_back(read(store(log, i)));
        }
      } else {
        const std::uint32_t length = read(rtl::CFG_LOG_LENGTH + log);
        seen.push_back(length);
        for (std::uint32_t i = 0; i < length; ++i) seen.push_back(read(store(log, i)));
      }
    }
    return seen;
  }
  bool error(Node x) const { return nodes_[x]->error; }
  bool done(Node x) const { return nodes_[x]->done; }

 private:
  static std::uint32_t store(unsigned log, std::uint32_t i) {
    return region(rtl::CFG_STORE, log << rtl::CFG_LOG_LSB | i);
  }
  std::uint32_t read(std::uint32_t address) {
    write({false, address, 0}, 0);
    return nodes_[0]->rdata;
  }
  void idle(int cycles) {
    for (int i = 0; i < cycles; ++i) cycle({});
  }
  /// The same inputs for all nodes; a transfer for one node only, if it is named.
  void cycle(NodeInputs in, std::optional<Node> only = {}) {
    std::array<std::vector<Flit>, kNodes> links;
    for (Node x = 0; x < kNodes; ++x) {
      const auto &up = nodes_[(x + 1) % kNodes]->links,
                 &down = nodes_[(x + kNodes - 1) % kNodes]->links;
      for (Port p = 0; p < up.size(); ++p) links[x].push_back(p % 2 == 0 ? up[p + 1] : down[p - 1]);
    }
    const auto transfer = in.transfer;
    for (Node x = 0; x < kNodes; ++x) {
      in.links = links[x];
      in.transfer = !only || *only == x ? transfer : std::nullopt;
      nodes_[x]->edge(in);
    }
  }

  const NodeBuild build_;
  std::uint32_t own_ = 0;
  std::vector<std::unique_ptr<NodeRtl>> nodes_;
};

/// Changes every bit of node 0's tables, one at a time. Returns how many changes had an effect.
unsigned change_every_bit(const NodeVariant& variant, std::uint32_t seed) {
  constexpr unsigned kCycles = 150, kOwn = 6;
  Random random(seed);
  Ring ring(variant);
  // A program that is right, and in which node 0 sends and receives.
  std::vector<NodeProgram> programs;
  std::vector<std::uint64_t> wanted;
  for (bool found = false; !found;) {
    programs = random_programs(random, variant.build, kNodes, kOwn, 0);
    ring.load(programs, kOwn);
    ring.restart();
    wanted = ring.run(kCycles);
    found = programs[0].slots.size() >= 3 &&
            std::ranges::any_of(wanted, [](std::uint64_t w) { return w > 1; });
    for (Node x = 0; x < kNodes; ++x) found = found && ring.done(x) && !ring.error(x);
    ring.restart();
  }
  unsigned effects = 0;
  for (const Transfer& t : table_transfers(programs[0], variant.build, 0)) {
    for (unsigned bit = 0; bit < 32; ++bit) {
      ring.write({true, t.address, t.data ^ 1u << bit}, 0);
      const auto seen = ring.run(kCycles);
      const bool effect = seen != wanted, reported = ring.error(0);
      ring.restart();
      ring.write(t, 0);
      effects += effect;
      CAPTURE(variant.name, seed, fmt::format("{:#x}", t.address), fmt::format("{:#x}", t.data),
              bit);
      REQUIRE((!effect || reported));
    }
  }
  return effects;
}

}  // namespace

TEST_CASE("life cycle: one changed bit of a table is reported by its node, or changes nothing") {
  for (const NodeVariant& variant : node_variants()) CHECK(change_every_bit(variant, 1) > 50);
}

}  // namespace gossamer::test
