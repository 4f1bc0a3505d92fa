#pragma once

#include <optional>
#include <string>

#include "schedule/schedule.hpp"

namespace gossamer {

/// What an imported file does not say.
struct Meant {
  Model model;  ///< combining: a transfer may carry several messages
  std::optional<Collective> collective = std::nullopt;  ///< if the file leaves it open
  std::optional<Node> root = std::nullopt;              ///< if it cannot be seen in the file
};

/// Makes a schedule from the output of another program: MSCCL's XML, or a list of
/// links, chunks and times. `text` is the content of `file`. Throws
/// InputError "FILE:LINE: what is wrong".
Schedule import_schedule(std::string_view text, const std::string& file, const Topology& topology,
                         const Meant& meant);

/// Makes a schedule of an algorithm for MSCCL's runtime (XML). `meant` says what "custom" is; if it
/// names no root, that is the only rank that receives nothing, and in a gather or reduce sends
/// nothing. `text` is the content of `file`. Messages are cut into as few pieces as have parts, by
/// several steps or threadblocks, that cross each link in the same round. These parts need not be
/// neighbours: what a piece carries of its message does not matter to the fabric.
///
/// A node of a schedule keeps one sum of a message, to which it adds what comes. So what a rank
/// sends without something that it has received is sent before that comes, or in the same round.
///
/// The file says in which order things happen, not when. A step takes place as early as the steps
/// before it in its threadblock, the step for which it waits, and the model allow: what arrives in
/// a round can be sent on in the next one, and in a round a link carries each part of one message,
/// or of several if the model combines. A message that a node has from the start takes no round.
/// Steps for which the longest chains of others wait go first. Connections hold any number of
/// messages.
///
/// Throws InputError "FILE:LINE: ..." with the step that is wrong: it sends what is not there, or
/// may not be there yet, waits for itself, has no partner, puts a message in another's place, adds
/// a part a second time, is given back a sum with its own part that is not the whole one, or passes
/// on a sum without its own part. The checker decides whether links exist and everything arrives;
/// transfers have their steps' lines.
Schedule read_msccl_xml(std::string_view text, const std::string& file, const Topology& topology,
                        const Meant& meant);

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
