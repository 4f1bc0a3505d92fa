#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/error.hpp"

namespace gossamer::fuzz {

/// Something that holds for every input does not hold for this one.
class Broken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws Broken with this text unless `holds`.
inline void demand(bool holds, const std::string& what) {
  if (!holds) throw Broken(what);
}

/// Demands that a message is one line for a person, and begins with the place.
void demand_line(std::string_view message, std::string_view place);

/// What `read` returns; nothing if it refuses the input with an InputError whose message is a line
/// that begins with `place`. Everything else that is thrown passes through.
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
