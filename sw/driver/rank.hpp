#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/case.hpp"

namespace gossamer {

/// What an algorithm takes with messages of one length.
struct RankedPlan {
  std::uint64_t cycles = 0;
  std::uint32_t rounds = 0, pieces = 1;
  Switching switching = Switching::Packet;
  bool best = false;  ///< none takes fewer cycles
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
