#pragma once

#include <charconv>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.hpp"

namespace gossamer {

/// The parts of a text between separators: one at least.
std::vector<std::string_view> split(std::string_view text, char separator);
/// A text without these letters at its ends.
std::string_view trimmed(std::string_view text, std::string_view blanks);

/// The whole text as a number of this type, if it is one.
template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number value{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Quotes a word for a shell.
std::string shell_word(std::string_view word);
/// The same for a file's name, which no program takes for an option.
std::string shell_file(const std::string& file);

/// The candidate that `word` was probably meant to be: the fewest single-letter edits away, at most
/// a third of its length (and at least 2), where case does not count and `*` stands for any text;
/// or one that it abbreviates, as bcast does. Empty if there is none.
std::string_view nearest_name(std::string_view word, std::span<const std::string_view> candidates);

/// For the end of an error message: "did you mean 'torus'?" if one is near, else
/// "known are: ring, path, ...".
std::string suggestion(std::string_view word, std::span<const std::string_view> candidates);

/// "unknown `what` 'trous': did you mean 'torus'?".
[[noreturn]] void refuse_name(std::string_view what, std::string_view word,
                              std::span<const std::string_view> candidates);
/// The one of `all` with this name, which `name_of` gives; refused if there is none.
template <typename All, typename NameOf = std::identity>
auto& named(std::string_view what, std::string_view text, const All& all, NameOf name_of = {}) {
  std::vector<std::string_view> names;
  for (auto& one : all) {
    names.push_back(std::invoke(name_of, one));
    if (names.back() == text) return one;
  }
  refuse_name(what, text, names);
}

/// Text for XML, attributes included; a control character or a byte that is not UTF-8 becomes '?',
/// because XML allows neither.
std::string xml_escaped(std::string_view text);

/// work(). Its InputErrors then begin with `where`, as that is by then.
template <typename Work>
auto in_place(const std::string& where, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw InputError(where + ": " + error.what());
  }
}

}  // namespace gossamer
