#include "mutation.hpp"

#include <algorithm>
#include <utility>

namespace gossamer::properties {
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
    const auto& [name, change] = kMutations[below(std::size(kMutations))];
    (this->*change)();
    return name;
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }
  Line& any() { return script_.lines[below(script_.lines.size())]; }
  Node any_node() { return static_cast<Node>(below(script_.topology.nodes())); }
  std::uint32_t last_round() const {
    return std::ranges::max_element(script_.lines, {}, &Line::round)->round;
  }
  Node neighbour(Node x) {
    while (true) {
      const auto port = static_cast<Port>(below(script_.topology.ports()));
      const Endpoint e = script_.topology.peer(x, port);
      if (e.connected()) return e.node;
    }
  }
  Message any_message() {
    if (same_to_all(script_.collective)) return {any_node(), kNoNode};
    const Message m{any_node(), any_node()};
    if (script_.collective == Collective::Scatter && below(4) != 0) {
      return {script_.root, m.destination};
    }
    if (script_.collective == Collective::Gather && below(4) != 0) return {m.origin, script_.root};
    return m;
  }

  void drop() {
    if (script_.lines.size() < 2) return;
    const auto at = static_cast<std::ptrdiff_t>(below(script_.lines.size()));
    script_.lines.erase(script_.lines.begin() + at);
  }
  void repeat() {
    Line line = any();
    if (below(2) == 0) line.round = static_cast<std::uint32_t>(1 + below(last_round() + 1));
    script_.lines.push_back(line);
  }
  void shift() {
    Line& line = any();
    const auto by = static_cast<std::uint32_t>(1 + below(3));
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
    std::vector<Node>& path = any().path;
    const std::size_t at = below(path.size());
    path[at] = below(4) == 0 ? any_node() : neighbour(path[at == 0 ? 1 : at - 1]);
  }
  void swap() {
    Line &a = any(), &b = any();
    switch (below(3)) {
      case 0: return std::swap(a.round, b.round);
      case 1: return std::swap(a.path, b.path);
      default: std::swap(a.messages, b.messages); std::swap(a.carry, b.carry);
    }
  }
  void extend() {
    std::vector<Node>& path = any().path;
    for (std::size_t hops = 1 + below(2); hops > 0; --hops) path.push_back(neighbour(path.back()));
  }
  void shorten() {
    std::vector<Node>& path = any().path;
    if (path.size() > 2) path.pop_back();
  }
  void reverse() { std::ranges::reverse(any().path); }
  void merge() {
    const std::uint32_t round = any().round;
    for (Line& line : script_.lines) line.round -= line.round > round;
  }
  void part() {
    const std::uint32_t round = any().round;
    for (Line& line : script_.lines)
      line.round += line.round > round || (line.round == round && below(2));
  }
  void change_model() {
    Model& m = script_.model;
    switch (below(4)) {
      case 0: m.ports = m.ports == PortModel::All ? PortModel::Single : PortModel::All; break;
      case 1: m.duplex = m.duplex == Duplex::Full ? Duplex::Half : Duplex::Full; break;
      case 2: m.switching = static_cast<Switching>(below(3)); break;
      default: m.combining = !m.combining;
    }
  }
  void change_carry() {
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

}  // namespace gossamer::properties
