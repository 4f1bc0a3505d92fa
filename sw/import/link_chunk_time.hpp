#pragma once

#include <string>

#include "import/meant.hpp"

namespace gossamer {

/// Reads a gossip (all-gather) that another program has planned; `text` is the content of `file`:
///   from,to,chunk,time             a line for each time that a chunk leaves a node; or
///   from,to,latency,bandwidth,chunk:time,chunk:time,...   a line for each link, after a line that
///                                  begins with SrcID, as TACOS writes it; "None" for no chunk
///                                  ("NPUs Count,N" before it must be the number of nodes)
/// Chunk c is the message of node c. Times are any numbers; those that are equal are one round, in
/// increasing order. If several chunks leave on a link at a time, the schedule is combining. Lines
/// of words before the first number are skipped. Throws InputError "FILE:LINE: what is wrong"; the
/// checker judges the rest, and names the line.
Schedule read_link_chunk_time(std::string_view text, const std::string& file,
                              const Topology& topology, const Meant& meant);

}  // namespace gossamer
