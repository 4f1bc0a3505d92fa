#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "driver/suite.hpp"
#include "support/words.hpp"

namespace gossamer {
namespace {

/// What became of a test case; no element: it passed.
struct Outcome {
  const char* element = nullptr;
  const char* type = "check";
  std::string message = {}, all = {};
};

Outcome failure(const std::vector<std::string>& problems) {
  return {"failure", "check", problems.empty() ? "failed" : problems.front(),
          fmt::format("{}", fmt::join(problems, "\n"))};
}

Outcome outcome_of(const SuiteResult* result) {
  if (result == nullptr) return {"skipped", "interrupted", "interrupted before it ended"};
  const Facts& facts = result->facts;
  if (facts.passed()) return {};
  return facts.error.empty() ? failure(facts.problems)
                             : Outcome{"error", "error", facts.error, facts.error};
}

void add_case(std::string& xml, const std::string& name, const std::string& time,
              const Outcome& o) {
  const auto out = std::back_inserter(xml);
  fmt::format_to(out, "  <testcase classname=\"gossamer\" name=\"{}\"{}{}>\n", xml_escaped(name),
                 time, o.element == nullptr ? "/" : "");
  if (o.element == nullptr) return;
  fmt::format_to(out, "    <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n  </testcase>\n", o.element,
                 o.type, xml_escaped(o.message), xml_escaped(o.all));
}

}  // namespace

std::string junit_xml(const std::string& name, const SuiteReport& r) {
  double seconds = 0;
  for (const SuiteResult& result : r.results) seconds += result.seconds;
  std::string xml = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"{}\" tests=\"{}\" "
      "failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n",
      xml_escaped(name), r.cases.size() + r.checks.size(), r.failed + r.checks_failed, r.errors,
      r.not_run(), seconds);
  for (std::size_t i = 0; i < r.cases.size(); ++i) {
    const SuiteResult* const result = i < r.results.size() ? &r.results[i] : nullptr;
    add_case(xml, r.cases[i].request.name,
             fmt::format(" time=\"{:.3f}\"", result == nullptr ? 0.0 : result->seconds),
             outcome_of(result));
  }
  for (const SuiteCheck& check : r.checks) {
    add_case(xml, check.name, "", check.problems.empty() ? Outcome{} : failure(check.problems));
  }
  return xml + "</testsuite>\n";
}

}  // namespace gossamer
