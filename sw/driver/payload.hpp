#pragma once

#include <cstdint>
#include <optional>

#include "schedule/schedule.hpp"

namespace gossamer {

/// One flit of a message.
struct FlitId {
  Message message;
  std::uint32_t index = 0;  ///< 0 ... flits-1
  bool operator==(const FlitId&) const = default;
};

/// What the flits of a run contain: every flit of every message a word of its own, scattered over
/// all 32 bits, from which the message can be read back. Whoever looks at a word can so tell what it
/// is without knowing where it should be.
class Payload {
 public:
  /// Throws InputError if 32 bits are too few for so many flits.
  Payload(const Schedule& schedule, unsigned flits, std::uint32_t seed);

  std::uint32_t word(const FlitId& id) const;
  /// Nothing if no flit of this run has that word.
  std::optional<FlitId> identify(std::uint32_t word) const;
  unsigned flits() const { return flits_; }

 private:
  Node nodes_;
  bool same_to_all_;
  unsigned flits_;
  std::uint32_t seed_;
};

}  // namespace gossamer
