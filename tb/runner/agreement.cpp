#include "runner/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <vector>

#include "support/error.hpp"

namespace gossamer::tb {

std::string name_of(const Schedule& schedule, const RunOptions& options) {
  return fmt::format("{} {} {} {} {}", schedule.topology().spec(), to_string(schedule.collective()),
                     schedule.transfers().size(), options.flits, options.seed);
}

void agree_to_run(Ranks& ranks, const std::string& name, const std::string& failure) {
  const std::string mine = failure.empty() ? kRuns + name : kFails + failure;
  const std::vector<std::string> all = ranks.gather(mine);
  const bool alike = std::ranges::count(all, mine) == std::ssize(all);
  if (alike && failure.empty()) return;
  if (alike) throw InputError(failure);
  for (unsigned r = 0; r < all.size(); ++r) {
    if (all[r][0] == kRuns) continue;
    throw InputError(fmt::format("rank {}: {}", r, all[r].substr(1)));
  }
  throw InputError("the ranks do not run the same schedule: they must have the same files");
}

void join_results(Ranks& ranks, RunResult& result) {
  std::uint64_t sums[] = {result.words_checked, result.delivered, result.expected, result.errors};
  ranks.add_up(sums);
  result.words_checked = sums[0];
  result.delivered = sums[1];
  result.expected = sums[2];
  result.errors = sums[3];
  std::string mine;
  for (const std::string& p : result.problems) mine += p + '\n';
  result.problems.clear();
  for (const std::string& text : ranks.gather(mine)) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (std::ranges::find(result.problems, line) == result.problems.end()) {
        result.problems.push_back(line);
      }
    }
  }
}

}  // namespace gossamer::tb
