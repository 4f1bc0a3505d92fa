#pragma once

#include "node_life.hpp"
#include "rtl/block.hpp"

namespace gossamer::test {

/// A program for every node of a ring, whose nodes start with `own` words each: slots in which all
/// send the same way round, or both ways, or pass on, of random length, repeated and looped. Most
/// of them make sense; the more `spoiled` fields there are, the less.
std::vector<NodeProgram> random_programs(Random& random, const NodeBuild& build, Node nodes,
                                         std::uint32_t own, unsigned spoiled);

/// The program's words as they are written to a node, addresses of the configuration port; behind
/// table and lists zeros.
std::vector<Transfer> table_transfers(const NodeProgram& program, const NodeBuild& build,
                                      unsigned bank);

}  // namespace gossamer::test
