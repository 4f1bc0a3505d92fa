#include "schedule/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "support/refuse.hpp"
#include "support/words.hpp"

namespace gossamer {
namespace {

/// For a value without a name.
constexpr std::string_view kNoWord = "?";

template <typename Enum, std::size_t N>
using WordTable = std::array<std::pair<Enum, std::string_view>, N>;

constexpr WordTable<PortModel, 2> kPorts{{{PortModel::Single, "single"}, {PortModel::All, "all"}}};
constexpr WordTable<Duplex, 2> kDuplex{{{Duplex::Full, "full"}, {Duplex::Half, "half"}}};
constexpr WordTable<Switching, 3> kSwitching{{{Switching::Packet, "packet"},
                                              {Switching::Circuit, "circuit"},
                                              {Switching::Pipelined, "pipelined"}}};
/// What other programs reduce by, and what gives the same here.
constexpr std::string_view kDivide = "plan the sum, and divide it at the end";
constexpr std::string_view kOwn = "put one of your own into the fabric (examples/my_operator)";
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOperatorsElsewhere{
    {{"avg", kDivide}, {"average", kDivide}, {"mean", kDivide}, {"prod", kOwn}, {"product", kOwn}}};

/// Names of collectives are read in any case, and with or without hyphens: "AllGather".
std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    if (c == '-' || c == '_') continue;
    letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return letters;
}

template <typename Enum, std::size_t N>
std::string_view word_of(const WordTable<Enum, N>& words, Enum value) {
  for (const auto& [candidate, word] : words) {
    if (candidate == value) return word;
  }
  return kNoWord;
}

template <typename Enum, std::size_t N>
Enum value_of(const WordTable<Enum, N>& words, std::string_view what, std::string_view text) {
  return named(what, text, words, [](const auto& one) { return one.second; }).first;
}

}  // namespace

std::string_view to_string(Collective c) { return terms_of(c).name; }
std::string_view to_string(PortModel p) { return word_of(kPorts, p); }
std::string_view to_string(Duplex d) { return word_of(kDuplex, d); }
std::string_view to_string(Switching s) { return word_of(kSwitching, s); }
std::string_view to_string(Operator o) {
  return operator_names()[static_cast<unsigned>(o) - rtl::op_e_table[0].value];
}

const std::vector<std::string>& operator_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const rtl::NamedValue& op : rtl::op_e_table) all.push_back(letters_of(op.name).substr(2));
    return all;
  }();
  return names;
}

std::string both_names(Collective c) {
  const CollectiveTerms& terms = terms_of(c);
  return terms.other.empty() ? std::string(terms.name)
                             : fmt::format("{} ({})", terms.name, terms.other);
}

Collective parse_collective(std::string_view text) {
  std::vector<std::string_view> names;
  for (const CollectiveTerms& terms : kCollectiveTerms) {
    for (const std::string_view name : {terms.name, terms.other}) {
      if (name.empty()) continue;
      if (letters_of(text) == letters_of(name)) return terms.collective;
      names.push_back(name);
    }
  }
  refuse_name("collective", text, names);
}
PortModel parse_ports(std::string_view text) { return value_of(kPorts, "port model", text); }
Duplex parse_duplex(std::string_view text) { return value_of(kDuplex, "duplex", text); }
Switching parse_switching(std::string_view text) { return value_of(kSwitching, "switching", text); }
Operator parse_operator(std::string_view text) {
  const std::vector<std::string>& names = operator_names();
  const auto named = std::ranges::find(names, text);
  if (named != names.end()) {
    return static_cast<Operator>(rtl::op_e_table[named - names.begin()].value);
  }
  const auto other = std::ranges::find(kOperatorsElsewhere, text, [](auto& o) { return o.first; });
  refuse("unknown operator '{}': {}", text,
         other == kOperatorsElsewhere.end()
             ? suggestion(text, std::vector<std::string_view>(names.begin(), names.end()))
             : fmt::format("{}; known are: {}", other->second, fmt::join(names, ", ")));
}

}  // namespace gossamer
