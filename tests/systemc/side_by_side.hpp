#pragma once

#include <memory>
#include <string>

#include "fabric/fabric.hpp"
#include "schedule/schedule.hpp"

namespace gossamer::test {

/// What is compared on a link: a wrong table may read words that were never written, whose value is
/// random.
enum class Compare { Everything, NotData };

/// The RTL (tile engine) and the SystemC model, both loaded.
struct Pair {
  std::unique_ptr<Fabric> tile, model;
};
Pair load_both(const FabricImage& for_tile, const FabricImage& for_model);

/// Ports of the tiles that are built for a schedule.
Port ports_of_tile(const Schedule& schedule);

/// Runs both up to cycle `limit` or until the RTL is at rest, cycle by cycle: every link must show
/// the same. Returns the first difference, or nothing.
std::string first_difference(Pair& pair, const Topology& topology, std::uint64_t limit,
                             Compare compare);

/// The first difference in the logs of nodes with these ports, or nothing. Places of an adaptive
/// node's log where nothing has arrived are ignored.
std::string log_difference(const Pair& pair, const FabricImage& image, Port ports);

/// Errors as lines of text: node, all codes, code, slot and port of the first.
std::string text(const std::vector<NodeError>& errors);

}  // namespace gossamer::test
