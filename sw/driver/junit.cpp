#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "driver/suite.hpp"
#include "support/words.hpp"

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

}  // namespace

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
