#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "fabric/fabric.hpp"
#include "fabric/payload.hpp"
#include "schedule/schedule.hpp"
#include "tables/compiler.hpp"
#include "tables/link_stages.hpp"

namespace gossamer {

/// Writes the tables and own words of all nodes as $readmemh images into a folder, and the matching
/// parameters of torus_fabric, or of torus_part (tables/mem_image.hpp), whose nodes can hold the
/// schedules `also`, too. `seed` determines the messages' contents. Throws InputError if
/// torus_fabric does not support the topology, or if nodes of the requested size cannot run the
/// schedule (tables/fit_small_nodes.hpp).
struct MemOptions {
  std::uint32_t seed = 1;
  bool one_cycle = false;
  bool in_order = false;
  PortStages stages = {};  ///< of the links
  std::string part = {};   ///< of the torus, as torus_part reads it; empty: all of it
};
void export_mem(const Schedule& schedule, unsigned flits, const MemOptions& options,
                const std::string& folder, std::span<const OtherSchedule> also = {});

/// Sets the words that each node of an image starts with.
void set_own_words(FabricImage& image, const Schedule& schedule, const Payload& payload);

}  // namespace gossamer
