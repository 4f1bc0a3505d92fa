#include "samples/schedules.hpp"

#include <sstream>

#include "schedule/jsonl.hpp"

namespace gossamer::samples {
namespace {

constexpr Model kCombiningPackets{PortModel::All, Duplex::Full, Switching::Packet, true};

template <typename T>
const T& pick(std::mt19937& random, const std::vector<T>& from) {
  return from[random() % from.size()];
}

/// A topology that can be translated, and a group with up to two generators.
Schedule random_start(std::mt19937& random, Collective collective, Model model) {
  const std::vector<std::string> specs = {"ring:6",      "torus:3x4",   "torus:2x3x3", "ghc:3x3",
                                          "hypercube:4", "torus:5x2x2", "torus:9x8"};
  const Topology topology = Topology::parse(pick(random, specs));
  std::vector<Node> generators;
  for (std::uint32_t count = random() % 3; count > 0; --count) {
    generators.push_back(static_cast<Node>(random() % topology.nodes()));
  }
  return Schedule(topology, collective, model, Symmetry(topology, generators));
}

/// A walk along links that exist.
std::vector<Node> random_walk(std::mt19937& random, const Topology& topology, std::size_t hops) {
  std::vector<Node> path = {static_cast<Node>(random() % topology.nodes())};
  while (path.size() <= hops) {
    const Endpoint e = topology.peer(path.back(), static_cast<Port>(random() % topology.ports()));
    if (e.connected()) path.push_back(e.node);
  }
  return path;
}

Message random_message(std::mt19937& random, const Schedule& schedule) {
  const Node n = schedule.topology().nodes();
  const auto origin = static_cast<Node>(random() % n);
  if (same_to_all(schedule.collective())) return {origin, kNoNode};
  return {origin, static_cast<Node>((origin + 1 + random() % (n - 1)) % n)};
}

}  // namespace

Schedule ring_orbits(Node n) {
  const Topology ring = Topology::parse("ring:" + std::to_string(n));
  const Node generators[] = {1};
  Schedule schedule(ring, Collective::Gossip, Model{}, Symmetry(ring, generators));
  for (std::uint32_t r = 1; r < n; ++r) schedule.add_hop(r, 0, 1, (n - (r - 1)) % n);
  return schedule;
}

Schedule ring_expanded(Node n) {
  Schedule schedule(Topology::parse("ring:" + std::to_string(n)), Collective::Gossip, Model{});
  for (std::uint32_t r = 1; r < n; ++r) {
    for (Node x = 0; x < n; ++x) schedule.add_hop(r, x, (x + 1) % n, (x + n - (r - 1)) % n);
  }
  return schedule;
}

Schedule flood(const Topology& topology, std::uint32_t rounds) {
  Schedule schedule(topology, Collective::Gossip, kCombiningPackets);
  for (std::uint32_t r = 1; r <= rounds; ++r) {
    for (Node x = 0; x < topology.nodes(); ++x) {
      for (Port p = 0; p < topology.ports(); ++p) {
        const Endpoint e = topology.peer(x, p);
        if (e.connected()) schedule.add_everything(r, std::vector<Node>{x, e.node});
      }
    }
  }
  return schedule;
}

Schedule random_legal(std::mt19937& random) {
  const auto collective = random() % 2 == 0 ? Collective::Gossip : Collective::TotalExchange;
  Schedule schedule = random_start(random, collective, kCombiningPackets);
  const Topology& topology = schedule.topology();
  for (std::uint32_t r = 1; r <= 12; ++r) {
    for (Node c = 0; c < schedule.symmetry().classes(); ++c) {
      // Any node of the class may stand for it.
      const auto by = pick(random, schedule.symmetry().elements());
      const Node x = topology.translate(schedule.symmetry().representative(c), by);
      for (Port p = 0; p < topology.ports(); ++p) {
        const Endpoint e = topology.peer(x, p);
        if (e.connected() && random() % 3 != 0) {
          schedule.add_everything(r, std::vector<Node>{x, e.node});
        }
      }
    }
  }
  return schedule;
}

Schedule random_wild(std::mt19937& random) {
  const Model model{random() % 2 == 0 ? PortModel::Single : PortModel::All,
                    random() % 2 == 0 ? Duplex::Full : Duplex::Half,
                    static_cast<Switching>(random() % 3), random() % 2 == 0};
  const auto collective = random() % 2 == 0 ? Collective::Gossip : Collective::TotalExchange;
  Schedule schedule = random_start(random, collective, model);
  for (std::uint32_t r = 1; r <= 6; ++r) {
    for (std::uint32_t count = random() % 4; count > 0; --count) {
      const auto path = random_walk(random, schedule.topology(), 1 + random() % 3);
      if (random() % 3 == 0) {
        schedule.add_everything(r, path);
        continue;
      }
      std::vector<Message> messages = {random_message(random, schedule)};
      if (same_to_all(collective)) messages[0].origin = path.front();
      if (random() % 4 == 0) messages.push_back(random_message(random, schedule));
      schedule.add(r, path, messages);
    }
  }
  return schedule;
}

std::string text_of(const Schedule& schedule) {
  std::ostringstream out;
  write_jsonl(schedule, out);
  return out.str();
}

Schedule from_text(const std::string& text) {
  std::istringstream in(text);
  return read_jsonl(in, "test.jsonl");
}

Schedule expanded(const Schedule& schedule) { return from_text(text_of(schedule)); }

Schedule empty(const std::string& topology, Collective collective, Model model) {
  return Schedule(Topology::parse(topology), collective, model);
}

void add(Schedule& schedule, std::uint32_t round, std::vector<Node> path,
         std::vector<Message> messages, std::uint32_t line) {
  schedule.add(round, path, messages, line);
}

std::string faults_of(const Schedule& schedule) {
  std::string all;
  for (const BrokenRule& fault : check(schedule).faults) all += to_string(fault) + "\n";
  return all;
}

}  // namespace gossamer::samples
