// What the header for AXI hosts knows of faults: which it is, and which tables go where.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <list>
#include <sstream>

#include "catch.hpp"
#include "checker/checker.hpp"
#include "checks/verdict.hpp"
#include "engines/engine_library.hpp"
#include "engines/prepared.hpp"
#include "export/export.hpp"
#include "plans.hpp"
#include "scratch.hpp"

using namespace gossamer;
using export_test::alone;
using export_test::asked;

namespace {

/// Reads a line a question: the first errors of a run, or a dead link or node and its set of
/// tables.
constexpr const char* kHost = R"(
#include <stdio.h>
#include "t.h"
#ifdef T_SETS
static void place(uint32_t from, uint32_t to) {
  uint32_t by, crc = ~0u;
  const int s = t_around(from, to, &by);
  if (s < 0) return (void)puts("none");
  for (uint32_t i = 0; i < t_sets[s].length; ++i) {
    const uint32_t address = t_placed(t_sets[s].words[i].address, by);
    crc = t_crc(t_crc(crc, address), t_sets[s].words[i].data);
    printf("%u %u ", address, t_sets[s].words[i].data);
  }
  printf("%u\n", ~crc);
}
#else
static void place(uint32_t from, uint32_t to) { printf("%u %u\n", from, to); }
#endif
int main(void) {
  uint32_t from, to, count;
  while (scanf("%u %u %u", &from, &to, &count) == 3) {
    struct t_error errors[T_NODES];
    uint32_t found[99][2];
    for (uint32_t i = 0; i < count; ++i)
      if (scanf("%u %u %u %u", &errors[i].node, &errors[i].code, &errors[i].slot, &errors[i].port) != 4) return 1;
    if (count == 0) place(from, to);
    const uint32_t named = count == 0 ? 0 : t_suspects(errors, count, found, 99);
    for (uint32_t i = 0; i < named; ++i) {
      if (found[i][0] == found[i][1]) printf("node %u, ", found[i][0]);
      else printf("link %u-%u, ", found[i][0], found[i][1]);
    }
    if (count != 0) puts("");
  }
  return 0;
}
)";

/// The lines that a host with this header answers.
std::vector<std::string> answers(const std::string& header, const std::string& questions) {
  const Scratch scratch;
  scratch.file("t.h", header);
  const std::string source = scratch.file("host.c", kHost), in = scratch.file("in", questions);
  const std::string program = scratch.path("host"), out = scratch.path("out");
  REQUIRE(std::system(fmt::format("'{0}' -x c -std=c99 -O1 -Wall -Wextra -Werror -o '{1}' '{2}' && "
                                  "'{1}' < '{3}' > '{4}'",
                                  CXX_COMPILER, program, source, in, out)
                          .c_str()) == 0);
  std::ifstream said(out);
  std::vector<std::string> lines;
  for (std::string line; std::getline(said, line);) lines.push_back(line);
  return lines;
}

/// First errors of a run by a link or node that is dead.
std::vector<NodeError> errors_of(Schedule schedule, unsigned flits, const FaultSet& faults) {
  schedule.faults = faults;
  const FabricImage image = test::prepare(schedule, flits, schedule.topology().ports());
  const auto fabric = tb::make_tile_fabric(image.kind, false, 1);
  fabric->load(image);
  while (!fabric->done()) fabric->run(1);
  return fabric->errors();
}

/// The same schedule elsewhere.
Schedule moved(const Schedule& schedule, Node by) {
  const Topology& topology = schedule.topology();
  Schedule all = without_transfers(schedule, topology);
  all.root = topology.translate(schedule.root, by);
  std::vector<Node> members(schedule.members.group().begin(), schedule.members.group().end());
  for (Node& x : members) x = topology.translate(x, by);
  if (!members.empty()) all.members = {members, topology};
  for (Node& x : all.faults.nodes) x = topology.translate(x, by);
  for (Arc& arc : all.faults.arcs) {
    arc = {topology.translate(arc.from, by), topology.translate(arc.to, by)};
  }
  normalize(all.faults);
  for (const Transfer& t : schedule.transfers()) all.add_copy(schedule, t, by);
  return all;
}

std::pair<Node, Node> ends(const FaultSet& faults) {
  if (!faults.nodes.empty()) return {faults.nodes[0], faults.nodes[0]};
  return {faults.arcs[0].from, faults.arcs[0].to};
}

}  // namespace

TEST_CASE("axi header: the host's function names what a run names, whichever single fault it is") {
  const auto [topology, collective, ports, flits, algorithm] =
      GENERATE(table<std::string, std::string, PortModel, unsigned, std::string>({
          {"torus:4x3", "gossip", PortModel::All, 2, ""},
          {"torus:4x3", "gossip", PortModel::Single, 1, ""},
          {"torus:3x3", "all-reduce", PortModel::All, 12, ""},
          {"mesh:3x3", "broadcast", PortModel::All, 4, ""},
          {"hypercube:3", "all-reduce", PortModel::Single, 2, "doubling"},
          {"torus:4x3", "all-reduce", PortModel::Single, 12, "dimension-reduce"},
          {"torus:4x3", "reduce", PortModel::All, 2, "reversed"},
          {"ring:8", "all-reduce", PortModel::All, 16, "ring-reduce"},
      }));
  CAPTURE(topology, collective, ports, algorithm);
  Case c = asked(topology, parse_collective(collective), ports, Duplex::Full, flits);
  c.algorithm = algorithm;
  const Schedule schedule = make_plan(c).schedule;
  const auto time = timed(schedule, flits);
  const Schedule expanded = without_orbits(schedule);
  std::string questions;
  std::vector<std::string> expected;
  for (const FaultClass& one : each_fault("each:single", schedule.topology(), false)) {
    const std::vector<NodeError> errors = errors_of(expanded, flits, one.faults);
    if (errors.empty()) continue;
    questions += fmt::format("0 0 {}", errors.size());
    for (const NodeError& e : errors) {
      questions += fmt::format(" {} {} {} {}", e.node, e.first_code, e.first_slot, e.first_port);
    }
    questions += "\n";
    std::string& line = expected.emplace_back();
    for (const std::string& suspect : tb::suspects(schedule, *time, errors)) line += suspect + ", ";
    const auto [a, b] = ends(one.faults);
    const std::string right =
        a == b ? fmt::format("node {}, ", a) : fmt::format("link {}-{}, ", a, b);
    CHECK(line.find(right) != std::string::npos);
  }
  CHECK(expected.size() > schedule.topology().nodes());
  CHECK(answers(axi_header(alone(schedule, flits), "t"), questions) == expected);
}

TEST_CASE("axi header: tables around one fault, moved, are those around any other of its class") {
  const auto [topology, collective] = GENERATE(table<std::string, std::string>(
      {{"torus:4x3", "gossip"}, {"torus:4x3", "all-reduce"}, {"torus:3x3x2", "total-exchange"}}));
  CAPTURE(topology, collective);
  Case c = asked(topology, parse_collective(collective), PortModel::All, Duplex::Full, 2);
  const Plan whole = make_plan(c);
  c.faults = "each:single";
  std::list<Schedule> schedules;
  std::vector<Program> sets;
  std::string questions;
  std::vector<std::vector<AxiWrite>> expected;
  for (const auto& [one, count] : each_case(c)) {
    const Schedule& planned = schedules.emplace_back(make_plan(one).schedule);
    sets.push_back(alone(planned, 2).front());
    std::vector<FaultSet> seen;
    for (Node by = 0; by < planned.topology().nodes(); ++by) {
      const Schedule there = moved(planned, by);
      CHECK(check(there).ok());
      if (std::ranges::find(seen, there.faults) != seen.end()) continue;
      seen.push_back(there.faults);
      const auto [a, b] = ends(there.faults);
      questions += fmt::format("{} {} 0\n", a, b);
      std::vector<AxiWrite>& writes = expected.emplace_back();
      std::istringstream text(axi_text(alone(there, 2)));
      for (std::string line; std::getline(text, line);) {
        AxiWrite w;
        if (std::istringstream(line) >> std::hex >> w.address >> w.data) writes.push_back(w);
      }
    }
    CHECK(seen.size() == count);
  }
  const auto lines = answers(axi_header(alone(whole.schedule, 2), "t", sets), questions);
  REQUIRE(lines.size() == expected.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::istringstream numbers(lines[i]);
    std::vector<AxiWrite> writes;
    AxiWrite w;
    while (numbers >> w.address >> w.data) writes.push_back(w);
    CHECK(w.address == axi_checksum(writes));  // the last number
    const auto key = [](const AxiWrite& word) { return std::pair(word.address, word.data); };
    std::ranges::sort(writes, {}, key);
    std::ranges::sort(expected[i], {}, key);
    if (collective != "total-exchange")
      CHECK(writes == expected[i]);  // its packets' order moves, too
  }
}
