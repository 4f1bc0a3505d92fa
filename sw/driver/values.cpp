#include "driver/values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/error.hpp"
#include "support/file.hpp"
#include "support/words.hpp"

namespace gossamer {
namespace {

constexpr std::string_view kBlank = " \t\r\n,";

std::vector<std::string> words_of(const std::string& text, std::string_view separators) {
  std::vector<std::string> words;
  std::size_t begin = text.find_first_not_of(separators);
  while (begin != std::string::npos) {
    const std::size_t end = text.find_first_of(separators, begin);
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(separators, end);
  }
  return words;
}

std::string content_of(const std::string& option, const std::string& file) {
  try {
    return read_file(file);
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("{}: no list of nodes, and no file of them: {}", option, error.what()));
  }
}

}  // namespace

std::uint64_t number(const std::string& option, std::string_view text, std::uint64_t least,
                     std::uint64_t most) {
  const auto value = number_of<std::uint64_t>(text);
  if (value && *value >= least && *value <= most) return *value;
  throw InputError(
      fmt::format("{}: '{}' is no whole number from {} to {}", option, text, least, most));
}

double seconds(const std::string& option, std::string_view text) {
  constexpr double kDay = 24 * 60 * 60;
  const auto value = number_of<double>(text);
  if (!value || !(*value > 0) || *value > kDay) {
    throw InputError(
        fmt::format("{}: '{}' is no number of seconds above 0 and up to {}", option, text, kDay));
  }
  return *value;
}

std::pair<std::uint64_t, std::uint64_t> range(const std::string& option, std::string_view text,
                                              std::uint64_t least, std::uint64_t most) {
  const std::size_t dash = text.find('-');
  const std::uint64_t first = number(option, text.substr(0, dash), least, most);
  if (dash == std::string_view::npos) return {first, first};
  return {first, number(option, text.substr(dash + 1), first, most)};
}

std::vector<Node> node_list(const std::string& option, const std::string& text, Node nodes) {
  std::vector<Node> list;
  for (const std::string& word : words_of(text, kBlank)) {
    const auto [first, last] = range(option, word, 0, nodes - 1);
    for (std::uint64_t x = first; x <= last; ++x) list.push_back(static_cast<Node>(x));
  }
  if (list.empty()) throw InputError(fmt::format("{}: '{}' names no node", option, text));
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

std::vector<Node> cycle(const std::string& option, const std::string& text) {
  const bool is_list = text.find_first_not_of("0123456789, -") == std::string::npos;
  const std::string source = is_list ? text : content_of(option, text);
  const std::string shown = is_list ? option : fmt::format("{} {}", option, text);
  std::vector<Node> nodes;
  for (const std::string& word : words_of(source, " \t\r\n,[]")) {
    nodes.push_back(static_cast<Node>(number(shown, word, 0, kNoNode - 1)));
  }
  if (nodes.empty()) throw InputError(fmt::format("{}: no nodes in the cycle", shown));
  return nodes;
}

}  // namespace gossamer
