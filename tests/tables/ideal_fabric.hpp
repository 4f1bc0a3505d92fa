#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"

/// Executes tables as docs/hardware/table-format.md and docs/hardware/timing.md describe it, one
/// cycle after the other: nodes that follow their entries, links with a register each, append-only
/// logs. Written from these documents alone, for programs that are not adaptive, and not for speed.
namespace gossamer::test {

struct IdealRun {
  std::uint64_t last_arrival = 0;  ///< the last cycle with a flit on a link
  std::uint64_t flits_moved = 0;
  std::vector<std::vector<std::vector<std::uint32_t>>> logs;  ///< by node and log; own words first
                                                              ///< in single-port nodes
  std::vector<std::string> errors;  ///< violations by the tables, one line each
};

/// `image` with own words.
IdealRun run_ideally(const FabricImage& image);

}  // namespace gossamer::test
