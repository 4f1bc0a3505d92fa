#include "fabric/payload.hpp"

#include <fmt/format.h>

#include "support/error.hpp"

namespace gossamer {
Payload::Payload(const Schedule& schedule, unsigned flits, std::uint32_t seed)
    : nodes_(schedule.topology().nodes()),
      same_to_all_(same_to_all(schedule.collective())),
      flits_(flits),
      seed_(seed) {
  const double count = (same_to_all_ ? 1.0 : nodes_) * nodes_ * flits;
  if (count > 4294967296.0) {
    throw InputError(fmt::format("{} messages of {} flits are too many to tell apart in 32 bits",
                                 count / flits, flits));
  }
}

std::optional<FlitId> Payload::identify(std::uint32_t word) const {
  const std::uint32_t number = unmix(word) - seed_;
  FlitId id;
  id.index = number % flits_;
  const std::uint32_t message = number / flits_;
  if (same_to_all_) {
    id.message.origin = message;
  } else {
    id.message = {message / nodes_, message % nodes_};
  }
  if (id.message.origin >= nodes_) return {};
  return id;
}

}  // namespace gossamer
