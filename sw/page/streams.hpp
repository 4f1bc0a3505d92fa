#pragma once

#include <cstdint>
#include <vector>

#include "driver/runner.hpp"
#include "schedule/schedule.hpp"
#include "tables/timing.hpp"

namespace gossamer {

/// Flits that a transfer sends without a gap: all its messages, or one message of an adaptive
/// transfer. With orbits it stands for its translations, too.
struct PageStream {
  std::uint32_t transfer = 0;     ///< index in schedule.transfers()
  std::uint64_t begin = 0;        ///< cycle in which its first flit is on the first link
  std::uint64_t count = 0;        ///< messages
  std::vector<Message> messages;  ///< in the order sent; empty if only `count` is known
};

/// All streams of a schedule that can be timed, by transfer. Up to `most` messages are listed in
/// total; beyond that, transfers of everything only have a number. `carried` is the checker's
/// (CheckReport).
std::vector<PageStream> page_streams(const Schedule& schedule, const Timeline& time,
                                     const std::vector<std::uint64_t>& carried, unsigned flits,
                                     std::uint64_t most);

/// What the monitors of the links should see of these streams, whose messages are all listed:
/// orbits and paths expanded, by cycle, then link.
std::vector<LinkRun> expected_runs(const Schedule& schedule, const std::vector<PageStream>& streams,
                                   unsigned flits);

}  // namespace gossamer
