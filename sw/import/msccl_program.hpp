#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "import/import.hpp"
#include "support/refuse.hpp"

namespace gossamer::msccl {

/// What a step does with chunks: it takes what comes from its threadblock's peer, or what stands at
/// its source; or, if it reduces, what both are added up (of a step that receives nothing: source
/// and destination). This it puts at its destination, sends to the other peer, or both.
struct Does {
  bool receives = false, reduces = false, writes = false, sends = false;

  bool nothing() const { return !writes && !sends; }
  bool reads() const { return !nothing() && (!receives || reduces); }
  bool operator==(const Does&) const = default;
};
constexpr bool sends(Does d) { return d.sends; }
constexpr bool receives(Does d) { return d.receives; }

/// What steps do by their types in the file.
inline constexpr std::pair<std::string_view, Does> kTypes[] = {
    {"nop", {}},
    {"s", {.sends = true}},
    {"r", {.receives = true, .writes = true}},
    {"rcs", {.receives = true, .writes = true, .sends = true}},
    {"cpy", {.writes = true}},
    {"re", {.reduces = true, .writes = true}},
    {"rrc", {.receives = true, .reduces = true, .writes = true}},
    {"rrs", {.receives = true, .reduces = true, .sends = true}},
    {"rrcs", {.receives = true, .reduces = true, .writes = true, .sends = true}}};

/// The collectives by their names in the file, the usual one first.
inline constexpr std::pair<std::string_view, Collective> kCollectives[] = {
    {"allgather", Collective::Gossip},
    {"alltoall", Collective::TotalExchange},
    {"broadcast", Collective::Broadcast},
    {"scatter", Collective::Scatter},
    {"gather", Collective::Gather},
    {"reduce", Collective::Reduce},
    {"reduce_scatter", Collective::ReduceScatter},
    {"reducescatter", Collective::ReduceScatter},
    {"allreduce", Collective::AllReduce}};

/// The first of the places, one behind the other, that a step reads or writes: in buffer i(nput),
/// o(utput) or s(cratch) of its rank.
struct Place {
  char buffer = 'i';
  std::uint32_t offset = 0;
};

inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

struct Step {
  std::uint32_t line = 0;
  Does does;
  Place source, destination;
  std::uint32_t count = 0;            ///< chunks
  std::uint32_t after_block = kNone;  ///< it waits for a step of this threadblock
  std::uint32_t after_step = kNone;
  bool awaited = false;  ///< another step may wait for this one
};

/// A threadblock: steps that follow each other.
struct Block {
  std::uint32_t line = 0;
  Node to = kNoNode, from = kNoNode;  ///< the ranks it sends to and receives from
  std::uint32_t channel = 0;
  std::vector<Step> steps;
};

struct Rank {
  std::uint32_t line = 0;
  std::vector<Step> copies;  ///< of input that is in the output from the start
  std::vector<Block> blocks;
};

/// An algorithm for MSCCL's runtime, with the threadblocks of each rank.
struct Program {
  Collective collective = Collective::Gossip;
  Node root = 0;             ///< of a broadcast, scatter, gather or reduce
  bool in_place = false;     ///< the input is a part of the output, or all of it
  std::uint32_t chunks = 1;  ///< of each message
  std::vector<Rank> ranks;
};

/// Reads the XML. `file` is its name. Throws InputError "FILE:LINE: ..." if it is no such program:
/// steps that no runtime would take.
Program read_program(std::string_view text, const std::string& file, Node nodes,
                     const Meant& meant);

/// A step by its number among all, in the order of ranks and threadblocks.
using StepId = std::uint32_t;
using BlockId = std::uint32_t;

struct BlockInfo {
  Node rank = 0;
  const Block* block = nullptr;
  StepId first = 0;
  StepId end() const { return first + static_cast<StepId>(block->steps.size()); }
};

/// The steps of a program, and which of them must come before which others. `program` and `file`
/// must outlive it. Throws InputError if steps wait for one another, or do not pair up.
class Order {
 public:
  Order(const Program& program, const std::string& file);

  const std::vector<BlockInfo>& blocks() const { return blocks_; }
  std::size_t steps() const { return steps_.size(); }
  const Step& step(StepId s) const { return *steps_[s]; }
  /// The threadblock at the other end of the connection on which a block sends.
  BlockId receiver(BlockId b) const { return receiver_[b]; }
  /// The step that receives what a step sends.
  StepId partner(StepId s) const { return partner_[s]; }
  /// The step for which `s` of block `b` waits.
  std::optional<StepId> awaited(BlockId b, StepId s) const {
    if (steps_[s]->after_block == kNone) return std::nullopt;
    return blocks_[first_block_[blocks_[b].rank] + steps_[s]->after_block].first +
           steps_[s]->after_step;
  }
  BlockId block_of_awaited(BlockId b, StepId s) const {
    return first_block_[blocks_[b].rank] + steps_[s]->after_block;
  }
  /// Has `a` been taken, in whatever order threadblocks go on, when `b` is?
  bool precedes(StepId a, StepId b) const;
  /// How many chunks are sent one after the other from this step to the last that needs it.
  std::uint64_t chain(StepId s) const { return chain_[s]; }

 private:
  template <typename... Args>
  [[noreturn]] void wrong(StepId s, fmt::format_string<Args...> why, Args&&... args) const {
    fail(file_, steps_[s]->line, why, std::forward<Args>(args)...);
  }

  /// Pairs the ends of connections, and what is sent with what is received.
  void connect();
  std::vector<StepId> of(BlockId b, bool (*does)(Does)) const;
  void find_chains();

  /// Names a step that waits for itself: back from one that waits, until one comes again.
  [[noreturn]] void refuse_cycle(const std::vector<std::vector<StepId>>& next,
                                 const std::vector<std::uint32_t>& open) const;

  const std::string& file_;
  std::vector<BlockInfo> blocks_;
  std::vector<const Step*> steps_;
  std::vector<BlockId> block_;        ///< of each step
  std::vector<BlockId> first_block_;  ///< of each rank
  std::vector<BlockId> receiver_;
  std::vector<StepId> partner_;                ///< of a step that sends: the one that receives it
  std::vector<std::array<StepId, 3>> before_;  ///< the steps that each step follows, or kNone
  std::vector<StepId> place_;                  ///< in an order in which they may be taken
  std::vector<std::uint64_t> chain_;
};

}  // namespace gossamer::msccl
