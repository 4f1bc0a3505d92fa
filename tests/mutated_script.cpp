#include <algorithm>
#include <utility>

#include "random_schedules.hpp"

namespace gossamer::test {
namespace {

class Mutation {
 public:
  Mutation(Script& script, std::mt19937& random) : script_(script), random_(random) {}

  const char* plant() {
    constexpr std::pair<const char*, void (Mutation::*)()> kMutations[] = {
        {"drop", &Mutation::drop},
        {"double", &Mutation::repeat},
        {"shift", &Mutation::shift},
        {"change a message", &Mutation::change_message},
        {"add a message", &Mutation::add_message},
        {"take a message out", &Mutation::remove_message},
        {"change a hop", &Mutation::change_hop},
        {"swap", &Mutation::swap},
        {"extend a path", &Mutation::extend},
        {"shorten a path", &Mutation::shorten},
        {"turn a path round", &Mutation::reverse},
        {"merge rounds", &Mutation::merge},
        {"tear rounds apart", &Mutation::part},
        {"change the model", &Mutation::change_model},
        {"change to or from \"*\"", &Mutation::change_carry},
    };
    const auto& [name, change] = pick(random_, kMutations);
    (this->*change)();
    return name;
  }

 private:
  std::uint32_t below(std::size_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
  Line& any() { return script_.lines[below(script_.lines.size())]; }
  Node any_node() { return below(script_.topology.nodes()); }
  std::uint32_t last_round() const {
    return std::ranges::max_element(script_.lines, {}, &Line::round)->round;
  }
  Node neighbour(Node x) {
    while (true) {
      const Endpoint e = script_.topology.peer(x, below(script_.topology.ports()));
      if (e.connected()) return e.node;
    }
  }
  /// Seldom one that the collective does not have.
  Message any_message() {
    Message m{any_node(), kNoNode, below(script_.pieces)};
    const bool as_it_should_be = below(8) != 0;
    if (!same_to_all(script_.collective)) {
      m.destination = any_node();
      if (as_it_should_be && script_.collective == Collective::Scatter) m.origin = script_.root;
      if (as_it_should_be && script_.collective == Collective::Gather) m.destination = script_.root;
    }
    return m;
  }

  void drop() {
    if (script_.lines.size() < 2) return;
    script_.lines.erase(script_.lines.begin() + below(script_.lines.size()));
  }
  void repeat() {
    Line line = any();
    if (below(2) == 0) line.round = 1 + below(last_round() + 1);
    script_.lines.push_back(line);
  }
  void shift() {
    Line& line = any();
    const std::uint32_t by = 1 + below(3);
    line.round = below(2) == 0 || line.round <= by ? line.round + by : line.round - by;
  }
  void change_message() {
    Line& line = any();
    if (!line.messages.empty()) line.messages[below(line.messages.size())] = any_message();
  }
  void add_message() {
    Line& line = any();
    if (line.carry != Carry::Listed) return;
    line.messages.push_back(below(2) == 0 ? any_message() : line.messages.front());
  }
  void remove_message() {
    Line& line = any();
    if (line.messages.size() > 1) line.messages.erase(line.messages.begin());
  }
  void change_hop() {
    Line& line = any();
    const std::size_t at = below(line.path.size() + line.tree.size());
    if (at >= line.path.size()) {
      Branch& branch = line.tree[at - line.path.size()];
      if (below(2) == 0)
        branch.stored = !branch.stored;
      else
        branch.to = neighbour(branch.to);
      return;
    }
    const Node beside =
        line.path[at == 0 ? std::min<std::size_t>(1, line.path.size() - 1) : at - 1];
    line.path[at] = below(4) == 0 ? any_node() : neighbour(beside);
  }
  void swap() {
    Line &a = any(), &b = any();
    switch (below(3)) {
      case 0: return std::swap(a.round, b.round);
      case 1: std::swap(a.tree, b.tree); return std::swap(a.path, b.path);
      default: std::swap(a.messages, b.messages); std::swap(a.carry, b.carry);
    }
  }
  void extend() {
    Line& line = any();
    if (!line.tree.empty()) {
      const auto last = static_cast<std::uint32_t>(line.tree.size() - 1);
      line.tree.push_back({neighbour(line.tree[last].to), last, below(4) != 0});
      return;
    }
    for (std::size_t hops = 1 + below(2); hops > 0; --hops) {
      line.path.push_back(neighbour(line.path.back()));
    }
  }
  void shorten() {
    Line& line = any();
    if (line.path.size() > 2) line.path.pop_back();
    if (line.tree.size() > 1) line.tree.pop_back();
  }
  void reverse() { std::ranges::reverse(any().path); }
  void merge() {
    const std::uint32_t round = any().round;
    for (Line& line : script_.lines) line.round -= line.round > round;
  }
  void part() {
    const std::uint32_t round = any().round;
    for (Line& line : script_.lines) {
      line.round += line.round > round || (line.round == round && below(2));
    }
  }
  void change_model() {
    Model& m = script_.model;
    switch (below(4)) {
      case 0: m.ports = m.ports == PortModel::All ? PortModel::Single : PortModel::All; break;
      case 1: m.duplex = m.duplex == Duplex::Full ? Duplex::Half : Duplex::Full; break;
      case 2:
        m.switching = static_cast<Switching>(below(reduces(script_.collective) ? 2 : 3));
        break;
      default: m.combining = !m.combining;
    }
  }
  void change_carry() {
    if (reduces(script_.collective)) return;
    Line& line = any();
    line.carry = line.carry == Carry::Listed ? Carry::Everything : Carry::Listed;
    line.messages.clear();
    if (line.carry == Carry::Listed) line.messages.push_back(any_message());
  }

  Script& script_;
  std::mt19937& random_;
};

}  // namespace

std::string mutate(Script& script, std::mt19937& random) {
  std::string done;
  for (std::size_t count = 1 + random() % 3; count > 0; --count) {
    if (!done.empty()) done += ", ";
    done += Mutation(script, random).plant();
  }
  return done;
}

}  // namespace gossamer::test
