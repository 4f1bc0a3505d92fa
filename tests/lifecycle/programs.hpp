#pragma once

#include "node_life.hpp"
#include "rtl/block.hpp"

namespace gossamer::test {

/// A program for every node of a ring whose nodes start with `own` words each: slots of random
/// length, repeated and looped, in which all nodes send in one direction, in both, or pass flits
/// on. Most of the slots make sense; each of the `spoiled` fields has a random value.
std::vector<NodeProgram> random_programs(Random& random, const NodeBuild& build, Node nodes,
                                         std::uint32_t own, unsigned spoiled);

/// The program's words as they are written to a node, with addresses of the configuration port;
/// zeros follow the table and the lists. `number`: which of the node's programs it is.
std::vector<Transfer> table_transfers(const NodeProgram& program, const NodeBuild& build,
                                      unsigned bank, std::uint32_t number = 0);

}  // namespace gossamer::test
