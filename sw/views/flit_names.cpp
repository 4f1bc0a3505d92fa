#include "views/flit_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/origin_colours.hpp"
#include "tables/compiler.hpp"

namespace gossamer {
namespace {

constexpr std::size_t kMostFlitNames = 20'000;

}  // namespace

std::string flit_text(const FlitId& flit, unsigned flits) {
  std::string text = std::to_string(flit.message.origin);
  if (flit.message.destination != kNoNode) text += fmt::format(">{}", flit.message.destination);
  if (flit.message.piece != 0) text += fmt::format("/{}", flit.message.piece);
  if (flits > 1) text += fmt::format(".{}", flit.index);
  return text;
}

std::string flit_names(const Schedule& schedule, const Payload& payload,
                       const std::vector<Node>& first) {
  std::string text = "# valid bit and word of a link, and what it is: origin.flit\n0";
  text += std::string(8, '0') + " ?black?\n";
  std::size_t lines = 0;
  const auto add = [&](Node x) {
    for (const Message& m : own_messages(schedule, x)) {
      for (unsigned i = 0; i < payload.flits(m) && lines < kMostFlitNames; ++i, ++lines) {
        text += fmt::format("1{:08X} ?{}?{}\n", payload.word({m, i}),
                            kOriginColours[x % kOriginColours.size()].x11,
                            flit_text({m, i}, payload.flits()));
      }
    }
  };
  for (Node x : first) add(x);
  for (Node x = 0; x < schedule.topology().nodes() && lines < kMostFlitNames; ++x) {
    if (std::find(first.begin(), first.end(), x) == first.end()) add(x);
  }
  return text;
}

}  // namespace gossamer
