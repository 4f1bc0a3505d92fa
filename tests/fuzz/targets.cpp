#include "targets.hpp"

#include <algorithm>
#include <stdexcept>

#include "support/memory.hpp"

namespace gossamer::fuzz {
namespace {

constexpr std::uint64_t kFreeMemory = std::uint64_t{1} << 22;

/// Removes the limit at the end.
struct LittleMemory {
  LittleMemory() { limit_free_memory(kFreeMemory); }
  ~LittleMemory() { forget_memory_limit(); }
};

}  // namespace

const Target& target(std::string_view name) {
  const auto* found = std::ranges::find(kTargets, name, &Target::name);
  if (found == std::end(kTargets)) throw std::out_of_range("no fuzz target " + std::string(name));
  return *found;
}

void run(const Target& target, std::string_view input) {
  const LittleMemory limit;
  target.run(input);
}

void demand_line(std::string_view message, std::string_view place) {
  const std::string quoted = "\"" + std::string(message) + "\"";
  demand(message.size() > place.size() && message.starts_with(place),
         "a message should begin with \"" + std::string(place) + "\" and go on: " + quoted);
  demand(std::ranges::none_of(message, [](unsigned char c) { return c < ' ' || c == 0x7f; }),
         "a message should be one line without control characters: " + quoted);
}

}  // namespace gossamer::fuzz
