#include "faults/fault_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace gossamer::test {

std::vector<Element> elements(const Topology& topology, Kinds kinds, Node spared) {
  std::vector<Element> all;
  for (Node x = 0; kinds.nodes && x < topology.nodes(); ++x) {
    if (x != spared) all.push_back({.node = x, .arcs = {}});
  }
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      const Node y = topology.peer(x, p).node;
      if (kinds.links && x < y) all.push_back({.arcs = {{x, y}, {y, x}}});
      if (kinds.directions) all.push_back({.arcs = {{x, y}}});
    }
  }
  return all;
}

FaultSet fault_set(const std::vector<Element>& all, const std::vector<std::size_t>& chosen) {
  FaultSet faults;
  for (const std::size_t i : chosen) {
    if (all[i].node != kNoNode) faults.nodes.push_back(all[i].node);
    faults.arcs.insert(faults.arcs.end(), all[i].arcs.begin(), all[i].arcs.end());
  }
  normalize(faults);
  return faults;
}

void for_each_set(const std::vector<Element>& all, std::size_t size,
                  const std::function<void(const FaultSet&)>& visit) {
  if (size > all.size()) return;
  std::vector<std::size_t> chosen(size);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  while (true) {
    visit(fault_set(all, chosen));
    std::size_t i = size;
    while (i > 0 && chosen[i - 1] == all.size() - size + i - 1) --i;
    if (i == 0) return;
    ++chosen[i - 1];
    for (; i < size; ++i) chosen[i] = chosen[i - 1] + 1;
  }
}

FaultSet random_set(const std::vector<Element>& all, std::size_t size, std::mt19937& random) {
  std::vector<std::size_t> chosen;
  while (chosen.size() < size) {
    const std::size_t i = random() % all.size();
    if (std::ranges::find(chosen, i) == chosen.end()) chosen.push_back(i);
  }
  return fault_set(all, chosen);
}

namespace {

Schedule plan(const std::string& name, unsigned d, Collective collective, PortModel ports,
              unsigned k) {
  const Request request{.topology = Topology::parse(fmt::format("hypercube:{}", d)),
                        .collective = collective,
                        .ports = ports,
                        .cycle = {},
                        .tolerant = true,
                        .tolerance = k};
  const Algorithm& algorithm = gossamer::algorithm(name);
  if (const auto why = algorithm.refuses(request)) throw std::runtime_error(*why);
  return algorithm.plan(request);
}

}  // namespace

Scheme::Scheme(std::string name, unsigned cube, Collective collective, PortModel ports,
               unsigned tolerance)
    : algorithm(std::move(name)),
      d(cube),
      k(tolerance),
      schedule(plan(algorithm, d, collective, ports, k)),
      offered(offers(schedule)) {}

Node Scheme::spared() const {
  if (schedule.initiator) return schedule.initiator->node;
  return has_root(schedule.collective()) ? schedule.root : kNoNode;
}

std::string Scheme::name() const {
  return fmt::format("{} {} {} d={} k={}", algorithm, to_string(schedule.collective()),
                     to_string(schedule.model().ports), d, k);
}

std::vector<Scheme> schemes(unsigned d, unsigned k) {
  std::vector<Scheme> all;
  for (const PortModel ports : {PortModel::Single, PortModel::All}) {
    all.emplace_back("chau-fu", d, Collective::Broadcast, ports, k);
    all.emplace_back("chau-fu", d, Collective::Gossip, ports, k);
    all.emplace_back("chau-fu-initiated", d, Collective::Gossip, ports, k);
  }
  return all;
}

void Failures::add(const AdaptiveRun& outcome, const FaultSet& faults) {
  ++sets;
  if (!outcome.missing.empty() && failed++ == 0) first = to_string(faults);
  crossed = std::max(crossed, outcome.crossed);
  most.resize(std::max(most.size(), outcome.most.size()));
  for (std::size_t i = 0; i < outcome.most.size(); ++i)
    most[i] = std::max(most[i], outcome.most[i]);
  const auto sum = std::accumulate(outcome.most.begin(), outcome.most.end(), std::uint64_t{0});
  if (sum <= worst) return;
  worst = sum;
  worst_set = to_string(faults);
}

void Failures::add(const Failures& more) {
  if (failed == 0) first = more.first;
  sets += more.sets;
  failed += more.failed;
  crossed = std::max(crossed, more.crossed);
  most.resize(std::max(most.size(), more.most.size()));
  for (std::size_t i = 0; i < more.most.size(); ++i) most[i] = std::max(most[i], more.most[i]);
  if (more.worst > worst) {
    worst = more.worst;
    worst_set = more.worst_set;
  }
}

Failures play_all(const Scheme& scheme, Kinds kinds, std::size_t size) {
  Failures failures;
  for_each_set(elements(scheme.schedule.topology(), kinds, scheme.spared()), size,
               [&](const FaultSet& faults) { failures.add(scheme.play(faults), faults); });
  return failures;
}

Failures play_some(const Scheme& scheme, Kinds kinds, std::size_t size, std::uint64_t count,
                   std::uint32_t seed) {
  Failures failures;
  std::mt19937 random(seed);
  const auto all = elements(scheme.schedule.topology(), kinds, scheme.spared());
  for (std::uint64_t i = 0; i < count; ++i) {
    const FaultSet faults = random_set(all, size, random);
    failures.add(scheme.play(faults), faults);
  }
  return failures;
}

}  // namespace gossamer::test
