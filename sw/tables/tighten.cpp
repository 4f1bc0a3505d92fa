#include <algorithm>
#include <bit>
#include <utility>

#include "tables/mem_image.hpp"
#include "tables/node_build.hpp"
#include "tables/read_clashes.hpp"

namespace gossamer {

NodeBuild build_for(const FabricImage& image, const NodeDepths& least) {
  return {.kind = image.kind, .depths = depths_for(image, least), .stages = image.stages};
}

namespace {

/// The same words in the same order, in segments of single words.
std::vector<Segment> flat_list(const std::vector<Segment>& list) {
  std::vector<Segment> flat;
  for (const Segment& s : list) {
    const bool fits = s.run == 1 && s.stride >> rtl::flat_t::stride.width == 0;
    for (std::uint32_t i = 0; i < (fits ? 1 : s.count); ++i) {
      flat.push_back({.log = s.log,
                      .base = s.base + i * s.stride,
                      .run = 1,
                      .stride = fits ? s.stride : 1,
                      .count = fits ? s.count : s.run});
    }
    flat.back().stop = s.stop;
  }
  return flat;
}

/// Rewrites all lists if they have room.
void flatten(FabricImage& image, NodeBuild& build) {
  const std::uint32_t room = build.depths.segments >> image.kind.programs;
  std::vector<std::vector<NodeProgram>> all;
  for (std::size_t k = 0; k < image.held(); ++k) {
    all.push_back(image.programs_of(k));
    for (NodeProgram& program : all.back()) {
      for (auto& list : program.channels) {
        list = flat_list(list);
        if (list.size() + 1 > room) return;
      }
    }
  }
  image.programs = std::move(all[0]);
  for (std::size_t k = 1; k < image.held(); ++k) image.later[k - 1].programs = std::move(all[k]);
  image.kind.flat = build.kind.flat = 1;
}

}  // namespace

void tighten(FabricImage& image, NodeBuild& build, std::uint32_t own_words) {
  if (image.kind.adaptive) return;
  ReadClashes clashes(image.kind);
  std::uint64_t length = 1, count = 1;
  for (std::size_t k = 0; k < image.held(); ++k) {
    for (const NodeProgram& program : image.programs_of(k)) {
      clashes.add(program);
      std::uint64_t slots = 0;  // that are executed, or more; errors name them
      for (const SlotEntry& e : program.slots) {
        length = std::max<std::uint64_t>({length, e.length, e.stream});
        slots += std::uint64_t{e.repeat} * e.loops;
        count = std::max<std::uint64_t>({count, e.repeat, e.loops});
      }
      count = std::max(count, std::min<std::uint64_t>(slots, (1u << rtl::SLOT_REPEAT_W) - 1));
    }
  }
  build.length_bits = static_cast<unsigned>(std::bit_width(length));
  build.count_bits = static_cast<unsigned>(std::bit_width(count));
  if (!image.kind.in_order) flatten(image, build);
  if (image.kind.own_log() == 0) return;
  const std::uint32_t own = std::max(own_words, 2u);
  const std::uint32_t arrivals = image.arrivals == 0 ? image.capacity : image.arrivals;
  const bool behind = std::max(arrivals, 2u) + own <= build.depths.words;
  build.depths.shared = clashes.shared(behind);
  if (std::ranges::all_of(build.depths.shared, [](auto home) { return home == 0; })) {
    build.depths.shared.clear();
  }
  if (own < build.depths.words) build.depths.own = own;
}

}  // namespace gossamer
