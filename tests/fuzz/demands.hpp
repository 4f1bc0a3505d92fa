#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/error.hpp"

namespace gossamer::fuzz {

/// A property of all inputs that this input breaks.
class Broken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws Broken with this text unless `holds`.
inline void demand(bool holds, const std::string& what) {
  if (!holds) throw Broken(what);
}

/// Demands that a message is one line of text that begins with the place.
void demand_line(std::string_view message, std::string_view place);

/// The result of `read`; nothing if it refuses the input with an InputError whose message is one
/// line that begins with `place`. All other exceptions pass through.
template <typename Read>
auto answer(std::string_view place, Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const InputError& error) {
    demand_line(error.what(), place);
    return std::nullopt;
  }
}

}  // namespace gossamer::fuzz
