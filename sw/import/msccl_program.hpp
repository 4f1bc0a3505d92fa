#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "import/meant.hpp"

namespace gossamer::msccl {

/// What a step does with chunks: it takes what comes from its threadblock's peer, or what stands at
/// its source; or, if it reduces, what both are added up (of a step that receives nothing: source
/// and destination). This it puts at its destination, sends to the other peer, or both.
struct Does {
  bool receives = false, reduces = false, writes = false, sends = false;

  bool nothing() const { return !writes && !sends; }
  bool reads() const { return !nothing() && (!receives || reduces); }
};
constexpr bool sends(Does d) { return d.sends; }
constexpr bool receives(Does d) { return d.receives; }

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

}  // namespace gossamer::msccl
