#include "driver/case_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "driver/values.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "support/words.hpp"
#include "topology/edge_lists.hpp"
#include "topology/topology.hpp"

namespace gossamer {
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
  try {
    return parse(g.text);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", g.what, error.what()));
  }
}

bool true_or_false(const Given& g) {
  if (g.text == "true") return true;
  if (g.text == "false") return false;
  throw InputError(fmt::format("{} must be true or false, not '{}'", g.what, g.text));
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
    throw InputError(fmt::format("{}: a barrier has one flit: leave the flits out", g.what));
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
       "cycles or rounds: of which the default algorithm takes the fewest (default:\n"
       "cycles; rounds are what the papers count)",
       kPlans, false, [](Case& c, const Given& g) { c.best = word(g, parse_best); },
       [](const Case& c) { return std::string(c.best == Best::Rounds ? "rounds" : ""); }},
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
       "broadcast-trees; 1 of the others; of these any-graph and tree-reduce cut)",
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
      {"op",
       "sum, sum16, sum8, min, max, minu, maxu, and, or or xor: how a reduction combines\n"
       "words (default: sum)",
       kPlans, false, [](Case& c, const Given& g) { c.op = word(g, parse_operator); },
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
       "what is broken: nodes=3,17;links=0-1;arcs=4>5 or random:4 or rate:0.05,\n"
       "and from=3 if only from round 3 on (default: nothing, or what the file says)",
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

}  // namespace gossamer
