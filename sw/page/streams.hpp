#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "checker/checker.hpp"
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
  bool lost = false;              ///< an adaptive transfer would send it without the faults
  std::uint32_t hop = kPath;      ///< of a tree
};

/// The hops that a stream stands for.
std::vector<TransferHop> hops_of(const Schedule& schedule, const PageStream& stream);

/// All streams of a schedule that can be timed, by transfer. Up to `most` messages are listed in
/// total; beyond that, transfers of everything only have a number. `carried` is the checker's
/// (CheckReport).
std::vector<PageStream> page_streams(const Schedule& schedule, const ScheduleTiming& timed,
                                     const std::vector<std::uint64_t>& carried, std::uint64_t most);

/// How many link_runs() has, of both kinds together.
std::uint64_t count_runs(const Schedule& schedule, const std::vector<PageStream>& streams);
/// What the monitors of the links should see of these streams, whose messages are all listed:
/// orbits and paths expanded, by cycle, then link; or, if `lost`, what they would see besides that
/// without the faults.
std::vector<LinkRun> link_runs(const Schedule& schedule, const Timeline& time,
                               const std::vector<PageStream>& streams, unsigned flits,
                               bool lost = false);

/// Who knows what, and since when: of one node of each class, as it numbers the nodes.
struct Knowledge {
  static constexpr std::uint32_t kNever = ~std::uint32_t{0};
  /// The round in which each node's message has come, 0 if it is there from the start; of messages
  /// to one node that in which the own message has come there; of sums, by node, that in which
  /// each node's part came into the sum: of a reduce-scatter into that of its own block.
  std::vector<std::vector<std::uint32_t>> came;
  std::vector<std::vector<std::uint32_t>> left;  ///< of messages to one node: when they set out
};
Knowledge knowledge(const Schedule& schedule, const std::vector<PageStream>& streams);

/// The most numbers in a page: paths and messages as the schedule lists them, messages of transfers
/// of everything, and who knows what.
inline constexpr std::uint64_t kMostNumbers = 400'000;
inline constexpr std::uint64_t kMostListed = 300'000;
inline constexpr std::uint64_t kMostKnown = 8'000'000;

/// For a schedule that is too long for a page: the load of the links of blocks of nodes, by port,
/// and of all links by groups of rounds, in busy cycles.
nlohmann::ordered_json sums_json(const Schedule& schedule, const CheckReport& checked,
                                 unsigned flits);

}  // namespace gossamer
