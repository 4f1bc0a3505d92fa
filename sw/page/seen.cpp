#include "page/seen.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace gossamer {

namespace {

/// Flits without a gap, whatever they are.
std::vector<LinkRun> joined(std::vector<LinkRun> runs) {
  std::ranges::sort(runs, {}, [](const LinkRun& r) { return std::tuple{r.from, r.port, r.begin}; });
  std::vector<LinkRun> all;
  for (const LinkRun& r : runs) {
    if (!all.empty() && all.back().from == r.from && all.back().port == r.port &&
        all.back().begin + all.back().flits == r.begin) {
      all.back().flits += r.flits;
    } else {
      all.push_back({r.begin, r.from, r.port, r.flits, {kNoNode}, 0});
    }
  }
  std::ranges::sort(all);
  return all;
}

/// Words of sums say nothing of what they are; that they are right is the link oracle's business.
SeenDifference difference_of_sums(const std::vector<LinkRun>& wanted,
                                  const std::vector<LinkRun>& seen) {
  const std::vector<LinkRun> all = joined(wanted), there = joined(seen);
  SeenDifference d;
  std::vector<LinkRun> missing;
  std::ranges::set_difference(all, there, std::back_inserter(missing));
  std::ranges::set_difference(there, all, std::back_inserter(d.extra));
  std::ranges::copy_if(wanted, std::back_inserter(d.missing), [&](const LinkRun& r) {
    return std::ranges::any_of(missing, [&](const LinkRun& m) {
      return m.from == r.from && m.port == r.port && m.begin <= r.begin &&
             r.begin < m.begin + m.flits;
    });
  });
  return d;
}

}  // namespace

SeenDifference difference(const std::vector<LinkRun>& expected, const LinkRecord& record,
                          bool sums) {
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
  if (sums) return difference_of_sums(wanted, seen);
  SeenDifference d;
  std::ranges::set_difference(wanted, seen, std::back_inserter(d.missing));
  std::ranges::set_difference(seen, wanted, std::back_inserter(d.extra));
  return d;
}

}  // namespace gossamer
