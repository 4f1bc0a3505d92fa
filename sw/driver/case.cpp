#include "driver/case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "schedule/chunks.hpp"
#include "schedule/jsonl.hpp"
#include "support/file.hpp"
#include "support/refuse.hpp"
#include "support/words.hpp"
#include "tables/compiler.hpp"
#include "topology/families.hpp"
#include "topology/topology.hpp"

namespace gossamer {
namespace {

constexpr std::array<std::string_view, 3> kBest = {"cycles", "rounds", "tables"};

constexpr std::string_view kBlank = " \t\r\n,";

std::vector<std::string> words_of(const std::string& text, std::string_view separators) {
  std::vector<std::string> words;
  std::size_t begin = text.find_first_not_of(separators);
  while (begin != std::string::npos) {
    const std::size_t end = text.find_first_of(separators, begin);
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(separators, end);
  }
  return words;
}

std::string content_of(const std::string& option, const std::string& file) {
  try {
    return read_file(file);
  } catch (const InputError& error) {
    refuse("{}: no list of nodes, and no file of them: {}", option, error.what());
  }
}

}  // namespace

std::uint64_t number(const std::string& option, std::string_view text, std::uint64_t least,
                     std::uint64_t most) {
  const auto value = number_of<std::uint64_t>(text);
  if (value && *value >= least && *value <= most) return *value;
  refuse("{}: '{}' is no whole number from {} to {}", option, text, least, most);
}

double seconds(const std::string& option, std::string_view text) {
  constexpr double kDay = 24 * 60 * 60;
  const auto value = number_of<double>(text);
  if (!value || !(*value > 0) || *value > kDay) {
    refuse("{}: '{}' is no number of seconds above 0 and up to {}", option, text, kDay);
  }
  return *value;
}

std::pair<std::uint64_t, std::uint64_t> range_of(const std::string& option, std::string_view text,
                                                 std::uint64_t least, std::uint64_t most) {
  const std::size_t dash = text.find('-');
  const std::uint64_t first = number(option, text.substr(0, dash), least, most);
  if (dash == std::string_view::npos) return {first, first};
  return {first, number(option, text.substr(dash + 1), first, most)};
}

std::vector<Node> node_list(const std::string& option, const std::string& text, Node nodes) {
  std::vector<Node> list;
  for (const std::string& word : words_of(text, kBlank)) {
    const auto [first, last] = range_of(option, word, 0, nodes - 1);
    for (std::uint64_t x = first; x <= last; ++x) list.push_back(static_cast<Node>(x));
  }
  if (list.empty()) refuse("{}: '{}' names no node", option, text);
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

std::vector<Node> cycle(const std::string& option, const std::string& text) {
  const bool is_list = text.find_first_not_of("0123456789, -") == std::string::npos;
  const std::string source = is_list ? text : content_of(option, text);
  const std::string shown = is_list ? option : fmt::format("{} {}", option, text);
  std::vector<Node> nodes;
  for (const std::string& word : words_of(source, " \t\r\n,[]")) {
    nodes.push_back(static_cast<Node>(number(shown, word, 0, kNoNode - 1)));
  }
  if (nodes.empty()) refuse("{}: no nodes in the cycle", shown);
  return nodes;
}

namespace {

std::uint32_t whole(const Given& g, std::uint32_t least, std::uint32_t most) {
  return static_cast<std::uint32_t>(number(g.what, g.text, least, most));
}

/// A node's number, or its name, which does not begin with a digit.
std::string node(const Given& g) {
  const char first = g.text.empty() ? ' ' : g.text[0];
  if (first == '_' || std::isalpha(static_cast<unsigned char>(first)) != 0) return g.text;
  return std::to_string(whole(g, 0, kNoNode - 1));
}

/// What one of the library's parsers makes of the text.
template <typename Parse>
auto word(const Given& g, Parse parse) {
  return in_place(g.what, [&] { return parse(g.text); });
}

bool true_or_false(const Given& g) {
  if (g.text == "true") return true;
  if (g.text == "false") return false;
  refuse("{} must be true or false, not '{}'", g.what, g.text);
}

std::string beside(const Given& g) {
  return g.folder.empty() ? g.text : file_beside(g.folder, g.text);
}

template <typename T>
std::string if_given(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "";
}
template <typename T>
std::string word_if_given(const std::optional<T>& value) {
  return value ? std::string(to_string(*value)) : "";
}

void set_collective(Case& c, const Given& g) {
  c.barrier = g.text == kBarrier;
  c.collective = c.barrier ? Collective::AllReduce : word(g, parse_collective);
  if (!c.barrier) return;
  c.flits = 1;
  c.flits_given = true;
}

/// Comes after set_collective.
void set_flits(Case& c, const Given& g) {
  c.flits = whole(g, 1, kMaxFlits);
  c.flits_given = true;
  if (c.barrier && c.flits != 1) {
    refuse("{}: a barrier has one flit: leave the flits out", g.what);
  }
}

/// An example of each kind, in lines that fit the help.
std::string topologies_text() {
  constexpr std::size_t kWidth = 78;
  std::string text, line;
  const auto add = [&](std::string_view word) {
    if (line.size() + 1 + word.size() > kWidth) {
      text += line + '\n';
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
  };
  for (const TopologyKind& kind : topology_kinds()) add(kind.example);
  for (const char* word : {"(needed", "where", "no", "schedule", "is", "read)"}) add(word);
  return text + line;
}

/// "sum, min or xor"
std::string operators_text() {
  const std::span<const std::string> all = operator_names();
  return fmt::format("{} or {}", fmt::join(all.first(all.size() - 1), ", "), all.back());
}

constexpr bool kPlans = true, kBare = true;

std::vector<CaseField> make_fields() {
  return {
      {"file", "", false, false, [](Case& c, const Given& g) { c.file = beside(g); },
       [](const Case& c) { return c.file; }},
      {"topology", topologies_text(), kPlans, false,
       [](Case& c, const Given& g) { c.topology = edge_lists_from(g.text, g.folder); },
       [](const Case& c) { return c.topology; }},
      {"collective",
       "gossip (all-gather), total-exchange (all-to-all), broadcast, scatter, gather,\n"
       "reduce, reduce-scatter, all-reduce or barrier, an all-reduce of one flit\n"
       "(default: gossip, or the first of these that the algorithm serves)",
       kPlans, false, set_collective,
       [](const Case& c) {
         return c.barrier ? std::string(kBarrier) : word_if_given(c.collective);
       }},
      {"algorithm",
       "see `gossamer list` (default: the one with the fewest cycles for these flits and\n"
       "link stages; slow searches are tried where no other serves)",
       kPlans, false, [](Case& c, const Given& g) { c.algorithm = g.text; },
       [](const Case& c) { return c.algorithm; }},
      {"best",
       "cycles, rounds or tables: of which the default algorithm takes the fewest (default:\n"
       "cycles; rounds are what the papers count, tables the words that a host loads)",
       kPlans, false, [](Case& c, const Given& g) { c.best = word(g, parse_best); },
       [](const Case& c) {
         return std::string(c.best == Best::Cycles ? "" : kBest[std::size_t(c.best)]);
       }},
      {"ports",
       "single or all: links a node may use in a round (default: those with the fewest\n"
       "cycles)",
       kPlans, false, [](Case& c, const Given& g) { c.ports = word(g, parse_ports); },
       [](const Case& c) { return word_if_given(c.ports); }},
      {"duplex",
       "full or half: directions a link carries in a round (default: full, or that of\n"
       "the algorithm)",
       kPlans, false, [](Case& c, const Given& g) { c.duplex = word(g, parse_duplex); },
       [](const Case& c) { return word_if_given(c.duplex); }},
      {"root",
       "node that broadcasts, scatters, gathers or initiates (default: 0, or the member\n"
       "that is named first)",
       kPlans, kBare, [](Case& c, const Given& g) { c.root = node(g); },
       [](const Case& c) { return c.root; }},
      {"pieces",
       "pieces into which a message is cut (default: whatever is fastest, of\n"
       "broadcast-trees; 1 of the others; of these any-graph cuts)",
       kPlans, kBare, [](Case& c, const Given& g) { c.pieces = whole(g, 1, kMostPieces); },
       [](const Case& c) { return if_given(c.pieces); }},
      {"members",
       "nodes that take part: 0,3,5-9, or @FILE of them; the others only pass on; 0-3/4-7:\n"
       "several groups at the same time, of each the first node is its root (default: all)",
       kPlans, false, [](Case& c, const Given& g) { c.members = members_from(g.text, g.folder); },
       [](const Case& c) { return c.members; }},
      {"sizes",
       "file of how long messages are, if not equally: lines origin,flits or\n"
       "origin,destination,flits, or a square, a row for each origin; what none names has\n"
       "no flits (default: --flits each)",
       kPlans, false, [](Case& c, const Given& g) { c.sizes = beside(g); },
       [](const Case& c) { return c.sizes; }},
      {"op", operators_text() + ": how a reduction combines\nwords (default: sum)", kPlans, false,
       [](Case& c, const Given& g) { c.op = word(g, parse_operator); },
       [](const Case& c) { return word_if_given(c.op); }},
      {"cycle",
       "your own hamiltonian cycle: nodes separated by commas, or a file of them\n"
       "(default: find one)",
       kPlans, kBare, [](Case& c, const Given& g) { c.cycle = cycle(g.what, g.text); },
       [](const Case& c) { return fmt::format("{}", fmt::join(c.cycle, ",")); }},
      {"tolerance",
       "faults that a fault-tolerant algorithm must tolerate (default: as many as it\n"
       "can)",
       kPlans, kBare, [](Case& c, const Given& g) { c.tolerance = whole(g, 0, kMaxTolerance); },
       [](const Case& c) { return if_given(c.tolerance); }},
      {"seconds",
       "search for this many seconds, from --seed (default: any-graph until a fixed\n"
       "amount of work is done)",
       kPlans, kBare, [](Case& c, const Given& g) { c.seconds = seconds(g.what, g.text); },
       [](const Case& c) { return if_given(c.seconds); }},
      {"faults",
       "what is dead: nodes=3,17;links=0-1;arcs=4>5 or random:4 or rate:0.05, and from=3\n"
       "if only from round 3 on; rank, suite and export to axi: each:link, each:node,\n"
       "each:single or each:2links, one after the other (default: nothing, or what the file says)",
       false, false, [](Case& c, const Given& g) { c.faults = g.text; },
       [](const Case& c) { return c.faults; }},
      {"flits",
       fmt::format("flits of a message (default: {}, or what a schedule file was planned for;\n"
                   "1 if pipelined slots have no room for them)",
                   kDefaultFlits),
       false, kBare, set_flits,
       [](const Case& c) { return c.flits_given && !c.barrier ? std::to_string(c.flits) : ""; }},
      {"link_stages",
       "register stages of the links: one number, or one for each dimension, as in\n"
       "0,0,3 (default: 0)",
       false, kBare, [](Case& c, const Given& g) { c.stages = word(g, LinkStages::parse); },
       [](const Case& c) { return c.stages.text(); }},
      {"engine", fmt::format("tile, flat or systemc (default: {})", Case{}.engine), false, false,
       [](Case& c, const Given& g) { c.engine = word(g, parse_engine); },
       [](const Case& c) { return c.engine == Case{}.engine ? "" : c.engine; }},
      {"symmetric",
       "simulate one node of each class of the schedule's translations in the place of\n"
       "all, or all (default: one, where that is exact and there are 4096 nodes or 2^28\n"
       "node-cycles and more)",
       false, kBare, [](Case& c, const Given& g) { c.symmetric = true_or_false(g); },
       [](const Case& c) { return if_given(c.symmetric); }},
      {"seed",
       fmt::format("seed of the registers' initial values, the messages' contents,\n"
                   "random faults and searches (default: {})",
                   Case{}.seed),
       false, kBare, [](Case& c, const Given& g) { c.seed = whole(g, 0, ~std::uint32_t{0}); },
       [](const Case& c) { return c.seed == Case{}.seed ? "" : std::to_string(c.seed); }},
  };
}

}  // namespace

const std::vector<CaseField>& case_fields() {
  static const std::vector<CaseField> fields = make_fields();
  return fields;
}

const CaseField& case_field(std::string_view name) {
  return *std::ranges::find(case_fields(), name, &CaseField::name);
}

std::string option_of(const CaseField& field) {
  std::string option = fmt::format("--{}", field.name);
  std::ranges::replace(option, '_', '-');
  return option;
}

std::string options_text(const Case& c) {
  std::string text;
  for (const CaseField& field : case_fields()) {
    const std::string value = field.text(c);
    if (value.empty() || field.name == "file" || (field.plans && !c.file.empty())) continue;
    if (value == "false") {
      text += fmt::format(" --no-{}", field.name);
    } else {
      text += " " + option_of(field);
      if (value != "true") text += (value.starts_with('-') ? "=" : " ") + shell_word(value);
    }
  }
  return text;
}

Best parse_best(const std::string& text) {
  const auto found = std::ranges::find(kBest, text);
  if (found != kBest.end()) return static_cast<Best>(found - kBest.begin());
  refuse("'{}' is nothing to be best in: {}", text, suggestion(text, kBest));
}

std::string parse_engine(const std::string& text) {
  static constexpr std::array<std::string_view, 3> kEngines = {"tile", "flat", "systemc"};
  return std::string(named("engine", text, kEngines));
}

}  // namespace gossamer
