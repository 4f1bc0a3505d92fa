#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "driver/case.hpp"

namespace gossamer {

/// Plans by one algorithm, which must not refuse. Throws InputError for what only other algorithms
/// can do: tolerate faults, search.
Plan plan_with(const Algorithm& algorithm, const Request& request);

/// The best of the formulas, or what a search finds with fewer rounds, if searching is quick.
Plan plan_with_fewest_rounds(Request request, std::span<const PortModel> ports);

/// What is known of a candidate's cycles: no fewer, by bounds that are found at once; by all
/// bounds; all.
enum class Known { Roughly, AtLeast, Exactly };

/// An algorithm that serves a request through these ports.
struct Candidate {
  const Algorithm* algorithm = nullptr;
  PortModel ports = PortModel::Single;
  /// Of a message, if it is cut because the request leaves that open.
  std::optional<std::uint32_t> pieces = std::nullopt;
  std::optional<Formula> formula = std::nullopt;
  std::uint64_t cycles = 0;
  Known known = Known::Roughly;
};

/// All that may serve a request (or `named` alone, if it is not null), with what is known
/// of their cycles before anything is planned. On small graphs those that cut messages only as
/// they are asked are there with 2, 4, 8 ... pieces, too.
std::vector<Candidate> candidates(Request request, std::span<const PortModel> ports,
                                  const LinkStages& stages, const Algorithm* named);

/// May its plan take longer than anybody waits for, where others serve, too?
bool is_slow(const Candidate& candidate, Request request);

/// Among equals the one is best whose schedules are short and symmetric: the lowest.
std::tuple<bool, bool, bool> complexity(const Algorithm& algorithm);

/// Schedules of one algorithm through the same ports, by pieces: those that do not depend on the
/// flits.
using KnownSchedules = std::map<std::optional<std::uint32_t>, Schedule>;

/// The one of some candidates that takes the fewest cycles. What cannot win is not planned, and
/// slow searches are left out where another candidate serves: Plan::chosen says so. `known` is for
/// candidates of one algorithm.
Plan plan_with_fewest_cycles(const Request& request, std::vector<Candidate> candidates,
                             const LinkStages& stages, KnownSchedules* known = nullptr);

}  // namespace gossamer
