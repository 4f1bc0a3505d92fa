#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "checker/checker.hpp"
#include "schedule/schedule.hpp"

/// Schedules to test with. They are built by hand, so that the checker is tested without any
/// algorithm of the library.
namespace gossamer::samples {

/// Gossip on a full-duplex ring by rotation, n-1 rounds, stored as one orbit per round.
Schedule ring_orbits(Node n);
/// The same with every transfer separately.
Schedule ring_expanded(Node n);
/// All-port combining gossip on any topology: every node sends everything to all neighbours.
Schedule flood(const Topology& topology, std::uint32_t rounds);

/// A random schedule, invariant under a random group, of one-hop transfers of everything. Legal,
/// and complete more often than not.
Schedule random_legal(std::mt19937& random);
/// A random schedule, invariant under a random group, of any model; hardly ever legal.
Schedule random_wild(std::mt19937& random);

/// The schedule written to a file and read back: all orbits expanded.
Schedule expanded(const Schedule& schedule);
/// The text of its file, and a schedule from such a text.
std::string text_of(const Schedule& schedule);
Schedule from_text(const std::string& text);

/// A gossip, broadcast, ... with no transfers yet.
Schedule empty(const std::string& topology, Collective collective, Model model);

/// Appends a transfer given by braces.
void add(Schedule& schedule, std::uint32_t round, std::vector<Node> path,
         std::vector<Message> messages, std::uint32_t line = 0);

/// All broken rules, one per line, for comparing and for failure messages.
std::string faults_of(const Schedule& schedule);

}  // namespace gossamer::samples
