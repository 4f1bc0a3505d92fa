#include "schedule/model.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "support/error.hpp"

namespace gossamer {
namespace {

/// For a value without a name.
constexpr std::string_view kNoWord = "?";

template <typename Enum, std::size_t N>
using Words = std::array<std::pair<Enum, std::string_view>, N>;

constexpr Words<PortModel, 2> kPorts{{{PortModel::Single, "single"}, {PortModel::All, "all"}}};
constexpr Words<Duplex, 2> kDuplex{{{Duplex::Full, "full"}, {Duplex::Half, "half"}}};
constexpr Words<Switching, 3> kSwitching{{{Switching::Packet, "packet"},
                                          {Switching::Circuit, "circuit"},
                                          {Switching::Pipelined, "pipelined"}}};

/// The other names of collectives are also read without hyphens: "allgather".
std::string without_hyphens(std::string_view text) {
  std::string letters(text);
  std::erase(letters, '-');
  return letters;
}

template <typename Enum, std::size_t N>
std::string_view word_of(const Words<Enum, N>& words, Enum value) {
  for (const auto& [candidate, word] : words) {
    if (candidate == value) return word;
  }
  return kNoWord;
}

template <typename Enum, std::size_t N>
Enum value_of(const Words<Enum, N>& words, std::string_view what, std::string_view text) {
  std::string legal;
  for (const auto& [value, word] : words) {
    if (word == text) return value;
    legal += (legal.empty() ? "" : ", ") + std::string(word);
  }
  throw InputError(fmt::format("unknown {} '{}': known are {}", what, text, legal));
}

}  // namespace

std::string_view to_string(Collective c) { return terms_of(c).name; }
std::string_view to_string(PortModel p) { return word_of(kPorts, p); }
std::string_view to_string(Duplex d) { return word_of(kDuplex, d); }
std::string_view to_string(Switching s) { return word_of(kSwitching, s); }

std::string both_names(Collective c) {
  const CollectiveTerms& terms = terms_of(c);
  return terms.other.empty() ? std::string(terms.name)
                             : fmt::format("{} ({})", terms.name, terms.other);
}

Collective parse_collective(std::string_view text) {
  Words<Collective, std::size(kCollectiveTerms)> words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const CollectiveTerms& terms = kCollectiveTerms[i];
    if (!terms.other.empty() && (text == terms.other || text == without_hyphens(terms.other))) {
      return terms.collective;
    }
    words[i] = {terms.collective, terms.name};
  }
  return value_of(words, "collective", text);
}
PortModel parse_ports(std::string_view text) { return value_of(kPorts, "port model", text); }
Duplex parse_duplex(std::string_view text) { return value_of(kDuplex, "duplex", text); }
Switching parse_switching(std::string_view text) { return value_of(kSwitching, "switching", text); }

}  // namespace gossamer
