#include "legal.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "algorithms/registry.hpp"
#include "tables/compiler.hpp"

namespace gossamer::properties {
namespace {

constexpr const char* kTopologies[] = {"ring:3",
                                       "ring:4",
                                       "ring:5",
                                       "ring:6",
                                       "path:2",
                                       "path:4",
                                       "complete:4",
                                       "complete:5",
                                       "torus:3x3",
                                       "torus:2x3",
                                       "mesh:2x3",
                                       "mesh:3x3",
                                       "hypercube:2",
                                       "hypercube:3",
                                       "ghc:2x3",
                                       "ccc:2",
                                       "butterfly:2",
                                       "debruijn:3",
                                       "torus:2x2x3",
                                       "ghc:3x4",
                                       "product:ring:3,path:2",
                                       "product:complete:3,ring:4",
                                       "edges:tests/data/ladder.json"};

/// Of those whose nodes are adaptive.
constexpr const char* kCubes[] = {"hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4"};

constexpr Collective kCollectives[] = {Collective::Gossip, Collective::Broadcast,
                                       Collective::Scatter, Collective::TotalExchange,
                                       Collective::Gather};

template <typename List>
const auto& pick(std::mt19937& random, const List& list) {
  return std::begin(list)[random() % std::size(list)];
}

/// What is still free in a round.
class Use {
 public:
  explicit Use(const Model& model) : model_(model) {}

  bool arc_free(Node from, Node to) const {
    return !arcs_.contains({from, to}) &&
           (model_.duplex == Duplex::Full || !arcs_.contains({to, from}));
  }
  bool may_send(Node x) const { return free(x, sends_, receives_); }
  bool may_receive(Node x) const { return free(x, receives_, sends_); }
  void arc(Node from, Node to) { arcs_.emplace(from, to); }
  void send(Node x) { sends_.insert(x); }
  void receive(Node x) { receives_.insert(x); }

 private:
  bool free(Node x, const std::set<Node>& same, const std::set<Node>& other) const {
    if (model_.ports == PortModel::All) return true;
    return !same.contains(x) && (model_.duplex == Duplex::Full || !other.contains(x));
  }
  Model model_;
  std::set<std::pair<Node, Node>> arcs_;
  std::set<Node> sends_, receives_;
};

/// Draws transfers round by round.
class Drawing {
 public:
  Drawing(std::mt19937& random, const Topology& topology, Collective collective, Model model)
      : random_(random),
        script_{topology, collective, model, static_cast<Node>(random() % topology.nodes()), {}},
        held_(topology.nodes()),
        everything_(model.combining && same_to_all(collective) && !pipelined() &&
                    random() % 4 == 0) {
    Schedule empty(topology, collective, model);
    empty.root = script_.root;
    for (Node x = 0; x < topology.nodes(); ++x) {
      for (const Message& m : own_messages(empty, x)) {
        held_[x].insert(m);
        if (same_to_all(collective)) {
          for (Node y = 0; y < topology.nodes(); ++y) wanted_ += y != x;
        } else {
          ++wanted_;
        }
      }
    }
    coming_ = held_;
  }

  /// Nothing if it takes too many rounds.
  std::optional<Script> run() {
    constexpr std::uint32_t kMostRounds = 200;
    for (round_ = 1; wanted_ > 0 && round_ <= kMostRounds; ++round_) {
      for (const auto& [node, message] : arrivals_[round_]) held_[node].insert(message);
      if (random_() % 8 == 0) continue;  // a round in which no transfer begins
      for (Node tries = 3 * script_.topology.nodes(); tries > 0; --tries) try_transfer();
    }
    return wanted_ == 0 ? std::optional(std::move(script_)) : std::nullopt;
  }

 private:
  bool pipelined() const { return script_.model.switching == Switching::Pipelined; }
  std::uint32_t round_of_hop(std::size_t hop) const {
    return round_ + (pipelined() ? static_cast<std::uint32_t>(hop) : 0);
  }
  Use& use(std::uint32_t round) { return uses_.try_emplace(round, script_.model).first->second; }

  /// A walk that does not turn back and uses free arcs; empty if it gets stuck.
  std::vector<Node> walk() {
    const Topology& t = script_.topology;
    const std::size_t hops = script_.model.switching == Switching::Packet ? 1 : 1 + random_() % 3;
    std::vector<Node> path = {static_cast<Node>(random_() % t.nodes())};
    while (path.size() <= hops) {
      const Endpoint e = t.peer(path.back(), static_cast<Port>(random_() % t.ports()));
      if (!e.connected() || std::ranges::find(path, e.node) != path.end()) return {};
      if (!use(round_of_hop(path.size() - 1)).arc_free(path.back(), e.node)) return {};
      path.push_back(e.node);
    }
    return path;
  }

  void try_transfer() {
    const std::vector<Node> path = walk();
    if (path.empty()) return;
    const std::size_t hops = path.size() - 1;
    const std::uint32_t last = round_of_hop(hops - 1);
    if (!use(round_).may_send(path.front()) || !use(last).may_receive(path.back())) return;
    Line line{round_, path, useful(path.front(), path.back()),
              everything_ ? Carry::Everything : Carry::Listed};
    if (line.messages.empty()) return;
    if (everything_) line.messages = {held_[path.front()].begin(), held_[path.front()].end()};
    for (std::size_t h = 0; h < hops; ++h) use(round_of_hop(h)).arc(path[h], path[h + 1]);
    use(round_).send(path.front());
    use(last).receive(path.back());
    deliver(line, last + 1 + (pipelined() ? kPipelinedStoreRounds : 0));
    if (everything_) line.messages.clear();
    script_.lines.push_back(std::move(line));
  }

  /// Messages that the destination lacks and needs, or could forward.
  std::vector<Message> useful(Node from, Node to) {
    std::vector<Message> messages;
    for (const Message& m : held_[from]) {
      if (coming_[to].contains(m) || m.origin == to) continue;
      const bool nearer =
          same_to_all(script_.collective) || m.destination == to || random_() % 4 == 0;
      if (nearer) messages.push_back(m);
    }
    std::ranges::shuffle(messages, random_);
    const bool several = script_.model.combining && !pipelined();
    const std::size_t most = several ? 1 + random_() % 3 : 1;
    if (messages.size() > most) messages.resize(most);
    return messages;
  }

  void deliver(const Line& line, std::uint32_t round) {
    const Node to = line.path.back();
    for (const Message& m : line.messages) {
      arrivals_[round].emplace_back(to, m);
      if (coming_[to].insert(m).second && (m.destination == to || m.destination == kNoNode)) {
        --wanted_;
      }
    }
  }

  std::mt19937& random_;
  Script script_;
  std::vector<std::set<Message>> held_;    ///< what can be sent in this round
  std::vector<std::set<Message>> coming_;  ///< and what is on its way
  bool everything_;                        ///< all transfers carry "*"
  std::uint32_t round_ = 1;
  std::uint64_t wanted_ = 0;
  std::map<std::uint32_t, Use> uses_;
  std::map<std::uint32_t, std::vector<std::pair<Node, Message>>> arrivals_;
};

Model random_model(std::mt19937& random) {
  Model model{random() % 2 == 0 ? PortModel::Single : PortModel::All,
              random() % 2 == 0 ? Duplex::Full : Duplex::Half, static_cast<Switching>(random() % 3),
              random() % 2 == 0};
  // With pipelined switching a half-duplex link turns in idle rounds only.
  if (model.switching == Switching::Pipelined) model.duplex = Duplex::Full;
  return model;
}

std::optional<Script> planned(std::mt19937& random, const Topology& topology) {
  const Request request{.topology = topology,
                        .collective = pick(random, kCollectives),
                        .ports = random() % 2 == 0 ? PortModel::Single : PortModel::All,
                        .duplex = random() % 2 == 0 ? Duplex::Full : Duplex::Half,
                        .root = static_cast<Node>(random() % topology.nodes())};
  const Algorithm& algorithm = pick(random, algorithms());
  if (algorithm.refuses(request) || algorithm.cuts) return std::nullopt;  // lines have no trees
  return script_of(algorithm.plan(request));
}

/// An adaptive gossip: in each round all nodes send through the same ports, until every port was
/// used.
Script adaptive_script(std::mt19937& random) {
  const Topology cube = Topology::parse(pick(random, kCubes));
  const bool single = random() % 2 == 0;
  Script script{
      cube,
      Collective::Gossip,
      {single ? PortModel::Single : PortModel::All, Duplex::Full, Switching::Packet, true},
      0,
      {}};
  const std::uint32_t all = (1u << cube.ports()) - 1;
  std::uint32_t used = 0;
  for (std::uint32_t round = 1; used != all; ++round) {
    const std::uint32_t ports = single ? 1u << random() % cube.ports() : random() & all;
    used |= ports;
    for (Node x = 0; x < cube.nodes(); ++x) {
      for (Port p = 0; p < cube.ports(); ++p) {
        if ((ports >> p & 1) == 0) continue;
        script.lines.push_back({round, {x, cube.peer(x, p).node}, {}, Carry::New});
      }
    }
  }
  return script;
}

}  // namespace

Script legal_script(std::mt19937& random, Port ports) {
  if (random() % 8 == 0) return adaptive_script(random);
  while (true) {
    const Topology topology = Topology::parse(pick(random, kTopologies));
    if (topology.ports() > ports) continue;
    const auto script =
        random() % 3 == 0
            ? planned(random, topology)
            : Drawing(random, topology, pick(random, kCollectives), random_model(random)).run();
    if (script && !script->lines.empty()) return *script;
  }
}

}  // namespace gossamer::properties
