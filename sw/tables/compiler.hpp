#pragma once

#include <memory>
#include <vector>

#include "schedule/schedule.hpp"
#include "tables/compiled.hpp"
#include "tables/link_stages.hpp"

namespace gossamer {

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
/// symmetry the image is that of its nodes alone.
CompiledSchedule compile(const Schedule& schedule, unsigned flits, Port ports, bool wide = false,
                         std::shared_ptr<const Quotient> quotient = nullptr,
                         std::shared_ptr<const ScheduleTiming> timed = nullptr,
                         const PortStages& stages = {});

/// Throws InputError if no node can be built with as many ports as this topology has.
void refuse_too_many_ports(const Topology& topology);
/// Throws InputError if such a collective cannot run, whatever its schedule: because of the ports,
/// or because there are more messages than words.
void refuse_unrunnable(const Topology& topology, Collective collective, unsigned flits);
/// Throws InputError if the longest message has fewer flits than pieces: a table cannot send what
/// has no words.
void refuse_empty_pieces(const ChunkFlits& cut);

/// The hardware's number of an operator; it counts from 1 on.
std::uint32_t operator_number(Operator op);

/// Words that node `x` has of its own. In a reduction all nodes have as many, members or not.
std::uint64_t own_words(const Schedule& schedule, Node x, const ChunkFlits& flits);
/// The messages that node `x` starts with, in the order in which the store holds them: by
/// destination, in the node order of its class representative.
std::vector<Message> own_messages(const Schedule& schedule, Node x);

}  // namespace gossamer
