#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "driver/case.hpp"
#include "support/error.hpp"

namespace gossamer {

/// No algorithm serves a request.
class NotServed : public InputError {
 public:
  using InputError::InputError;
};

/// What is to be compared for the fewest rounds, for a request through any of these ports, of all
/// whose rounds can be: the algorithm whose formula gives the fewest, with equal rounds the one
/// with the smallest delta_sum among those that give one, and else the first; then those without a
/// formula, of which only a plan tells the rounds, through all ports first. Nothing is planned.
/// Throws NotServed, which says the main reason and what would work.
std::vector<Candidate> choices_by_rounds(const Request& request, std::span<const PortModel> ports);
/// Why a named algorithm refuses a request, and what would work for it, or for the nearest one:
/// "ring: torus:4x4 is no ring (asked for ...; a2 serves it through all ports)".
std::string refused_by(const Algorithm& algorithm, const Request& request,
                       std::span<const PortModel> ports);

/// Plans by one algorithm, which must not refuse. Throws InputError for what only other algorithms
/// can do: tolerate faults, search.
Plan plan_with(const Algorithm& algorithm, const Request& request);

/// By `named`, if it is not null, through those ports with which it is fastest if the case leaves
/// them open; or by the best algorithm.
Plan plan_with_best(const Case& c, const Request& request, const Algorithm* named);

/// Words that load the tables of a fabric which runs this alone; none if nobody could, or if there
/// are more than a few hundred nodes.
std::optional<std::uint64_t> table_words(const Plan& plan, unsigned flits,
                                         const LinkStages& stages);

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

/// The one whose tables are the fewest words, as they are loaded, and of equal ones that of the
/// fewest cycles. All that are not slow are planned.
Plan plan_with_fewest_words(const Request& request, const std::vector<Candidate>& candidates,
                            const LinkStages& stages);

/// What an algorithm takes with messages of one length.
struct RankedPlan {
  std::uint64_t cycles = 0;
  std::optional<std::uint64_t> words = std::nullopt;  ///< of tables
  std::uint32_t rounds = 0, pieces = 1;
  Switching switching = Switching::Packet;
  bool best = false;  ///< none takes fewer cycles, or as Case::best says
};

/// An algorithm and its model; a plan's switching may be another.
struct Ranked {
  const Algorithm* algorithm = nullptr;
  Model model;
  /// By length; none where the algorithm does not serve it, or was not tried.
  std::vector<std::optional<RankedPlan>> plans;
  bool tried = true;  ///< if not, its search would take too long
};

/// From messages of so many flits on, and to those of the next change: as far as was looked at.
struct BestFrom {
  unsigned flits = 1;
  std::size_t row = 0;  ///< of Ranking::rows
};

/// All algorithms that serve a request, for messages of some lengths.
struct Ranking {
  Request request;
  std::vector<unsigned> flits;
  std::vector<std::uint64_t> bounds;  ///< in cycles, by length: of the model that allows most
  std::vector<Ranked> rows;    ///< those with the fewest cycles for the longest messages first
  std::vector<BestFrom> best;  ///< the first from the shortest length on
  std::size_t compared = 0;    ///< lengths that were looked at: the given ones, and between them
};

/// The switching of its plans: "packet", or "circuit, packet" if it depends on the flits.
std::string switching_of(const Ranked& row);

/// "1,8,64" as ascending lengths. Throws InputError "--flits: ...".
std::vector<unsigned> lengths(const std::string& option, const std::string& text);

/// Plans by every algorithm that serves the case, which names none, for each of these lengths, and
/// finds where the best changes. Cycles need not grow with the flits, so a change is one between
/// two neighbouring lengths, and between given lengths with the same best there may be others: on
/// few nodes every length between near ones is looked at. Slow searches are left out where others
/// serve. Throws NotServed as make_plan() does.
Ranking rank(const Case& c, const std::vector<unsigned>& flits);

}  // namespace gossamer
