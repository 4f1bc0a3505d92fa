#pragma once

#include <cstdint>
#include <string>

#include "schedule/schedule.hpp"

namespace gossamer {

/// Writes the tables and own words of all nodes as $readmemh images into a folder, and the
/// parameters of torus_fabric that belong to them (tables/mem_image.hpp). `seed` is of the
/// messages' contents. Throws InputError if torus_fabric cannot be that topology.
void export_mem(const Schedule& schedule, unsigned flits, std::uint32_t seed,
                const std::string& folder);

}  // namespace gossamer
