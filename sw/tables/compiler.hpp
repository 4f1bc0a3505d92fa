#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fabric/fabric.hpp"
#include "schedule/schedule.hpp"
#include "tables/link_stages.hpp"
#include "tables/timing.hpp"

namespace gossamer {

/// A schedule as the hardware runs it.
struct CompiledSchedule {
  FabricImage image;  ///< with room for own words, which a message's contents are (add_own_words)
  Timeline time;
  std::shared_ptr<const ScheduleTiming> timed;  ///< what the schedule's transfers carry, and when
  std::uint64_t flits_expected = 0;             ///< flits that will be on links, over all hops
  /// Of a reduction, and if it was asked for: what it brings, by node, then in order of messages.
  std::vector<Held> held = {};
  std::vector<std::uint64_t> log_words =
      {};  ///< by class, then log: how many words it has at the end
};

/// The nodes, of `ports` ports, that the tables of a schedule are for.
NodeKind node_kind(const Schedule& schedule, Port ports);

/// Turns a schedule into tables for nodes of `ports` ports (at least the topology's) and messages
/// of `flits` flits. Nodes of one class of the schedule's symmetry share a program. A schedule that
/// breaks the rules is compiled as far as tables can say it: the hardware notices. Throws
/// InputError if a path uses a link that does not exist or no node can be built with so many ports,
/// TooLarge if a log or the machine's memory is too small, std::overflow_error if a table field
/// overflows.
///
/// `timed`: what timed() worked out before; it is worked out here if it is missing or for another
/// number of flits or other `stages` of the links (LinkStages::on). `wide`: nodes of long lengths
/// and addresses (NodeKind::wide) will do if others do not. With a quotient of the schedule's
/// symmetry the image is that of its nodes alone. `places`: it must say what is where in the end.
CompiledSchedule compile(const Schedule& schedule, unsigned flits, Port ports, bool wide = false,
                         std::shared_ptr<const Quotient> quotient = nullptr,
                         std::shared_ptr<const ScheduleTiming> timed = nullptr,
                         const PortStages& stages = {}, bool places = false);

/// Words that node `x` has of its own. In a reduction all nodes have as many, members or not.
std::uint64_t own_words(const Schedule& schedule, Node x, const ChunkFlits& flits);
/// The messages that node `x` starts with, in the order in which the store holds them: by
/// destination, in the node order of its class representative.
std::vector<Message> own_messages(const Schedule& schedule, Node x);

}  // namespace gossamer
