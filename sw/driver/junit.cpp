#include "driver/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace gossamer {
namespace {

void add_case(std::string& xml, const SuiteCase& c, const SuiteResult& result) {
  const auto out = std::back_inserter(xml);
  fmt::format_to(out, "  <testcase classname=\"gossamer\" name=\"{}\" time=\"{:.3f}\"",
                 xml_escaped(c.asked.name), result.seconds);
  const Report& report = result.report;
  if (report.passed()) {
    xml += "/>\n";
    return;
  }
  fmt::format_to(out, ">\n    <failure message=\"{}\">{}</failure>\n  </testcase>\n",
                 xml_escaped(report.problems.front()),
                 xml_escaped(fmt::format("{}", fmt::join(report.problems, "\n"))));
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return escaped;
}

std::string junit_xml(const std::string& suite, const std::vector<SuiteCase>& cases,
                      const std::vector<SuiteResult>& results) {
  const auto failures = std::ranges::count_if(
      results, [](const SuiteResult& result) { return !result.report.passed(); });
  double seconds = 0;
  for (const SuiteResult& result : results) seconds += result.seconds;
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  fmt::format_to(std::back_inserter(xml),
                 "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
                 "time=\"{:.3f}\">\n",
                 xml_escaped(suite), results.size(), failures, seconds);
  for (std::size_t i = 0; i < results.size(); ++i) add_case(xml, cases[i], results[i]);
  return xml + "</testsuite>\n";
}

}  // namespace gossamer
