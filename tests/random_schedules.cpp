#include "random_schedules.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "schedule/chunks.hpp"
#include "schedule/jsonl.hpp"

namespace gossamer::test {
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
                                       "ghc:3x4",
                                       "ccc:2",
                                       "butterfly:2",
                                       "debruijn:3",
                                       "torus:2x2x3",
                                       "product:ring:3,path:2",
                                       "product:complete:3,ring:4",
                                       "edges:tests/data/ladder.json"};
/// Doubled and one-way links, and some of more stages.
constexpr const char* kOddGraphs[] = {"edges:tests/data/doubled-path-3.json",
                                      "edges:tests/data/one-way-6.json",
                                      "edges:tests/data/stages-path-3.json"};

constexpr Collective kSpreads[] = {Collective::Gossip, Collective::Broadcast, Collective::Scatter,
                                   Collective::TotalExchange, Collective::Gather};
constexpr Collective kSums[] = {Collective::Reduce, Collective::ReduceScatter,
                                Collective::AllReduce};
constexpr Operator kOperators[] = {
    Operator::OP_SUM,  Operator::OP_SUM16, Operator::OP_SUM8, Operator::OP_MIN, Operator::OP_MAX,
    Operator::OP_MINU, Operator::OP_MAXU,  Operator::OP_AND,  Operator::OP_OR,  Operator::OP_XOR};

/// Links that lead from one node to another, those of both directions, and those that connect them.
struct Links {
  Node there = 0, back = 0, all = 0;
  Links(const Topology& t, Node from, Node to) {
    for (Port p = 0; p < t.ports(); ++p) {
      if (t.peer(from, p).node != to) continue;
      ++all;
      there += t.sends(from, p) ? 1 : 0;
      const Endpoint end = t.peer(from, p);
      back += t.sends(end.node, end.port) ? 1 : 0;
    }
  }
};

/// What is used in a round.
class Use {
 public:
  Use(const Topology& topology, const Model& model) : topology_(&topology), model_(&model) {}

  /// False if it does not go.
  bool arc(Node from, Node to) {
    const Links links(*topology_, from, to);
    const Node there = ++arcs_[{from, to}];
    const Node back = used(to, from);
    return there <= links.there && (model_->duplex == Duplex::Full || there + back <= links.all);
  }
  Node used(Node from, Node to) const {
    return arcs_.contains({from, to}) ? arcs_.at({from, to}) : 0;
  }
  bool send(Node x) { return take(x, sends_, receives_); }
  bool receive(Node x) { return take(x, receives_, sends_); }

 private:
  bool take(Node x, std::set<Node>& same, const std::set<Node>& other) const {
    const bool is_new = same.insert(x).second;
    if (model_->ports == PortModel::All) return true;
    return is_new && (model_->duplex == Duplex::Full || !other.contains(x));
  }
  const Topology* topology_;
  const Model* model_;
  std::map<std::pair<Node, Node>, Node> arcs_;
  std::set<Node> sends_, receives_;
};

/// Whose parts are in what a node holds of a message: of a sum a bit for each member, else one bit.
using Parts = std::uint64_t;
using Held = std::map<Message, Parts>;

Parts parts_in(const Held& held, const Message& m) { return held.contains(m) ? held.at(m) : 0; }

/// In the end all of a sum comes together in one node. Each other node sends what it holds to its
/// parent when all its children have, and is then free to take part in whatever is legal.
struct SumTree {
  std::vector<Node> parent;
  std::vector<Parts> below;  ///< by node: parts that it sends on
  std::vector<bool> sent;
};

/// Draws transfers round by round.
class Drawing {
 public:
  Drawing(std::mt19937& random, Script script, const Kinds& kinds)
      : random_(random),
        kinds_(kinds),
        script_(std::move(script)),
        empty_(script_.without_lines()),
        sums_(reduces(script_.collective)),
        moves_(empty_.symmetry().elements()),
        held_(script_.topology.nodes()) {
    if (kinds.everything && script_.model.combining && !sums_) star_ = below(4);
    patient_ = below(2) == 0;
    for (Node x = 0; x < script_.topology.nodes(); ++x) {
      for_each_initial(empty_, x, [&](const Message& m) {
        held_[x][m] = sums_ ? Parts{1} << x : 1;
        all_[m] |= held_[x][m];
      });
    }
    coming_ = held_;
    if (sums_) plant_trees();
  }

  /// False if it takes too many rounds.
  bool run() {
    const std::uint32_t last = kinds_.complete ? 250 : 1 + below(5);
    for (round_ = 1; round_ <= last && !done(); ++round_) {
      arrive();
      if (below(8) == 0) continue;  // a round in which no transfer begins
      const Node tries =
          kinds_.complete ? (sums_ ? 8 : 4) * script_.topology.nodes() : 2 + below(12);
      for (Node i = 0; i < tries; ++i) try_transfer();
    }
    return done() || !kinds_.complete;
  }
  Script script() && { return std::move(script_); }

 private:
  std::uint32_t below(std::size_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
  bool pipelined() const { return script_.model.switching == Switching::Pipelined; }
  Node any_node() { return below(script_.topology.nodes()); }
  std::optional<Node> next(Node x) {
    const Port p = below(script_.topology.ports());
    if (!script_.topology.sends(x, p)) return std::nullopt;
    return script_.topology.peer(x, p).node;
  }

  bool done() const {
    for (Node x = 0; x < held_.size(); ++x) {
      bool whole = true;
      for_each_expected(empty_, x, [&](const Message& m) {
        return whole = parts_in(coming_[x], m) == all_.at(m);
      });
      if (!whole) return false;
    }
    return true;
  }

  /// A walk that does not turn back; empty if it gets stuck.
  std::vector<Node> walk() {
    const std::size_t hops = script_.model.switching == Switching::Packet ? 1 : 1 + below(4);
    std::vector<Node> path = {any_node()};
    while (path.size() <= hops) {
      const auto to = next(path.back());
      if (!to || (path.size() > 1 && *to == path[path.size() - 2])) return {};
      if (std::ranges::find(path, *to) != path.end() && below(4) != 0) return {};
      path.push_back(*to);
    }
    return path.front() == path.back() ? std::vector<Node>{} : path;
  }
  /// A tree, or a path that is stored on its way.
  std::vector<Branch> tree(Node source) {
    std::vector<Branch> branches;
    std::vector<Node> reached = {source};
    for (std::size_t tries = 2 + below(8); tries > 0; --tries) {
      const std::size_t from = below(3) == 0 ? below(reached.size()) : reached.size() - 1;
      const auto to = next(reached[from]);
      if (!to || std::ranges::find(reached, *to) != reached.end()) continue;
      const auto before = static_cast<std::uint32_t>(from) - 1;  // of the source: kNone
      if (script_.model.ports == PortModel::Single &&
          std::ranges::find(branches, before, &Branch::before) != branches.end()) {
        continue;
      }
      branches.push_back({*to, before, below(2) == 0});
      reached.push_back(*to);
    }
    for (std::uint32_t i = 0; i < branches.size(); ++i) {
      const bool ends = std::ranges::find(branches, i, &Branch::before) == branches.end();
      branches[i].stored = branches[i].stored || ends;
    }
    return branches;
  }

  void try_transfer() {
    Line line{round_, walk()};
    if (line.path.empty()) return;
    if (kinds_.trees && script_.model.switching != Switching::Packet && below(2) == 0) {
      line.tree = tree(line.path[0]);
      if (line.tree.empty()) return;
      line.path.resize(1);
    }
    Schedule one = empty_;
    add(one, line);
    const TransferHops stored = one.stored_hops(one.transfers()[0]);
    std::vector<Node> ends;
    for (const TransferHop hop : stored) ends.push_back(hop.to);
    line.messages = messages(line.path[0], ends);
    if (line.messages.empty()) return;
    if (star_ != 0 && below(3) < star_) {
      const Held& all = held_[line.path[0]];
      if (!pipelined() || all.size() == 1) line.carry = Carry::Everything;
    }
    std::map<std::uint32_t, Use> changed;
    if (!fits(one, changed)) return;
    for (auto& [round, use] : changed) uses_.insert_or_assign(round, std::move(use));
    deliver(one, line);
    if (line.carry == Carry::Everything) line.messages.clear();
    script_.lines.push_back(std::move(line));
  }

  static void add(Schedule& to, const Line& line) {
    if (line.tree.empty()) return to.add(line.round, line.path, line.messages);
    to.add_tree(line.round, line.path[0], line.tree, line.messages);
  }

  Node moved(Node x, Node by) const {
    return by == 0 || x == kNoNode ? x : script_.topology.translate(x, by);
  }

  /// Do all translations of the transfer, with what has been drawn, keep rules 2 to 4? `changed`:
  /// the rounds that they change.
  bool fits(const Schedule& one, std::map<std::uint32_t, Use>& changed) {
    const Transfer& t = one.transfers()[0];
    const auto use = [&](std::uint32_t round) -> Use& {
      const Use& drawn = uses_.try_emplace(round, script_.topology, script_.model).first->second;
      return changed.try_emplace(round, drawn).first->second;
    };
    for (const Node by : moves_) {
      if (!use(t.round).send(moved(one.source(t), by))) return false;
      for (const TransferHop hop : one.hops(t)) {
        const std::uint32_t round = one.round_of(t, hop);
        const Node from = moved(hop.from, by), to = moved(hop.to, by);
        if (!use(round).arc(from, to)) return false;
        if (hop.stored && !use(round).receive(to)) return false;
        if (turns(changed, round, from, to)) return false;
      }
    }
    return true;
  }
  /// Does a half-duplex link turn before so many idle rounds as hardware needs? Half of the
  /// schedules do not mind.
  bool turns(const std::map<std::uint32_t, Use>& changed, std::uint32_t round, Node from,
             Node to) const {
    const std::uint32_t idle = script_.model.hop_rounds;
    if (!patient_ || !pipelined() || script_.model.duplex == Duplex::Full) return false;
    const auto used = [&](const std::map<std::uint32_t, Use>& uses) {
      const auto first = uses.lower_bound(round > idle ? round - idle : 0);
      return std::any_of(first, uses.upper_bound(round + idle),
                         [&](const auto& use) { return use.second.used(to, from) > 0; });
    };
    return used(uses_) || used(changed);
  }

  /// What the ends lack and need, or could forward.
  std::vector<Message> messages(Node from, const std::vector<Node>& ends) {
    std::vector<Message> all;
    for (const auto& [m, parts] : held_[from]) {
      const auto may = [&, m = m](Node end) { return !sums_ || may_add(m, from, end); };
      const auto gains = [&, m = m](Node end) { return useful(m, from, end); };
      if (std::ranges::all_of(ends, may) && std::ranges::any_of(ends, gains)) all.push_back(m);
    }
    std::ranges::shuffle(all, random_);
    const std::size_t most = script_.model.combining && !pipelined() ? 1 + below(3) : 1;
    if (all.size() > most) all.resize(most);
    return all;
  }
  bool is_up(const SumTree& tree, const Message& m, Node from, Node to) const {
    return tree.parent[from] == to && !tree.sent[from] &&
           parts_in(held_[from], m) == tree.below[from];
  }
  bool may_add(const Message& m, Node from, Node to) {
    const Parts parts = parts_in(held_[from], m);
    if (parts == all_[m]) return true;
    const SumTree& tree = trees_[m];
    return (parts & parts_in(coming_[to], m)) == 0 && (tree.sent[to] || is_up(tree, m, from, to));
  }
  bool useful(const Message& m, Node from, Node to) {
    if (sums_ && parts_in(held_[from], m) != all_[m]) {
      return is_up(trees_[m], m, from, to) || whole_comes_.contains({to, m}) || below(3) == 0;
    }
    if (parts_in(coming_[to], m) == all_[m]) return below(30) == 0;
    return m.destination == kNoNode || m.destination == to || below(4) == 0;
  }

  void deliver(const Schedule& one, const Line& line) {
    const Transfer& t = one.transfers()[0];
    for (const Node by : moves_) {
      const Node from = moved(line.path[0], by);
      Held carried = line.carry == Carry::Everything ? held_[from] : Held{};
      for (const Message& m : line.messages) {
        const Message its{moved(m.origin, by), moved(m.destination, by), m.piece};
        carried[its] = parts_in(held_[from], its);
      }
      for (const TransferHop hop : one.stored_hops(t)) {
        const Node to = moved(hop.to, by);
        for (const auto& [m, parts] : carried) {
          arrivals_[one.stored_round(t, hop) + 1].push_back({to, m, parts});
          // A part may come with the whole, which takes its place.
          if (!sums_ || parts != all_[m]) coming_[to][m] |= parts;
          if (sums_ && parts == all_[m]) whole_comes_.insert({to, m});
          if (!sums_ || parts == all_[m]) continue;
          if (is_up(trees_[m], m, from, to)) trees_[m].sent[from] = true;
        }
      }
    }
  }
  void arrive() {
    whole_comes_.clear();
    for (const auto& [to, m, parts] : arrivals_[round_]) {
      held_[to][m] |= parts;
      coming_[to][m] |= parts;
    }
  }

  void plant_trees() {
    const Node nodes = script_.topology.nodes();
    for (const auto& [m, parts] : all_) {
      SumTree& tree = trees_[m];
      tree.parent.assign(nodes, kNoNode);
      tree.below.assign(nodes, 0);
      tree.sent.assign(nodes, false);
      const Node collector = script_.collective == Collective::AllReduce ? any_node() : m.origin;
      std::vector<Node> order = {collector};
      while (order.size() < nodes) {
        const Node x = any_node();
        const auto to = next(x);
        if (!to || x == collector || tree.parent[x] != kNoNode) continue;
        if (*to != collector && tree.parent[*to] == kNoNode) continue;
        tree.parent[x] = *to;
        order.push_back(x);
      }
      for (auto x = order.rbegin(); x != order.rend(); ++x) {
        tree.below[*x] |= parts_in(held_[*x], m);
        if (*x != collector) tree.below[tree.parent[*x]] |= tree.below[*x];
        tree.sent[*x] = *x != collector && tree.below[*x] == 0;
      }
    }
  }

  struct Arrival {
    Node to;
    Message message;
    Parts parts;
  };
  std::mt19937& random_;
  Kinds kinds_;
  Script script_;
  Schedule empty_;
  bool sums_;
  std::vector<Node> moves_;  ///< translations
  std::uint32_t star_ = 0;   ///< of three transfers so many carry "*"
  bool patient_ = false;
  std::map<Message, Parts> all_;
  std::map<Message, SumTree> trees_;
  std::vector<Held> held_;                          ///< what can be sent in this round
  std::vector<Held> coming_;                        ///< and what is on its way
  std::set<std::pair<Node, Message>> whole_comes_;  ///< in this round
  std::uint32_t round_ = 1;
  std::map<std::uint32_t, Use> uses_;
  std::map<std::uint32_t, std::vector<Arrival>> arrivals_;  ///< by the round that can send it on
};

std::vector<Node> some_nodes(std::mt19937& random, std::vector<Node> from, std::size_t count) {
  std::ranges::shuffle(from, random);
  from.resize(std::min(from.size(), count));
  return from;
}

Members random_members(std::mt19937& random, const Topology& topology) {
  std::vector<Node> all;
  for (Node x = 0; x < topology.nodes(); ++x) all.push_back(x);
  const auto some = some_nodes(random, all, 2 + random() % topology.nodes());
  if (some.size() < 4 || random() % 2 == 0) return Members(some, topology);
  const auto middle = some.begin() + 2 + static_cast<std::ptrdiff_t>(random() % (some.size() - 3));
  return Members({{some.begin(), middle}, {middle, some.end()}}, topology);
}

/// Of the messages that there are; the longest has as many flits as pieces at least.
Sizes random_sizes(std::mt19937& random, const Script& script) {
  const Node nodes = script.topology.nodes();
  const bool pairs = !same_to_all(script.collective);
  std::vector<std::uint32_t> flits(pairs ? nodes * nodes : nodes);
  std::uint32_t* last = nullptr;
  const Schedule empty = script.without_lines();
  for (Node x = 0; x < nodes; ++x) {
    for_each_initial(empty, x, [&](const Message& m) {
      last = &flits[pairs ? m.origin * nodes + m.destination : m.origin];
      *last = random() % 5;
    });
  }
  *last = std::max(*last, script.pieces + static_cast<std::uint32_t>(random() % 2));
  return Sizes(nodes, flits);
}

Script random_start(std::mt19937& random, const Model& model, const Kinds& kinds) {
  const auto one_in = [&](unsigned n) { return random() % n == 0; };
  const bool odd = kinds.odd_graphs && one_in(4);
  Topology topology = Topology::parse(odd ? pick(random, kOddGraphs) : pick(random, kTopologies));
  while (topology.ports() > kinds.ports) topology = Topology::parse(pick(random, kTopologies));
  Script script{topology, pick(random, kSpreads), model};
  if (kinds.sums && model.switching != Switching::Pipelined && one_in(2)) {
    script.collective = pick(random, kSums);
    script.op = pick(random, kOperators);
  }
  if (kinds.hop_rounds && model.switching == Switching::Pipelined) {
    script.model.hop_rounds = 1 + random() % 3;
  }
  script.root = static_cast<Node>(random() % topology.nodes());
  if (kinds.pieces && one_in(3)) script.pieces = 1 + random() % 4;
  if (kinds.members && one_in(4)) {
    script.members = random_members(random, topology);
    script.root = script.members[0];
  }
  const bool blocks = script.collective == Collective::ReduceScatter;
  if (kinds.sizes && one_in(4) && (blocks || !reduces(script.collective))) {
    script.sizes = random_sizes(random, script);
  }
  const bool may_move = topology.translatable() && !has_root(script.collective) &&
                        script.members.all() && script.sizes.equal() && !reduces(script.collective);
  if (kinds.orbits && may_move && one_in(2)) {
    script.translations = {static_cast<Node>(random() % topology.nodes())};
  }
  return script;
}

}  // namespace

Script random_script(std::mt19937& random, const Model& model, const Kinds& kinds) {
  while (true) {
    Drawing drawing(random, random_start(random, model, kinds), kinds);
    if (!drawing.run()) continue;
    Script script = std::move(drawing).script();
    if (!script.lines.empty()) return script;
  }
}

Script adaptive_script(std::mt19937& random) {
  constexpr const char* kCubes[] = {"hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4"};
  const Topology cube = Topology::parse(pick(random, kCubes));
  const bool single = random() % 2 == 0;
  Script script{
      cube,
      Collective::Gossip,
      {single ? PortModel::Single : PortModel::All, Duplex::Full, Switching::Packet, true}};
  const std::uint32_t all = (1u << cube.ports()) - 1;
  std::uint32_t used = 0;
  for (std::uint32_t round = 1; used != all; ++round) {
    const std::uint32_t ports = single ? 1u << random() % cube.ports() : random() & all;
    used |= ports;
    for (Node x = 0; x < cube.nodes(); ++x) {
      for (Port p = 0; p < cube.ports(); ++p) {
        if ((ports >> p & 1) == 0) continue;
        script.lines.push_back({round, {x, cube.peer(x, p).node}, {}, {}, Carry::New});
      }
    }
  }
  return script;
}

Script shuffled(Script script, std::mt19937& random) {
  if (script.topology.parallel()) return script;
  std::ranges::shuffle(script.lines, random);
  return script;
}

Schedule Script::without_lines() const {
  Schedule s(topology, collective, model, Symmetry(topology, translations));
  s.root = root;
  s.members = members;
  s.sizes = sizes;
  s.op = op;
  if (pieces > 1) s.cut(pieces);
  return s;
}

Schedule Script::schedule() const {
  Schedule s = without_lines();
  std::vector<std::uint32_t> order(lines.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return lines[i].round; });
  for (const std::uint32_t i : order) {
    const Line& line = lines[i];
    const std::uint32_t number = i + 2;  // the first line describes the others
    if (!line.tree.empty()) {
      s.add_tree(line.round, line.path[0], line.tree, line.messages, line.carry, number);
    } else if (line.carry == Carry::Listed) {
      s.add(line.round, line.path, line.messages, number);
    } else if (line.carry == Carry::Everything) {
      s.add_everything(line.round, line.path, number);
    } else {
      s.add_new(line.round, line.path, number);
    }
  }
  return s;
}

std::string Script::text() const {
  std::ostringstream out;
  write_jsonl(schedule(), out);
  return out.str();
}

Script script_of(const Schedule& given) {
  const Schedule s = without_orbits(given);
  Script script{s.topology(), s.collective(), s.model(),  {},  s.root,
                s.members,    s.sizes,        s.pieces(), s.op};
  for (const Transfer& t : s.transfers()) {
    Line line{t.round, {s.source(t)}};
    for (const TransferHop hop : s.hops(t)) {
      if (t.tree) line.tree.push_back({hop.to, hop.before, hop.stored});
      if (!t.tree) line.path.push_back(hop.to);
    }
    const auto messages = s.messages(t);
    line.messages.assign(messages.begin(), messages.end());
    line.carry = t.carry;
    script.lines.push_back(std::move(line));
  }
  return script;
}

std::vector<Model> all_models(bool runnable) {
  std::vector<Model> models;
  for (const PortModel ports : {PortModel::Single, PortModel::All}) {
    for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
      for (const Switching switching :
           {Switching::Packet, Switching::Circuit, Switching::Pipelined}) {
        for (const bool combining : {false, true}) {
          if (runnable && switching == Switching::Pipelined && duplex == Duplex::Half) continue;
          models.push_back({ports, duplex, switching, combining});
        }
      }
    }
  }
  return models;
}

std::string name_of(const Model& m) {
  return std::string(to_string(m.ports)) + ", " + std::string(to_string(m.duplex)) + ", " +
         std::string(to_string(m.switching)) + (m.combining ? ", combining" : "");
}

}  // namespace gossamer::test
