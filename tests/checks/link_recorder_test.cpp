// What is recorded of the links, on a fabric that the test makes up.
#include "checks/link_recorder.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <tuple>

#include "catch.hpp"
#include "fake_fabric.hpp"
#include "tables/compiler.hpp"

using namespace gossamer;

namespace {

/// Nodes in a ring whose links carry what a function says.
class Ring final : public FakeFabric {
 public:
  using Links = std::function<Flit(Node, Port, std::uint64_t)>;
  explicit Ring(Links links, std::uint64_t cycles = kNever) : links_(std::move(links)) {
    end = cycles;
  }
  Flit link(Node x, Port p) const override { return links_(x, p, now); }

 private:
  Links links_;
};

Schedule gossip() {
  Schedule s(Topology::parse("ring:4"), Collective::Gossip, Model{});
  s.add_hop(1, 0, 1, 0);
  return s;
}

}  // namespace

TEST_CASE("recorder: random flits on all links are the runs that a plain list of them makes") {
  const Schedule s = gossip();
  constexpr unsigned kFlits = 3, kCycles = 24;
  const Payload payload(s, kFlits, 1);
  std::mt19937 random(17);
  for (int trial = 0; trial < 300; ++trial) {
    const auto nodes = s.topology().nodes(), ports = Node{s.topology().ports()};
    // Most flits continue the message before them; some are nobody's.
    std::vector<std::optional<FlitId>> ids(nodes * ports * kCycles);
    std::vector<LinkRun> plain;
    for (Node x = 0; x < nodes; ++x) {
      for (Port p = 0; p < ports; ++p) {
        FlitId id{{0, kNoNode}, 0};
        bool open = false;
        for (unsigned cycle = 0; cycle < kCycles; ++cycle) {
          const bool same = random() % 4 != 0 && id.index + 1 < kFlits;
          if (cycle > 0 || random() % 2 == 0) {
            if (same) {
              ++id.index;
            } else {
              id = {{static_cast<Node>(random() % nodes), kNoNode},
                    static_cast<unsigned>(random() % kFlits)};
            }
          }
          const unsigned kind = random() % 8;  // 0: no flit; 1: nobody's
          if (kind == 0) {
            open = false;
            continue;
          }
          const FlitId shown = kind == 1 ? FlitId{{kNoNode, kNoNode}, 0} : id;
          ids[(x * ports + p) * kCycles + cycle] = shown;
          const bool next = open && plain.back().message == shown.message &&
                            (kind == 1 || plain.back().first + plain.back().flits == shown.index);
          if (!next) plain.push_back({cycle, x, p, 0, shown.message, shown.index});
          ++plain.back().flits;
          open = true;
        }
      }
    }
    Ring ring([&](Node x, Port p, std::uint64_t cycle) {
      if (cycle >= kCycles) return Flit{};
      const auto& id = ids[(x * ports + p) * kCycles + cycle];
      if (!id) return Flit{};
      return Flit{true, false, id->message.origin == kNoNode ? 0xdeadbeef : payload.word(*id)};
    });
    auto runs = tb::record_links(ring, s.topology(), payload, kCycles).runs;
    const auto place = [](const LinkRun& r) { return std::tuple(r.from, r.port, r.begin); };
    std::ranges::sort(runs, {}, place);
    REQUIRE(runs == plain);
  }
}

TEST_CASE("recorder: it ends with the run, at the limit, or with two million runs of flits") {
  const Schedule s = gossip();
  const Payload payload(s, 1, 1);
  const auto none = [](Node, Port, std::uint64_t) { return Flit{}; };
  Ring ends(none, 9), goes_on(none);
  CHECK(tb::record_links(ends, s.topology(), payload, 12).last == 9);
  CHECK(tb::record_links(goes_on, s.topology(), payload, 12).last == 12);
  // 8 links, each with another message in every cycle: a run is complete in the next one.
  Ring full([&](Node, Port, std::uint64_t cycle) {
    return Flit{true, true, payload.word({{static_cast<Node>(cycle % 4), kNoNode}, 0})};
  });
  const auto record = tb::record_links(full, s.topology(), payload, 1'000'000);
  CHECK(record.last == 250'000);
  CHECK(record.runs.size() == 2'000'008);
}
