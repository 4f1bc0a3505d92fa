#include "tables/own_words.hpp"

#include "schedule/chunks.hpp"
#include "support/interrupt.hpp"
#include "tables/compiler.hpp"

namespace gossamer {

void place_own_words(FabricImage& image, const Schedule& schedule, const Payload& payload) {
  image.own_begin.assign(1, 0);
  for (Node i = 0; i < image.topology.nodes(); ++i) {
    image.own_begin.push_back(image.own_begin.back() +
                              own_words(schedule, image.node_of(i), payload.cut()));
  }
}

void add_own_words(FabricImage& image, const Schedule& schedule, const Payload& payload) {
  std::vector<std::uint32_t>& words = image.own_words;
  words.clear();
  words.reserve(image.own_begin.back());
  std::vector<Message> sums;
  if (reduces(schedule.collective())) {
    for (const Node origin : origins_of_sums(schedule)) sums.push_back({origin});
  }
  for (Node i = 0; i < image.topology.nodes(); ++i) {
    stop_if_interrupted();
    const Node x = image.node_of(i);
    for (const Message& m : sums) {
      const bool has = is_initial(schedule, x, m);
      for (std::uint32_t k = 0; k < payload.cut().cut(m).flits; ++k) {
        words.push_back(has ? payload.part(x, m, k) : 0);
      }
    }
    if (!sums.empty()) continue;
    for (const Message& m : own_messages(schedule, x)) {
      for (std::uint32_t k = 0; k < payload.flits(m); ++k) words.push_back(payload.word({m, k}));
    }
  }
}

}  // namespace gossamer
