#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "fabric/payload.hpp"
#include "run/runner.hpp"
#include "schedule/schedule.hpp"
#include "tables/compiler.hpp"

namespace gossamer::tb {

/// What the stores of a fabric hold after a run.
struct Score {
  std::uint64_t words_checked = 0;
  std::uint64_t delivered = 0;  ///< (node, message) pairs without a node's own
  std::uint64_t expected = 0;
  /// Expected and not delivered, by node, then origin; at most the first million.
  std::vector<MissingPair> missing;
  std::vector<std::string> problems;  ///< the first ones; if there are more, the last one says so
};

/// How a fabric is scored.
struct Scoring {
  unsigned threads = 1;  ///< the fabric must answer as many at a time
  std::size_t max_problems = 5;
  /// In a run that went wrong, reading stops after so many words and pairs.
  std::uint64_t pieces_of_failure = 1'000'000'000;
  Members members = {};  ///< who takes part
  Sizes sizes = {};      ///< of messages that are not equally long
};

/// Reads every word of every store, identifies it by its value alone, and checks: are the messages
/// whole, are they what their origins sent, does every node have all that it should have, and still
/// its own? It knows the collective, but neither the schedule nor the tables. Dead nodes, and those
/// that are no members, have and miss nothing; nobody misses a message of no flits. In an adaptive
/// node each message must also be at the address of its origin.
///
/// A run that went well is read completely. In a run that did not, what is not read counts as not
/// delivered, and the last problem says so. The result does not depend on the threads. Throws
/// Interrupted.
Score score(const Fabric& fabric, const FabricImage& image, const Payload& payload,
            Collective collective, Node root, const FaultSet& faults = {}, const Scoring& how = {});

/// The same of a reduction: every member that must have a result has it, and each of its words is
/// what all members' parts make together. Which members, which results and which words, it works
/// out of the collective alone; `places` is where the user is told to read them. (A value says not
/// where it must be: the smallest of all parts is in its member's store from the beginning.)
Score score_sums(const Fabric& fabric, std::span<const Held> places, const Payload& payload,
                 const Schedule& schedule, const Scoring& how);

/// The same of a schedule with a tolerance, as its hosts read it. A healthy node has each piece
/// whole in the log of the port at which it comes, and has raised nothing; or it has raised
/// ERR_MISSING there first, its log has what came before, and what it works out from all other
/// pieces is what was sent. Nothing is lost but behind what is dead.
Score score_pieces(const Fabric& fabric, const Payload& payload, const Schedule& schedule,
                   const Scoring& how, std::vector<WorkedOut>& worked_out);

/// The same for a run that was given up. What has arrived must be right, whole messages or their
/// beginnings; nothing counts as missing, and nothing as delivered.
Score score_so_far(const Fabric& fabric, const FabricImage& image, const Payload& payload);

}  // namespace gossamer::tb
