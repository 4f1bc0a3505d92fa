#pragma once

#include <bit>
#include <cstdint>

#include "fabric/fabric.hpp"

namespace gossamer::model {

/// The sticky errors of a node. If several come in the first bad cycle, the one with the
/// smallest code is reported; of equal codes, the one raised first.
class StickyErrors {
 public:
  /// `ports` has a bit for each port with the error; 0 for an error of the node itself.
  void raise(rtl::error_e error, std::uint32_t slot, std::uint64_t ports) {
    const auto code = static_cast<std::uint32_t>(error);
    now_ |= 1u << code;
    if (reported_.seen != 0 || (reported_.first_code != 0 && reported_.first_code <= code)) return;
    reported_.first_code = code;
    reported_.first_slot = slot;
    reported_.first_port = ports == 0 ? 0 : static_cast<Port>(std::countr_zero(ports));
  }
  void end_cycle() {
    reported_.seen |= now_;
    now_ = 0;
  }
  const NodeError& reported() const { return reported_; }

 private:
  NodeError reported_;
  std::uint32_t now_ = 0;  ///< raised in this cycle
};

}  // namespace gossamer::model
