#include "driver/refused.hpp"

#include <fmt/format.h>

#include <sstream>

#include "driver/report.hpp"
#include "driver/suite.hpp"
#include "schedule/jsonl.hpp"
#include "support/error.hpp"

namespace gossamer {
namespace {

/// The problems found. A schedule that cannot be read has one.
std::vector<std::string> problems_of(const RefusedCase& c) {
  try {
    if (c.is_suite) {
      parse_suite(c.text, "suite", c.folder);
      return {};
    }
    std::istringstream text(c.text);
    Case asked;
    asked.flits_given = false;
    const Report report = examine(asked, {read_jsonl(text, "line", c.folder), {}, nullptr});
    if (report.passed() != report.problems.empty()) return {"the verdict contradicts the problems"};
    return report.problems;
  } catch (const InputError& error) {
    return {error.what()};
  }
}

}  // namespace

std::string judge(const RefusedCase& c) {
  const std::vector<std::string> problems = problems_of(c);
  if (problems == c.because) return "";
  const std::string said = problems.empty() ? "it was accepted"
                                            : fmt::format("it was refused because \"{}\"",
                                                          fmt::join(problems, "\", \""));
  return fmt::format("refused case '{}': {}, and should be refused because \"{}\"", c.name, said,
                     fmt::join(c.because, "\", \""));
}

}  // namespace gossamer
