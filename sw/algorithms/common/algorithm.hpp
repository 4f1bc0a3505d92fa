#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "schedule/model.hpp"
#include "schedule/remains.hpp"
#include "schedule/schedule.hpp"
#include "support/error.hpp"
#include "topology/topology.hpp"

namespace gossamer {

/// What a schedule must do.
struct Request {
  Topology topology;
  Collective collective = Collective::Gossip;
  PortModel ports = PortModel::Single;
  Duplex duplex = Duplex::Full;
  Node root = 0;
  std::vector<Node> cycle = {};  ///< a hamiltonian cycle given by the user; empty: find one
  bool tolerant = false;         ///< choose fault-tolerant algorithms only
  std::optional<unsigned> tolerance = std::nullopt;  ///< faults to tolerate; default: the most
  std::optional<double> seconds = std::nullopt;      ///< how long to search anew; none: do not
  std::uint32_t seed = 1;                            ///< of a search
  unsigned flits = 1;     ///< of a (longest) message: what is best may depend on it,
  std::uint32_t hop = 1;  ///< and on the cycles of a hop, the slowest if they differ
  std::optional<std::uint32_t> pieces = std::nullopt;  ///< of a message; none: what is best
  bool fewest_rounds = false;                          ///< is best, and not the fewest cycles
  Members members = {};                                ///< who takes part
  Sizes sizes = {};    ///< of the messages, if they are not equally long
  bool joins = false;  ///< do its nodes join, because other schedules of theirs reduce?
  /// If something is dead, what was asked: the request is of what remains of that.
  std::shared_ptr<const Whole> whole = nullptr;
  const Topology& whole_topology() const { return whole ? whole->schedule.topology() : topology; }
  /// Do all nodes take part, with messages of one length, over links of both directions?
  bool regular() const { return members.all() && sizes.equal() && !topology.one_way(); }
};

/// A schedule for the request, without transfers.
inline Schedule empty_schedule(const Request& request, const Model& model) {
  Schedule schedule(request.topology, request.collective, model);
  schedule.members = request.members;
  schedule.sizes = request.sizes;
  if (has_root(request.collective)) schedule.root = request.root;
  return schedule;
}

/// A search ended without a schedule, though there may be one: another algorithm is asked.
class NotFound : public InputError {
 public:
  using InputError::InputError;
};

/// The closed form of a paper for one request.
struct Formula {
  std::string text;          ///< "2(n-1)"
  std::uint64_t rounds = 0;  ///< its value
  /// Hops of the longest path of each round, summed; no value if the paper does not give it.
  std::optional<std::uint64_t> delta_sum = std::nullopt;
};

/// A collective in a model of ports and links.
struct Serves {
  Collective collective = Collective::Gossip;
  PortModel ports = PortModel::Single;
  Duplex duplex = Duplex::Full;
  bool operator==(const Serves&) const = default;
};

/// Every combination, in the order in which they are preferred for a request that leaves them open.
std::vector<Serves> every(const std::vector<Collective>& collectives,
                          const std::vector<PortModel>& ports, const std::vector<Duplex>& duplexes);

/// An algorithm of a paper (or ours), by its name.
struct Algorithm {
  std::string name;
  std::string source = "ours";  ///< or "Dimakopoulos 1999, section 3"
  std::string summary;          ///< collective and model, for `gossamer list`
  /// What it serves on some topologies; it refuses everything else.
  std::vector<Serves> serves;
  /// What it needs besides, of what it serves, if a request lacks it. Null: nothing.
  std::optional<std::string> (*needs)(const Request&) = nullptr;
  /// Null: no formula gives the rounds, only a plan does.
  Formula (*formula)(const Request&) = nullptr;
  /// Its schedule, but for its name.
  Schedule (*make)(const Request&);
  /// How many faulty nodes and links (together) its schedule for a request tolerates. Null: it is
  /// not fault-tolerant. Tolerant requests are given to fault-tolerant algorithms, and to no
  /// others.
  unsigned (*tolerates)(const Request&) = nullptr;
  /// Can it search for a schedule, for the time in Request::seconds?
  bool searches = false;
  Switching switching = Switching::Packet;  ///< of its schedules
  bool combining = false;                   ///< do their transfers carry several messages?
  /// Does it serve graphs that other algorithms are made for? With equal rounds the others are
  /// chosen: their schedules are symmetric and far shorter.
  bool any_graph = false;
  /// Does it go along a cycle that is given?
  bool takes_cycle = false;
  Node most_nodes = kNoNode;  ///< of a topology
  /// May its search take longer than anybody waits for, where others serve too? Null: never.
  bool (*slow)(const Request&) = nullptr;
  /// Does a gossip have an initiator, Request::root?
  bool has_initiator = false;
  /// Does it cut messages into pieces? If it brings any chunks to any nodes, then as it is asked.
  bool cuts = false;
  /// Does it bring any chunks to any nodes: can a group of the nodes take part, and the others only
  /// pass on; may messages be unequal?
  bool any_chunks = false;
  /// Does it serve links of one direction? What brings any chunks to any nodes does.
  bool one_way = false;

  /// Why it cannot serve a request; nothing if it can.
  std::optional<std::string> refuses(const Request& request) const;
  /// Only for requests that it does not refuse.
  Schedule plan(const Request& request) const;
};

/// Does it cut messages as their flits make it best, without being asked to?
inline bool cuts_by_itself(const Algorithm& algorithm, Collective collective) {
  return algorithm.cuts && (algorithm.switching != Switching::Packet || reduces(collective));
}

/// A gather from a scatter: time and directions reversed, origins and destinations exchanged.
std::vector<Hop> reversed(std::vector<Hop> hops);

/// Reserves memory in the empty `schedule` of a gossip without combining. It will have a transfer
/// of one hop for each message that each node receives, N(N-1) altogether, of which one of each
/// orbit is kept. Throws TooLarge before any of them is made if there is not enough memory, and
/// says how many nodes would fit.
void make_room_for_gossip(Schedule& schedule);

/// Throws TooLarge if the schedule of such a gossip would not fit in memory even if one transfer
/// stood for `order` of them: for plans that learn their symmetry only after long work.
void require_room_for_gossip(const Topology& topology, std::uint64_t order);

/// A group of the nodes is served by what an algorithm plans for all of them, and so are messages
/// that are not equally long: of that schedule what the group needs is kept, in the same order.
/// Others only pass on what members need.

/// Why an algorithm does not serve a request in this way; nothing if it does, as far as its plan
/// for all nodes goes.
std::optional<std::string> why_no_excerpt(const Algorithm& algorithm, const Request& request);

/// The request of all nodes, with messages of one length.
Request for_all_nodes(Request request);

/// What is needed of a schedule for all nodes.
Schedule excerpt(const Schedule& all, const Request& request);

/// The classes of nodes of schedules in which all nodes of a class do the same, on a topology whose
/// nodes can all be translated to one another.
///
/// Over full-duplex links there is one class. Over half-duplex links the ends of a link may not
/// send at the same time. If the link leads through different ports of its ends, every node may
/// still do the same, as long as it does not use both of these ports. But some links lead through
/// the same port of both ends, to a node r/2 digits on in a dimension of r nodes: all links of a
/// hypercube, for example. If there are such dimensions, and 2^a is the largest power of two that
/// divides one of their sides, there are 2^a classes. A node's class is the sum modulo 2^a of its
/// digits in these dimensions, each times 2^a over the power of two in its side. So the classes of
/// the ends of such links differ by half of 2^a.
class SenderClasses {
 public:
  SenderClasses(const Topology& topology, Duplex duplex);

  Node count() const { return count_; }
  Node of(Node x) const { return count_ == 1 ? 0 : class_of_[x]; }
  Node representative(Node c) const { return c * unit_; }
  /// Translations that leave every node in its class.
  const std::vector<Node>& generators() const { return generators_; }

 private:
  Node count_ = 1;
  Node unit_ = 0;               ///< a node of class 1; 0 if there is one class
  std::vector<Node> class_of_;  ///< empty if there is one class
  std::vector<Node> generators_;
};

/// The port through which a hop through port p comes, of a topology whose nodes can all be
/// translated.
inline Port port_back(const Topology& topology, Port p) { return topology.peer(0, p).port; }

}  // namespace gossamer
