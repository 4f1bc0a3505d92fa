#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// All algorithms, in the order of the papers.
std::span<const Algorithm> algorithms();
/// Throws InputError that names the nearest algorithm.
const Algorithm& algorithm(const std::string& name);

/// What is known of a candidate's cycles: no fewer, by bounds that are found at once; by all
/// bounds; all.
enum class Known { Roughly, AtLeast, Exactly };

/// An algorithm that serves a request through these ports.
struct Candidate {
  const Algorithm* algorithm = nullptr;
  PortModel ports = PortModel::Single;
  std::optional<Formula> formula = std::nullopt;
  /// Of a message, if it is cut because the request leaves that open.
  std::optional<std::uint32_t> pieces = std::nullopt;
  std::uint64_t cycles = 0;
  Known known = Known::Roughly;
};

/// Why an algorithm does not serve a request; nothing if it does. A group, or messages that are not
/// equally long, it may serve with an excerpt of what it plans for all.
std::optional<std::string> refusal_of(const Algorithm& algorithm, const Request& request);
/// Its formula for a request that it serves; nothing if it has none, also of an excerpt.
std::optional<Formula> formula_of(const Algorithm& algorithm, const Request& request);
/// Its schedule for a request that it serves.
Schedule schedule_by(const Algorithm& algorithm, const Request& request);

/// " through a single port"
std::string through(PortModel ports);

/// Every algorithm accepts a request on at least one of these.
inline constexpr std::array kSampleTopologies = {"ring:8",      "hypercube:4", "torus:5x5",
                                                 "torus:7x7x7", "mesh:3x4",    "torus:3x5",
                                                 "complete:6",  "ghc:3x4",     "ccc:3"};

}  // namespace gossamer
