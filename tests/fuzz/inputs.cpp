#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "driver/case.hpp"
#include "driver/suite.hpp"
#include "schedule/faults.hpp"
#include "targets.hpp"
#include "topology/topology.hpp"

namespace gossamer::fuzz {
namespace {

/// Drawing takes time and memory that grow with the number of nodes.
constexpr Node kMostNodes = 4096;
constexpr std::uint32_t kSeed = 7;

template <typename T>
bool sorted_once(const std::vector<T>& list) {
  return std::ranges::adjacent_find(list, std::greater_equal<>()) == list.end();
}

void demand_sound(const FaultSet& set, const Topology& t) {
  demand(sorted_once(set.nodes) && sorted_once(set.arcs), "faults should be sorted, each once");
  for (const Node x : set.nodes) demand(x < t.nodes(), "a fault names a node that does not exist");
  for (const Arc& a : set.arcs) {
    demand(a.from < t.nodes() && a.to < t.nodes() && t.port_to(a.from, a.to) != kNoPort,
           "a fault names a link that does not exist");
    demand(set.dead(a.from, a.to) && set.silent(a.from, a.to), "a dead arc should be dead");
  }
  for (const Node x : set.nodes) demand(set.dead(x), "a dead node should be dead");
}

}  // namespace

void faults(std::string_view input) {
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos) return;
  const auto t = answer("", [&] { return Topology::parse(input.substr(0, end)); });
  if (!t || t->nodes() > kMostNodes) return;
  const std::string_view text = input.substr(end + 1);
  const auto set = answer("faults: ", [&] { return parse_faults(text, *t, kSeed); });
  if (!set) return;
  demand_sound(*set, *t);
  demand(parse_faults(text, *t, kSeed) == *set, "the same text should draw the same faults");
  FaultSet written = parse_faults(to_string(*set), *t, kSeed);
  if (set->empty() && written.empty()) written = *set;  // but for when it begins
  demand(written == *set, "faults written and read again should be the same: " + to_string(*set));
  const auto spared = answer("faults: ", [&] { return parse_faults(text, *t, kSeed, Node{0}); });
  if (spared) demand_sound(*spared, *t);
}

}  // namespace gossamer::fuzz

namespace gossamer::fuzz {
namespace {

/// A TOML string; a text read from a suite has no line ends.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const unsigned char c : text) {
    if (c < ' ' || c == '"' || c == '\\' || c == 0x7f) {
      out += fmt::format("\\u{:04x}", c);
    } else {
      out += static_cast<char>(c);
    }
  }
  return out + '"';
}

/// The case as a table of a suite in the folder `here`.
std::string table_of(const Case& c, const std::filesystem::path& here) {
  std::string text = "[[case]]\nname = " + quoted(c.name) + "\n";
  const auto beside = [&](const std::string& file) {
    return std::filesystem::path(file).lexically_relative(here).string();
  };
  Case near = c;
  if (!c.file.empty()) near.file = beside(c.file);
  if (c.topology.starts_with("edges:")) near.topology = "edges:" + beside(c.topology.substr(6));
  if (c.members.starts_with("@")) near.members = "@" + beside(c.members.substr(1));
  for (const CaseField& field : case_fields()) {
    const std::string value = field.text(near);
    if (value.empty()) continue;
    const bool list = field.name == "cycle" || field.name == "link_stages";
    text += fmt::format("{} = {}\n", field.name,
                        !field.bare ? quoted(value)
                        : list      ? "[" + value + "]"
                                    : value);
  }
  return text;
}

void demand_same(const Case& a, const Case& b) {
  const auto key = [](const Case& c) { return table_of(c, "/"); };
  demand(key(a) == key(b), "a case written and read again should be the same: " + key(a) + key(b));
}

}  // namespace

void suite(std::string_view input) {
  const std::string file = scratch_folder().file("suite.toml", input);
  const auto suite = answer(file + ":", [&] { return read_suite(file); });
  if (!suite) return;
  const std::vector<SuiteCase>& cases = suite->cases;
  std::string text;
  for (const SuiteCase& c : cases) {
    demand(c.place.starts_with(file + ":"), "a case should know its place");
    demand(select_cases(cases, {c.request.name}).size() >= 1, "a case should be found by its name");
    text += table_of(c.request, std::filesystem::path(file).parent_path());
  }
  const auto again = read_suite(scratch_folder().file("again.toml", text)).cases;
  demand(again.size() == cases.size(), "a suite written and read again should have as many cases");
  for (std::size_t i = 0; i < again.size(); ++i) demand_same(cases[i].request, again[i].request);
}

}  // namespace gossamer::fuzz

namespace gossamer::fuzz {
namespace {

/// The most link ends that are checked one by one.
constexpr std::uint64_t kFewLinkEnds = 1000;

void demand_link(const Topology& t, Node x, Port p) {
  const Endpoint e = t.peer(x, p);
  if (!e.connected()) return;
  const auto at = [&] { return fmt::format("port {} of node {} of {}", p, x, t.spec()); };
  demand(e.node < t.nodes() && e.port < t.ports(), at() + " leads outside");
  demand(e.node != x, at() + " leads back to its own node");
  demand(t.peer(e.node, e.port) == Endpoint{x, p}, at() + " is not its neighbour's neighbour");
  demand(t.sends(x, p) || t.sends(e.node, e.port), at() + " leads neither way");
  if (!t.sends(x, p)) return;
  std::uint32_t lane = 0;  // several links between two nodes are numbered from 0 on
  while (t.port_to(x, e.node, lane) != p && t.port_to(x, e.node, lane) != kNoPort) ++lane;
  demand(t.port_to(x, e.node, lane) == p, at() + " is not the port of a link to its neighbour");
}

void demand_connected(const Topology& t) {
  std::vector<bool> seen(t.nodes(), false);
  std::vector<Node> stack = {0};
  seen[0] = true;
  Node reached = 0;
  while (!stack.empty()) {
    const Node x = stack.back();
    stack.pop_back();
    ++reached;
    for (Port p = 0; p < t.ports(); ++p) {
      const Endpoint e = t.peer(x, p);
      if (!e.connected() || seen[e.node]) continue;
      seen[e.node] = true;
      stack.push_back(e.node);
    }
  }
  demand(reached == t.nodes(), t.spec() + " is not connected");
}

/// Translations form a group and map links to links.
void demand_translations(const Topology& t, Node by) {
  demand(t.translate(by, t.negate(by)) == 0, "a translation and its inverse do not cancel");
  for (Port p = 0; p < t.ports(); ++p) {
    const Endpoint e = t.peer(0, p);
    const Endpoint moved = t.peer(t.translate(0, by), p);
    demand(e.connected() == moved.connected(), "a translation takes a link to none");
    if (e.connected()) demand(t.translate(e.node, by) == moved.node, "a translation breaks a link");
  }
}

}  // namespace

void demand_consistent(const Topology& t) {
  demand(t.nodes() >= 2 && t.ports() >= 1, t.spec() + " has no link");
  const bool small = std::uint64_t{t.nodes()} * t.ports() <= kFewLinkEnds;
  const Node step = small ? 1 : 1 + t.nodes() / 16;
  for (std::uint64_t x = 0; x < t.nodes(); x += step) {
    const Node node = static_cast<Node>(x);
    Port degree = 0;
    for (Port p = 0; p < t.ports(); ++p) {
      demand_link(t, node, p);
      degree += t.peer(node, p).connected();
      if (!small && p > 62) break;
    }
    if (small) demand(degree == t.degree(node), "degree() counts other links than there are");
    if (t.translatable()) demand_translations(t, node);
  }
  if (small) demand_connected(t);
}

void topology(std::string_view input) {
  // Messages about edge files name other places.
  const bool file = input.find("edges:") != std::string_view::npos;
  const auto t = answer(file ? "" : "topology '", [&] { return Topology::parse(input); });
  if (!t) return;
  demand(t->spec() == input, "a topology should keep its text");
  demand_consistent(*t);
}

void edges(std::string_view input) {
  const std::string file = scratch_folder().file("edges.json", input);
  const auto t = answer(file + ": ", [&] { return Topology::parse("edges:" + file); });
  if (!t) return;
  demand_consistent(*t);
  const std::string text = edges_text(*t);
  if (text.empty()) return;
  const std::string again = scratch_folder().file("again.json", text);
  demand(t->factors()[0].peers == Topology::parse("edges:" + again).factors()[0].peers,
         "edges written and read again should make the same graph");
}

std::string edges_text(const Topology& t) {
  if (std::uint64_t{t.nodes()} * t.ports() > kFewLinkEnds) return "";
  std::string list;
  const auto& stages = t.factors()[0].stages;
  for (Node x = 0; x < t.nodes(); ++x) {
    for (Port p = 0; p < t.ports(); ++p) {
      const Endpoint e = t.peer(x, p);
      if (!t.sends(x, p)) continue;
      const bool back = t.sends(e.node, e.port);
      if (back && x > e.node) continue;
      list += fmt::format(R"(,{{"link":[{},{}],"stages":{},"one_way":{}}})", x, e.node,
                          stages.empty() ? 0 : stages[p], !back);
    }
  }
  return fmt::format("{{\"n\":{},\"edges\":[{}]}}", t.nodes(), list.substr(1));
}

}  // namespace gossamer::fuzz
