#include "page/seen.hpp"

#include <algorithm>
#include <iterator>

namespace gossamer {

SeenDifference difference(const std::vector<LinkRun>& expected, const LinkRecord& record) {
  // Only flits up to the end of the recording could be seen.
  std::vector<LinkRun> wanted;
  for (LinkRun run : expected) {
    if (run.begin > record.last) break;
    run.flits =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(run.flits, record.last + 1 - run.begin));
    wanted.push_back(run);
  }
  std::vector<LinkRun> seen = record.runs;
  std::ranges::sort(seen);
  SeenDifference d;
  std::ranges::set_difference(wanted, seen, std::back_inserter(d.missing));
  std::ranges::set_difference(seen, wanted, std::back_inserter(d.extra));
  return d;
}

}  // namespace gossamer
