#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer {

/// The value of an option as a whole number. Throws InputError "--flits: 'x' is no whole number
/// from 1 to 1048576".
std::uint64_t number(const std::string& option, std::string_view text, std::uint64_t least,
                     std::uint64_t most);

/// Seconds, above 0 and at most a day, as in "2.5".
double seconds(const std::string& option, std::string_view text);

/// "3-7" or "5", as first and last.
std::pair<std::uint64_t, std::uint64_t> range(const std::string& option, std::string_view text,
                                              std::uint64_t least, std::uint64_t most);

/// "0,3,5-7" as a list of nodes.
std::vector<Node> node_list(const std::string& option, const std::string& text, Node nodes);

/// Node numbers separated by commas or blanks, or a file that holds them (brackets are ignored, so
/// a JSON list works too).
std::vector<Node> cycle(const std::string& option, const std::string& text);

}  // namespace gossamer
