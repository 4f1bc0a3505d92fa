#pragma once

#include "gossamer_constants.hpp"

namespace gossamer::test {

using enum rtl::error_e;

/// The number of an error code.
constexpr unsigned code(rtl::error_e error) { return static_cast<unsigned>(error); }
/// The bit of an error in a node's sticky errors.
constexpr unsigned bit(rtl::error_e error) { return 1u << code(error); }

}  // namespace gossamer::test
