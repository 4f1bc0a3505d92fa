#pragma once

#include <cstdint>
#include <vector>

#include "run/runner.hpp"
#include "schedule/schedule.hpp"
#include "tables/timing.hpp"

namespace gossamer {

/// Flits that a transfer sends without a gap: all its messages, or one message of an adaptive
/// transfer; over a tree, on one of its hops. With orbits it stands for its translations, too.
struct PageStream {
  /// What `hop` is for all hops of a path.
  static constexpr std::uint32_t kPath = ~std::uint32_t{0};
  std::uint32_t transfer = 0;     ///< index in schedule.transfers()
  std::uint64_t begin = 0;        ///< cycle in which its first flit is on the first link
  std::uint64_t count = 0;        ///< messages
  std::vector<Message> messages;  ///< in the order sent; empty if only `count` is known
  /// By message: on how many links of the path it really is, because of the faults; empty if on all
  /// of them.
  std::vector<std::uint32_t> links;
  std::uint32_t hop = kPath;  ///< of a tree

  std::uint32_t links_of(std::size_t message, std::uint32_t path_links) const {
    return links.empty() ? path_links : links[message];
  }
};

/// The hops that a stream stands for.
std::vector<TransferHop> hops_of(const Schedule& schedule, const PageStream& stream);

/// All streams of a schedule that can be timed, by transfer. Up to `most` messages are listed in
/// total; beyond that, transfers of everything only have a number. `carried` is the checker's
/// (CheckReport).
std::vector<PageStream> page_streams(const Schedule& schedule, const ScheduleTiming& timed,
                                     const std::vector<std::uint64_t>& carried, std::uint64_t most);

/// Sets the `links` of the listed messages of a schedule without orbits that is not adaptive: a
/// node sends only what it holds, and what reaches something dead ends there.
void mark_losses(const Schedule& schedule, std::vector<PageStream>& streams);

/// How many expected_runs() and lost_runs() have together.
std::uint64_t count_runs(const Schedule& schedule, const std::vector<PageStream>& streams);
/// What the monitors of the links should see of these streams, whose messages are all listed:
/// orbits and paths expanded, by cycle, then link.
std::vector<LinkRun> expected_runs(const Schedule& schedule, const Timeline& time,
                                   const std::vector<PageStream>& streams, unsigned flits);
/// What they would see besides these without the faults.
std::vector<LinkRun> lost_runs(const Schedule& schedule, const Timeline& time,
                               const std::vector<PageStream>& streams, unsigned flits);

}  // namespace gossamer
