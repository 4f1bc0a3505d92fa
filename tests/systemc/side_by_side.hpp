#pragma once

#include <memory>
#include <string>

#include "fabric/fabric.hpp"

namespace gossamer::test {

/// What is compared on a link: a wrong table may read words that were never written, which are
/// anything.
enum class Compare { Everything, NotData };

/// The RTL (tile engine) and the SystemC model, loaded with what belongs together.
struct Pair {
  std::unique_ptr<Fabric> tile, model;
};
Pair load_both(const FabricImage& for_tile, const FabricImage& for_model);

/// Runs both up to cycle `limit` or until the RTL is at rest, cycle by cycle: every link must show
/// the same. Returns the first difference, or nothing.
std::string first_difference(Pair& pair, const Topology& topology, std::uint64_t limit,
                             Compare compare);

/// Errors as lines of text: node, all codes, code, slot and port of the first.
std::string text(const std::vector<NodeError>& errors);

}  // namespace gossamer::test
