#include "driver/payload.hpp"

#include <fmt/format.h>

#include "support/error.hpp"

namespace gossamer {
namespace {

// Two multiplications by odd numbers and their inverses modulo 2^32, with a shift between: every
// step can be undone, and neighbouring numbers end far apart.
constexpr std::uint32_t kFirst = 0x9e3779b1;
constexpr std::uint32_t kSecond = 0x85ebca6b;

constexpr std::uint32_t inverse(std::uint32_t a) {
  std::uint32_t x = a;  // correct to 3 bits; each step doubles them
  for (int i = 0; i < 5; ++i) x *= 2 - a * x;
  return x;
}

std::uint32_t scatter(std::uint32_t x) {
  x *= kFirst;
  x ^= x >> 16;
  return x * kSecond;
}
std::uint32_t gather(std::uint32_t x) {
  x *= inverse(kSecond);
  x ^= x >> 16;
  return x * inverse(kFirst);
}

}  // namespace

Payload::Payload(const Schedule& schedule, unsigned flits, std::uint32_t seed)
    : nodes_(schedule.topology().nodes()), same_to_all_(same_to_all(schedule.collective())),
      flits_(flits), seed_(seed) {
  const double count = (same_to_all_ ? 1.0 : nodes_) * nodes_ * flits;
  if (count > 4294967296.0) {
    throw InputError(fmt::format("{} messages of {} flits are too many to tell apart in 32 bits",
                                 count / flits, flits));
  }
}

std::uint32_t Payload::word(const FlitId& id) const {
  const std::uint32_t message =
      same_to_all_ ? id.message.origin : id.message.origin * nodes_ + id.message.destination;
  return scatter(message * flits_ + id.index + seed_);
}

std::optional<FlitId> Payload::identify(std::uint32_t word) const {
  const std::uint32_t number = gather(word) - seed_;
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
