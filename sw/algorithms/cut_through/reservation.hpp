#pragma once

#include <cstdint>
#include <vector>

namespace gossamer::cut_through {

/// A message goes over an arc of a fabric whose nodes have a single port.
struct PortStep {
  std::uint32_t arc = 0;
  std::uint32_t before = 0;  ///< the step that brings the message to the arc's tail; kNoStep: none
  std::uint32_t from = 0, to = 0;  ///< the ports of tail and head
  bool stored = false;             ///< the head wants the message
};

/// Rounds for all steps, and how many rounds later they can all be made again, for the next piece.
struct Reserved {
  std::vector<std::uint32_t> rounds;
  std::uint32_t period = 1;
};

/// A node starts one message in a round, takes in one, and passes on what comes at once: an arc has
/// one step a round. A message goes from one node that stores it to the next without a stop, and on
/// from there in the round after it or from the store, three rounds after it or later. Looks for
/// the fewest rounds for so many pieces. A step is later in the list than the one before. `reverse`
/// as for retimed(): with half duplex a node starts a message in a round or takes one in.
Reserved reserved(const std::vector<PortStep>& steps, const std::vector<std::uint32_t>& reverse,
                  std::uint32_t pieces, std::uint32_t seed);

}  // namespace gossamer::cut_through
