#pragma once

#include <cstdint>
#include <string>

#include "schedule/schedule.hpp"

namespace gossamer {

/// Writes the tables and own words of all nodes as $readmemh images into a folder, and the
/// parameters of torus_fabric that belong to them (tables/mem_image.hpp). `seed` is of the
/// messages' contents. Throws InputError if torus_fabric cannot be that topology, or if nodes of
/// the size asked for cannot run the schedule (tables/fit_small_nodes.hpp).
struct MemOptions {
  std::uint32_t seed = 1;
  bool one_cycle = false;
  bool in_order = false;
};
void export_mem(const Schedule& schedule, unsigned flits, const MemOptions& options,
                const std::string& folder);

}  // namespace gossamer
