#pragma once

#include <optional>

#include "schedule/schedule.hpp"

namespace gossamer {

/// What an imported file does not say.
struct Meant {
  Model model;  ///< combining: a transfer may carry several messages
  std::optional<Collective> collective = std::nullopt;  ///< if the file leaves it open
  std::optional<Node> root = std::nullopt;              ///< if it cannot be seen in the file
};

}  // namespace gossamer
