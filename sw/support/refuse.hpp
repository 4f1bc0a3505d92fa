#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>

#include "support/error.hpp"

namespace gossamer {

/// Throws InputError with the text that fmt makes of these. In a header of its own, because engines
/// are built without fmt.
template <typename... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> why, Args&&... args) {
  throw InputError(fmt::format(why, std::forward<Args>(args)...));
}

/// The same, "FILE:LINE: WHY".
template <typename... Args>
[[noreturn]] void fail(const std::string& file, std::uint64_t line, fmt::format_string<Args...> why,
                       Args&&... args) {
  refuse("{}:{}: {}", file, line, fmt::format(why, std::forward<Args>(args)...));
}

}  // namespace gossamer
