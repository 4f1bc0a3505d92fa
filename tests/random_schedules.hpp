#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "schedule/schedule.hpp"

/// Random legal schedules of every collective and model on small topologies, and small mistakes in
/// them. They keep the rules of docs/use/schedule-format.md by their own account, which slow_check
/// confirms.
namespace gossamer::test {

/// A transfer as a line of a file.
struct Line {
  std::uint32_t round = 1;
  std::vector<Node> path;         ///< of a tree its source
  std::vector<Branch> tree = {};  ///< empty: a path
  std::vector<Message> messages = {};
  Carry carry = Carry::Listed;
};

/// A schedule as a file that can be edited.
struct Script {
  Topology topology;
  Collective collective = Collective::Gossip;
  Model model = {};
  std::vector<Node> translations = {};  ///< generators
  Node root = 0;
  Members members = {};
  Sizes sizes = {};
  std::uint32_t pieces = 1;
  Operator op = Operator::OP_SUM;
  std::vector<Line> lines = {};

  Schedule without_lines() const;
  /// Lines in order of rounds; each keeps its number.
  Schedule schedule() const;
  std::string text() const;  ///< the file, for failure messages
};

/// All translations become lines of their own. Faults are not kept.
Script script_of(const Schedule& schedule);

/// What may be drawn, besides gossip, total exchange, broadcast, scatter and gather among all nodes
/// of regular graphs.
struct Kinds {
  bool complete = false;  ///< until everything has arrived; else up to five rounds
  bool orbits = false;    ///< translations, where the rest allows them
  bool trees = false;
  bool pieces = false;
  bool members = false;  ///< groups, and several of them
  bool sizes = false;
  bool sums = false;
  bool odd_graphs = false;  ///< doubled and one-way links
  bool everything = true;   ///< "*"
  bool hop_rounds = false;  ///< of pipelined paths more than 1
  Port ports = 8;           ///< of a node, at most

  static Kinds all() { return {false, true, true, true, true, true, true, true, true, true}; }
};

Script random_script(std::mt19937& random, const Model& model, const Kinds& kinds);
/// An adaptive gossip: in each round all nodes send through the same ports, until every port was
/// used.
Script adaptive_script(std::mt19937& random);

/// The same with the lines of each round in another order; not if that would give them other links.
Script shuffled(Script script, std::mt19937& random);
/// Up to three random changes. Says what they are.
std::string mutate(Script& script, std::mt19937& random);

template <typename List>
const auto& pick(std::mt19937& random, const List& list) {
  return std::begin(list)[random() % std::size(list)];
}

/// All models; `runnable`: those that hardware can run with any schedule.
std::vector<Model> all_models(bool runnable);
std::string name_of(const Model& model);

}  // namespace gossamer::test
