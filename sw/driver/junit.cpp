#include "driver/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace gossamer {
namespace {

/// The outcome of a case that did not pass: an element with the first line as its message.
void add_outcome(std::string& xml, const char* element, const char* type,
                 const std::string& message, const std::string& all) {
  fmt::format_to(std::back_inserter(xml), "    <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n",
                 element, type, xml_escaped(message), xml_escaped(all));
}

void add_case(std::string& xml, const SuiteCase& c, const SuiteResult* result) {
  fmt::format_to(std::back_inserter(xml),
                 "  <testcase classname=\"gossamer\" name=\"{}\" time=\"{:.3f}\"",
                 xml_escaped(c.request.name), result == nullptr ? 0.0 : result->seconds);
  if (result != nullptr && result->facts.passed()) {
    xml += "/>\n";
    return;
  }
  xml += ">\n";
  if (result == nullptr) {
    add_outcome(xml, "skipped", "interrupted", "interrupted before it ended", "");
  } else if (!result->facts.error.empty()) {
    add_outcome(xml, "error", "error", result->facts.error, result->facts.error);
  } else {
    const auto& problems = result->facts.problems;
    add_outcome(xml, "failure", "check", problems.empty() ? "failed" : problems.front(),
                fmt::format("{}", fmt::join(problems, "\n")));
  }
  xml += "  </testcase>\n";
}

void add_check(std::string& xml, const SuiteCheck& check) {
  fmt::format_to(std::back_inserter(xml), "  <testcase classname=\"gossamer\" name=\"{}\"",
                 xml_escaped(check.name));
  if (check.problems.empty()) {
    xml += "/>\n";
    return;
  }
  xml += ">\n";
  add_outcome(xml, "failure", "check", check.problems.front(),
              fmt::format("{}", fmt::join(check.problems, "\n")));
  xml += "  </testcase>\n";
}

/// Bytes of the UTF-8 letter at the beginning of the text; 0 if XML allows none there.
std::size_t letter(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  if (byte(0) < 0x80) return byte(0) >= ' ' || text[0] == '\n' || text[0] == '\t' ? 1 : 0;
  const std::size_t size = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < size) return 0;
  std::uint32_t code = byte(0) & (0xffu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool too_long = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  const bool none = code == 0xfffe || code == 0xffff || code > 0x10ffff;
  return too_long || surrogate || none ? 0 : size;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const std::size_t size = letter(text);
    switch (size == 0 ? '?' : text.front()) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default: escaped += size == 0 ? "?" : text.substr(0, size);
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return escaped;
}

std::string junit_xml(const std::string& suite, const std::vector<SuiteCase>& cases,
                      const std::vector<SuiteResult>& results,
                      const std::vector<SuiteCheck>& checks) {
  std::size_t failures = 0, errors = 0;
  double seconds = 0;
  for (const SuiteResult& result : results) {
    seconds += result.seconds;
    if (result.facts.passed()) continue;
    ++(result.facts.error.empty() ? failures : errors);
  }
  for (const SuiteCheck& check : checks) failures += check.problems.empty() ? 0 : 1;
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  fmt::format_to(std::back_inserter(xml),
                 "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
                 "skipped=\"{}\" time=\"{:.3f}\">\n",
                 xml_escaped(suite), cases.size() + checks.size(), failures, errors,
                 cases.size() - results.size(), seconds);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    add_case(xml, cases[i], i < results.size() ? &results[i] : nullptr);
  }
  for (const SuiteCheck& check : checks) add_check(xml, check);
  return xml + "</testsuite>\n";
}

}  // namespace gossamer
