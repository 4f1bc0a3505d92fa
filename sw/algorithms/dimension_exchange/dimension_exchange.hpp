#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/common/algorithm.hpp"
#include "topology/topology.hpp"

namespace gossamer::dimension_exchange {

/// The graphs whose total exchanges we have a rule for (Dimakopoulos-Dimopoulos 1998, sections 4.1
/// and 5.1). Those of other graphs are planned by any-graph.
enum class Kind { Ring, Path, Complete, Other };

/// A ring of two or three nodes, and a path of two, are complete graphs.
Kind kind_of(const Graph& graph);

/// Hops in one dimension, in digits. Their place is their round.
using Round = std::vector<Hop>;

/// Rounds in which no message hops twice: what they send is present when the stage begins, so they
/// may be delayed and interleaved with others.
using Stage = std::vector<Round>;

/// A total exchange in one dimension. Translations by `period` digits leave all rounds unchanged,
/// so only the hops from digits 0 .. period-1 are listed.
struct Exchange {
  Node period = 1;
  std::vector<Stage> stages;
};
/// Its rounds one after the other.
std::vector<Round> rounds_of(const Exchange& exchange);

/// In the fewest rounds. With a single port: rings floor(n^2/4), complete graphs n-1 and other
/// Cayley graphs the sum of the distances of a node, which is bound (3); paths n^2/2 - 1 or
/// (n^2-1)/2, which is what an inner node has to send. With all ports, which is bound (4): rings
/// (n^2-1)/8 or ceil(n^2/8), paths floor(n/2) ceil(n/2), complete graphs 1. Of other graphs what
/// any-graph finds.
Exchange exchange(const Graph& graph, PortModel ports);
std::uint64_t rounds(const Graph& graph, PortModel ports);

/// Hops of all messages of all nodes (the sum of all distances).
std::uint64_t hops(const Graph& graph);

/// How far the exchange may be translated: Exchange::period without building the exchange.
Node period(const Graph& graph, PortModel ports);

}  // namespace gossamer::dimension_exchange

/// Shared by the algorithms of products (Dimakopoulos-Dimopoulos 1998, and ours): a product
/// consists of copies of each of its dimensions, and the same exchange runs in all copies at once.
namespace gossamer::copies {

/// The message that a node puts into an exchange: origin and destination as translations of that
/// node.
struct Carried {
  Node origin = 0, destination = 0;
};

/// What a node has for each node of its copy of some dimensions, by the offset in these; [0] is
/// unused.
using Batch = std::vector<Carried>;
/// What it has at the start.
Batch own_messages(Node nodes);
/// What a node has after every node has sent such a message `offset` on, in the dimensions from
/// `first` on.
Carried moved(const Topology& topology, const Carried& there, Node offset, std::size_t first);

/// A schedule without hops, under the translations that leave the exchanges of all dimensions
/// unchanged.
Schedule empty_schedule(const Request& request);

/// Appends hops of the exchanges to a schedule.
class Writer {
 public:
  explicit Writer(Schedule& schedule);

  /// How far the message of a hop goes in `dimension`.
  Node offset(std::size_t dimension, const Hop& hop) const;
  /// A hop in all copies of `dimension`, of what all nodes have for the node `offset` digits on.
  void add(std::uint32_t round, std::size_t dimension, const Hop& hop, const Carried& carried);

 private:
  Node replace_digit(Node x, std::size_t dimension, Node digit) const;

  Schedule& schedule_;
  /// One of each class, by dimension and digit.
  std::vector<std::vector<std::vector<Node>>> nodes_;
};

/// An exchange in one dimension, after so many rounds.
struct Turn {
  std::uint64_t after = 0;
  Batch batch;
};
/// The exchanges of each dimension, one after the other, as a schedule.
Schedule all_port_schedule(const Request& request, const std::vector<std::vector<Turn>>& turns);

/// Why none of them can serve: not total exchange, not full duplex, a dimension without an
/// exchange, or too many transfers to list.
std::optional<std::string> refuses(std::string_view name, const Request& request);

}  // namespace gossamer::copies
