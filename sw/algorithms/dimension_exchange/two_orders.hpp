#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// All-port total exchange on any product: half of the messages go through the dimensions in the
/// opposite order.
extern const Algorithm kTwoOrders;

}  // namespace gossamer
