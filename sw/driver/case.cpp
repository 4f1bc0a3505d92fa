#include "driver/case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "driver/rank.hpp"
#include "gossamer_constants.hpp"
#include "schedule/chunks.hpp"
#include "schedule/jsonl.hpp"
#include "schedule/remains.hpp"
#include "support/file.hpp"
#include "support/refuse.hpp"
#include "support/words.hpp"
#include "tables/compiler.hpp"
#include "tables/timing.hpp"
#include "topology/families.hpp"
#include "topology/topology.hpp"

namespace gossamer {
namespace {

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
       "if only from round 3 on; rank and suite: each:link, each:node or each:2links, one\n"
       "after the other (default: nothing, or what the file says)",
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

namespace {

bool may_mean(const Case& c, const Serves& served) {
  return c.collective.value_or(served.collective) == served.collective &&
         c.ports.value_or(served.ports) == served.ports &&
         c.duplex.value_or(served.duplex) == served.duplex;
}

void set(Request& request, const Serves& served) {
  request.collective = served.collective;
  request.ports = served.ports;
  request.duplex = served.duplex;
}

/// Completes the request with the first model that the algorithm accepts; returns false if it
/// accepts none.
bool fill_in(const Case& c, const Algorithm& algorithm, Request& request) {
  for (const Serves& served : algorithm.serves) {
    if (!may_mean(c, served)) continue;
    set(request, served);
    if (!refusal_of(algorithm, request)) return true;
  }
  return false;
}

/// Why the algorithm serves no request that the case may mean. The most helpful reason is the one
/// for the model that the algorithm is made for.
std::string refusal(const Case& c, const Algorithm& algorithm, const Topology& topology) {
  Request meant = default_request(c, topology);
  const auto served =
      std::ranges::find_if(algorithm.serves, [&](const Serves& s) { return may_mean(c, s); });
  const Serves& like = served != algorithm.serves.end() ? *served : algorithm.serves.front();
  set(meant, {c.collective.value_or(like.collective), c.ports.value_or(like.ports),
              c.duplex.value_or(like.duplex)});
  check_meaning(c, meant, &algorithm);
  const std::string why = refusal_of(algorithm, meant).value_or("refused");
  const std::string other = what_serves(meant, ports_of(c));
  return fmt::format("{} (asked for {} on {}{})", with_name(algorithm, why),
                     to_string(meant.collective), topology.spec(),
                     other.empty() ? "" : fmt::format("; {}", other));
}

/// The flits of a message, if it is known before the planning, or 1.
unsigned flits_before(const Case& c) { return c.flits_given ? c.flits : 1; }

/// The ports that a case with a named algorithm leaves open are those with which it is fastest.
Plan plan_by_name(const Case& c, const Topology& topology, PlannedTo what) {
  const Algorithm& named = algorithm(c.algorithm);
  Request request = default_request(c, topology);
  if (!fill_in(c, named, request)) throw InputError(refusal(c, named, topology));
  check_meaning(c, request, &named);
  if (what == PlannedTo::Run) refuse_unrunnable(topology, request.collective, flits_before(c));
  Request other = request;
  other.ports = request.ports == PortModel::All ? PortModel::Single : PortModel::All;
  const bool both_ports = !c.ports && !refusal_of(named, other);
  if (c.best == Best::Rounds || !(both_ports || named.cuts)) return plan_with(named, request);
  Plan plan = plan_with_fewest_cycles(request, candidates(request, ports_of(c), c.stages, &named),
                                      c.stages);
  plan.chosen = both_ports ? "fewest cycles" + through(plan.schedule.model().ports) : "";
  plan.runner_up.reset();
  return plan;
}

Plan plan_by_choice(const Case& c, const Topology& topology, PlannedTo what) {
  const Request request = default_request(c, topology);
  const std::vector<PortModel> ports = ports_of(c);
  check_meaning(c, request, nullptr);
  std::vector<Candidate> choices;
  if (c.best == Best::Cycles) choices = candidates(request, ports, c.stages, nullptr);
  if (choices.empty()) best_choice(request, ports);  // says why there is none
  if (what == PlannedTo::Run) refuse_unrunnable(topology, request.collective, flits_before(c));
  if (choices.empty()) return plan_with_fewest_rounds(request, ports);
  return plan_with_fewest_cycles(request, std::move(choices), c.stages);
}

Plan read_plan(const Case& c) {
  std::vector<std::string_view> given;
  bool says_more = false;
  for (const CaseField& field : case_fields()) {
    if (!field.plans) continue;
    given.push_back(field.name);
    says_more = says_more || !field.text(c).empty();
  }
  if (says_more) {
    refuse("{}: the schedule file already gives these: leave out {}", c.file,
           fmt::join(given, ", "));
  }
  Plan plan{read_jsonl(c.file), std::nullopt, nullptr};
  if (c.flits_given && !plan.schedule.sizes.equal()) {
    refuse("{}: the schedule says how many flits each message has: leave the flits out", c.file);
  }
  return plan;
}

/// The faults that the case names, for a schedule.
FaultSet faults_of(const Case& c, const Schedule& schedule) {
  std::optional<Node> spared;
  if (has_root(schedule.collective())) {
    spared = schedule.members.several() ? schedule.members.root(0) : schedule.root;
  }
  if (schedule.initiator) spared = schedule.initiator->node;
  return parse_faults(c.faults, schedule.topology(), c.seed, spared);
}

/// Sets the faults, if the case names any and the schedule was not planned around them.
void set_faults(const Case& c, Plan& plan) {
  Schedule& schedule = plan.schedule;
  if (c.faults.empty() || (c.file.empty() && !schedule.faults.empty())) return;
  FaultSet faults = faults_of(c, schedule);
  if (schedule.symmetry().order() > 1) schedule = without_orbits(schedule);
  schedule.faults = std::move(faults);
  if (const auto fault = root_fault(schedule)) throw InputError("faults: " + *fault);
  plan.timed.reset();
}

Plan plan_or_read(const Case& c, PlannedTo what) {
  if (!c.file.empty()) return read_plan(c);
  if (c.topology.empty()) {
    throw InputError("nothing to plan: give a topology (such as torus:4x4) or a schedule file");
  }
  const Topology topology = topology_of(c);
  return c.algorithm.empty() ? plan_by_choice(c, topology, what) : plan_by_name(c, topology, what);
}

}  // namespace

Topology topology_of(const Case& c) {
  Topology topology = Topology::parse(c.topology);
  root_of(c, topology);
  return topology;
}

std::optional<Node> root_of(const Case& c, const Topology& topology) {
  if (c.root.empty()) return std::nullopt;
  if (const auto root = topology.node_named(c.root)) return root;
  refuse("root {} is no node of {}; expected 0 to {}{}", c.root, c.topology, topology.nodes() - 1,
         topology.named() ? " or a name" : "");
}

void set_operator(const Case& c, Schedule& schedule) {
  if (!c.op) return;
  if (!reduces(schedule.collective())) {
    refuse(
        "operator {} means nothing in a {}: leave it out, or name a reduction: reduce, "
        "reduce-scatter or all-reduce",
        to_string(*c.op), to_string(schedule.collective()));
  }
  schedule.op = *c.op;
}

std::vector<PortModel> ports_of(const Case& c) {
  if (c.ports) return {*c.ports};
  return {PortModel::Single, PortModel::All};
}

namespace {

/// Of a request for a whole topology: it becomes one for what the faults leave of it. Those that
/// begin later, or of which only the number is known, are for schedules that adapt themselves.
void set_faults(const Case& c, Request& request) {
  if (c.faults.empty()) return;
  Schedule whole = empty_schedule(request, {});
  whole.root = request.root;
  whole.faults = faults_of(c, whole);
  request.tolerant = request.tolerant || whole.faults.from_round > 1;
  const bool named = !c.algorithm.empty() && algorithm(c.algorithm).tolerates != nullptr;
  if (whole.faults.empty() || request.tolerant || named) return;
  if (!c.root.empty() && whole.faults.dead(whole.root)) {
    throw InputError(fmt::format("faults: node {} is the root; it must be healthy", c.root));
  }
  if (!c.root.empty() && !whole.members.has(whole.root)) return;  // which is refused
  if (c.root.empty() && whole.members.all()) {
    while (whole.faults.dead(whole.root)) ++whole.root;
  }
  take_out_dead(whole);
  std::vector<Node> nodes;
  const Schedule left = remains_of(whole, &nodes);
  request.topology = left.topology();
  request.members = left.members;
  request.sizes = left.sizes;
  request.root = left.root;
  for (Node& x : request.cycle) {
    x = static_cast<Node>(std::ranges::lower_bound(nodes, x) - nodes.begin());
  }
  request.whole = std::make_shared<const Whole>(Whole{std::move(whole), std::move(nodes)});
}

}  // namespace

Request default_request(const Case& c, const Topology& topology) {
  if (!c.sizes.empty() && c.flits_given) {
    throw InputError("the sizes say how many flits each message has: leave the flits out");
  }
  Members members = parse_members(c.members, topology);
  Request request{.topology = topology,
                  .collective = c.collective.value_or(Collective::Gossip),
                  .ports = c.ports.value_or(PortModel::Single),
                  .duplex = c.duplex.value_or(Duplex::Full),
                  .root = root_of(c, topology).value_or(members.first()),
                  .cycle = c.cycle,
                  .tolerant = c.tolerance.has_value(),
                  .tolerance = c.tolerance,
                  .seconds = c.seconds,
                  .seed = c.seed,
                  .flits = c.flits,
                  .hop = rtl::TIME_DELTA + c.stages.most_on(topology),
                  .pieces = c.pieces,
                  .fewest_rounds = c.best == Best::Rounds,
                  .members = std::move(members),
                  .sizes = read_sizes(c.sizes, topology.nodes())};
  set_faults(c, request);
  if (!request.sizes.equal()) request.flits = request.sizes.most();
  return request;
}

void refuse_meaningless_root(const Case& c, Collective collective, const std::string& by) {
  if (c.root.empty() || has_root(collective)) return;
  refuse(
      "root {} means nothing in a {}{}: leave it out, or name a collective that has one: "
      "broadcast, scatter, gather, reduce or all-reduce",
      c.root, to_string(collective), by);
}

void check_meaning(const Case& c, const Request& request, const Algorithm* named) {
  if (!c.root.empty() && request.members.several()) {
    throw InputError(
        "each of several groups has the node that it names first as its root: leave "
        "the root out");
  }
  if (has_root(request.collective) && !request.members.several() &&
      !request.members.has(request.root)) {
    refuse("the root {} is no member: name it among the members, or another root", request.root);
  }
  if (request.pieces.value_or(1) > request.flits) {
    refuse("pieces: messages of {} flit{}{} cannot be cut into {}; expected {} at most",
           request.flits, request.flits == 1 ? "" : "s", request.sizes.equal() ? "" : " at most",
           *request.pieces, request.flits);
  }
  if (const auto why = why_no_sizes(empty_schedule(request, {}), request.sizes)) {
    refuse("sizes: {}: {}", c.sizes, *why);
  }
  if (named != nullptr && named->has_initiator) return;
  refuse_meaningless_root(c, request.collective, named == nullptr ? "" : " by " + named->name);
}

unsigned flits_of(const Case& c, const Schedule& schedule) {
  if (!schedule.sizes.equal()) return schedule.sizes.most();
  const auto& planned = schedule.planned_for;
  if (!c.flits_given && planned && planned->flits > 0) return planned->flits;
  if (c.flits_given) return c.flits;
  if (schedule.model().switching != Switching::Pipelined) {
    return std::max(c.flits, schedule.pieces());
  }
  const PieceFlits cut{c.flits, schedule.pieces()};
  const std::uint32_t hop = rtl::TIME_DELTA + c.stages.most_on(schedule.topology());
  return cut.of(0) * schedule.model().hop_rounds > hop ? schedule.pieces() : c.flits;
}

LinkStages stages_of(const Case& c, const Schedule& schedule) {
  const bool planned = c.stages.numbers().empty() && schedule.planned_for;
  return planned ? LinkStages(schedule.planned_for->stages) : c.stages;
}

Plan make_plan(const Case& c, PlannedTo what) {
  Plan plan = plan_or_read(c, what);
  const Schedule& schedule = plan.schedule;
  const unsigned flits = flits_of(c, schedule);
  if (c.file.empty()) {
    plan.schedule.planned_for = PlannedFor{schedule.sizes.equal() ? flits : 0, c.stages.numbers()};
  }
  refuse_flits(schedule, flits, stages_of(c, schedule).on(schedule));
  if (what == PlannedTo::Run) refuse_unrunnable(schedule.topology(), schedule.collective(), flits);
  set_operator(c, plan.schedule);
  set_faults(c, plan);
  return plan;
}

std::vector<std::pair<Case, std::uint64_t>> each_case(const Case& c) {
  if (!names_each(c.faults)) return {{c, 1}};
  const Collective collective = c.collective.value_or(Collective::Gossip);
  const bool rooted = has_root(collective) && collective != Collective::AllReduce;
  const bool alike = !rooted && c.root.empty() && c.members.empty() && c.sizes.empty();
  std::vector<std::pair<Case, std::uint64_t>> all;
  for (const FaultClass& one : each_fault(c.faults, topology_of(c), alike)) {
    all.emplace_back(c, one.sets);
    Case& last = all.back().first;
    last.faults = to_string(one.faults);
    for (const char letter : "-" + last.faults) {
      last.name += std::string_view("=;,>").find(letter) == std::string_view::npos ? letter : '-';
    }
  }
  return all;
}

std::uint64_t whole_cycles(Case c) {
  c.faults.clear();
  const Plan plan = make_plan(c);
  if (plan.timed) return plan.timed->time.last_arrival;
  const Schedule& s = plan.schedule;
  return timed(s, flits_of(c, s), stages_of(c, s).on(s))->time.last_arrival;
}

Best parse_best(const std::string& text) {
  static constexpr std::array<std::string_view, 2> kBest = {"cycles", "rounds"};
  if (text == "cycles") return Best::Cycles;
  if (text == "rounds") return Best::Rounds;
  refuse("'{}' is nothing to be best in: {}", text, suggestion(text, kBest));
}

std::string_view wave_extension(std::string_view engine) {
  return engine == "systemc" ? ".vcd" : ".fst";
}

std::string parse_engine(const std::string& text) {
  static constexpr std::array<std::string_view, 3> kEngines = {"tile", "flat", "systemc"};
  if (std::ranges::find(kEngines, text) != kEngines.end()) return text;
  refuse("unknown engine '{}': {}", text, suggestion(text, kEngines));
}

}  // namespace gossamer
