#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tables/compiler.hpp"
#include "tables/node_build.hpp"

namespace gossamer {

/// A schedule that the nodes of a fabric run beside others, each as a program of its own
/// (docs/hardware/table-format.md, "Programs").
struct Program {
  std::string name = {};  ///< for messages
  const Schedule* schedule = nullptr;
  unsigned flits = 1;  ///< of a message
  PortStages stages = {};
  std::shared_ptr<const ScheduleTiming> timed = nullptr;  ///< if it is known
  std::uint32_t seed = 1;                                 ///< of the messages' contents
  /// The program whose logs it goes on with, if it does not begin with empty ones; and one before
  /// it whose results it starts with.
  std::optional<std::size_t> after = {}, takes = {};
  /// The first of those that run at the same time, on nodes of their own; none: it is the first.
  std::optional<std::size_t> beside = {};
};

/// All of them in the nodes' tables.
struct Programs {
  FabricImage image;
  std::vector<CompiledSchedule> alone;  ///< each, as if it were the only one
  /// By number in the tables: those that it starts, the first one before others.
  std::vector<std::vector<std::size_t>> starts = {};
  std::vector<std::size_t> numbers = {};            ///< by program: its number
  std::vector<std::vector<std::size_t>> runs = {};  ///< by number, then node: what runs there

  /// Words of a log, one behind the other.
  struct Run {
    unsigned log = 0;
    std::uint32_t first = 0, words = 0;
    auto operator<=>(const Run&) const = default;
  };
  /// Until a start's last word has arrived.
  std::uint64_t cycles(std::size_t number) const;
  /// Where what belongs to a program is in a node.
  struct Place {
    std::uint32_t own = 0, own_words = 0;  ///< what it starts with, in the own log; words of all
    std::vector<Run> taken = {};           ///< ... or here
    std::vector<std::uint32_t> logs;       ///< by log: words before those that the program brings
    auto operator<=>(const Place&) const = default;
    /// The place of a word that the program alone has in another one.
    LogPlace of(const NodeKind& kind, unsigned log, std::uint32_t index) const;
  };
  std::vector<std::vector<Place>> places;  ///< by program, then node
  /// Words of each node's packet for a start, if own words come before each run: by number, then
  /// node.
  std::vector<std::uint32_t> packets;
};

/// For nodes of `ports` ports at least. Own words are in the image, those of each program in a
/// region of their own; or they come before each run, and begin at 0. Throws InputError, with the
/// name of a program, if nodes of one kind cannot run them all, two that run at the same time need
/// the same node, or one cannot start with what another one brings. Several are for the nodes of
/// share_nodes().
Programs programs_of(std::span<const Program> programs, Port ports, bool own_words_come = false);

/// The kind of nodes that all of these schedules run on: sets Schedule::nodes of each. They have
/// all ports unless each schedule is for single-port nodes.
void share_nodes(std::span<Schedule* const> schedules);

/// Words in a node's log when a program has ended: of the message of a node, from a flit on.
struct HeldWords {
  Node node = 0;
  unsigned log = 0;
  std::uint32_t first = 0, words = 0;
  Node origin = 0;
  std::uint32_t flit = 0;
};
/// What start `number` brings to each node; none if fabrics are too large to say so.
std::vector<HeldWords> results_of(std::span<const Program> programs, const Programs& all,
                                  std::size_t number);
/// "at NODE LOG FIRST WORDS ORIGIN FLIT"
std::string to_string(const HeldWords& result);

/// A word of tables as a host writes it: to one node, or to all (kNoNode).
struct TableWrite {
  Node node = kNoNode;
  unsigned region = 0;  ///< CFG_SLOTS, CFG_LISTS, or AXI_PACKET, whose addresses are programs
  std::uint32_t address = 0, word = 0;
};
/// Writes of registers that load tables over AXI, besides those of their words.
constexpr std::size_t kLoadControl = 4;
/// All words, with the ends behind them. The one that most nodes have at a place is written to all
/// of them, before those of the others. `packets`: as in Programs.
std::vector<TableWrite> table_writes(const FabricImage& image, const NodeDepths& depths,
                                     std::span<const std::uint32_t> packets = {});

}  // namespace gossamer
