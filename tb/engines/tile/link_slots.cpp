#include "engines/tile/link_slots.hpp"

namespace gossamer::tb {

void FlitSlots::clear_slots(std::size_t slots, std::uint32_t stages) {
  moments_.resize(std::bit_ceil(std::size_t{stages} + 2));
  for (Moment& moment : moments_) {
    moment.flags.assign(slots, 0);
    moment.data.assign(slots, 0);
  }
}

void FlitSlots::resize_slots(std::size_t slots) {
  for (Moment& moment : moments_) {
    moment.flags.resize(slots);
    moment.data.resize(slots);
  }
}

}  // namespace gossamer::tb
