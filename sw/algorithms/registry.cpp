#include "algorithms/registry.hpp"

#include <optional>
#include <string>
#include <vector>

#include "algorithms/common/algorithm.hpp"
#include "algorithms/common/all.hpp"
#include "support/words.hpp"

namespace gossamer {

std::span<const Algorithm> algorithms() {
  // Filled at the first call, when all of these are initialised.
  static const std::vector<Algorithm> all = [] {
    std::vector<Algorithm> copies;
    for (const Algorithm* one : kAll) copies.push_back(*one);
    return copies;
  }();
  return all;
}

const Algorithm& algorithm(const std::string& name) {
  return named("algorithm", name, algorithms(), &Algorithm::name);
}

namespace {

bool needs_excerpt(const Algorithm& algorithm, const Request& request) {
  return !algorithm.any_chunks && !(request.members.all() && request.sizes.equal());
}

}  // namespace

std::optional<std::string> refusal_of(const Algorithm& algorithm, const Request& request) {
  if (needs_excerpt(algorithm, request)) {
    if (auto why = why_no_excerpt(algorithm, request)) return why;
    return refusal_of(algorithm, for_all_nodes(request));
  }
  if (request.topology.one_way() && !algorithm.any_chunks && !algorithm.one_way) {
    return algorithm.name + " needs links of both directions";
  }
  if (request.pieces.value_or(1) > 1 && !algorithm.cuts) {
    return algorithm.name + " does not cut messages: leave the pieces out";
  }
  return algorithm.refuses(request);
}

std::optional<Formula> formula_of(const Algorithm& algorithm, const Request& request) {
  if (algorithm.formula == nullptr || needs_excerpt(algorithm, request)) return std::nullopt;
  return algorithm.formula(request);
}

Schedule schedule_by(const Algorithm& algorithm, const Request& request) {
  Schedule schedule = needs_excerpt(algorithm, request)
                          ? excerpt(algorithm.plan(for_all_nodes(request)), request)
                          : algorithm.plan(request);
  schedule.nodes.join = request.joins;
  return schedule;
}

std::string through(PortModel ports) {
  return ports == PortModel::Single ? " through a single port" : " through all ports";
}

}  // namespace gossamer
