#include "export/mem.hpp"

#include <optional>
#include <vector>

#include "fabric/payload.hpp"
#include "support/error.hpp"
#include "tables/compiler.hpp"
#include "tables/expected_logs.hpp"
#include "tables/fit_small_nodes.hpp"
#include "tables/mem_image.hpp"

namespace gossamer {

void set_own_words(FabricImage& image, const Schedule& schedule, const Payload& payload) {
  place_own_words(image, schedule, payload);
  add_own_words(image, schedule, payload);
}

namespace {

FabricImage image_of(const Schedule& schedule, unsigned flits, const MemOptions& options) {
  const Payload payload(schedule, flits, options.seed);
  FabricImage image =
      compile(schedule, flits, schedule.topology().ports(), false, nullptr, nullptr, options.stages)
          .image;
  if (image.kind.adaptive) {
    throw InputError("mem: images are for nodes that are not adaptive; the driver loads those");
  }
  set_own_words(image, schedule, payload);
  if (options.one_cycle) fit_one_cycle_nodes(image);
  if (options.in_order) fit_in_order_nodes(image);
  return image;
}

}  // namespace

void export_mem(const Schedule& schedule, unsigned flits, const MemOptions& options,
                const std::string& folder, std::span<const OtherSchedule> also) {
  const FabricImage image = image_of(schedule, flits, options);
  std::vector<FabricImage> others;
  for (const OtherSchedule& other : also) {
    MemOptions as = options;
    as.stages = other.stages;
    others.push_back(image_of(other.schedule, other.flits, as));
  }
  std::optional<TorusPart> part;
  if (!options.part.empty()) part = torus_part(torus_shape(image.topology), options.part);
  write_mem_images(image, common_depths(image, others), folder, part);
}

}  // namespace gossamer
