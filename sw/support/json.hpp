#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gossamer {

/// Lists and objects may stand in one another this deep. Our formats need four; the library's
/// recursive functions would need stack for every further one.
inline constexpr int kMaxJsonDepth = 64;

/// A JSON value, and what the parser alone would pass over in silence.
struct ParsedJson {
  nlohmann::json value;
  std::string repeated_key;  ///< of two equal keys of an object; empty if there are none
};

/// Reads one JSON value and nothing after it: the only way in which JSON from outside is read.
/// Throws InputError that says what is wrong and, where that is the syntax, in which line and
/// column: "no JSON (stopped at line 1, column 7)".
ParsedJson parse_json(const std::string& text);

/// A value as it stands in the file, cut short where it is long: for messages.
std::string shown(const nlohmann::json& value);

}  // namespace gossamer
