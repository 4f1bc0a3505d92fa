#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "schedule/faults.hpp"
#include "schedule/members.hpp"
#include "schedule/model.hpp"
#include "topology/topology.hpp"

namespace gossamer {

/// A message by its origin and, if each pair has its own, its destination; or a piece of it.
struct Message {
  Node origin = 0;
  Node destination = kNoNode;  ///< kNoNode: the same message for everybody
  std::uint32_t piece = 0;
  auto operator<=>(const Message&) const = default;
};

inline Message moved(const Message& m, const Translation& by) {
  return {by(m.origin), m.destination == kNoNode ? kNoNode : by(m.destination), m.piece};
}

/// A message crosses a link in a round.
struct Hop {
  std::uint32_t round = 0;
  Node from = 0, to = 0;
  Message message;
};

/// The flits of a message's pieces: the first of them have one more than the others if they cannot
/// be equal.
struct PieceFlits {
  std::uint32_t flits = 1, pieces = 1;
  std::uint32_t of(std::uint32_t piece) const {
    return pieces == 1 ? flits : flits / pieces + (piece < flits % pieces ? 1 : 0);
  }
  /// The first one, counted in the whole message.
  std::uint32_t first(std::uint32_t piece) const {
    return pieces == 1 ? 0 : flits / pieces * piece + std::min(piece, flits % pieces);
  }
  /// The piece that has this flit of the whole message.
  std::uint32_t piece(std::uint32_t flit) const {
    const std::uint32_t longer = flits % pieces, length = flits / pieces;
    const std::uint32_t begin = longer * (length + 1);
    return flit < begin ? flit / (length + 1) : longer + (flit - begin) / length;
  }
};

/// The flits of every message and piece of a collective.
class ChunkFlits {
 public:
  /// `flits` of a message counts if messages are equally long.
  ChunkFlits(std::uint32_t flits, std::uint32_t pieces, Sizes sizes)
      : most_{sizes.equal() ? flits : sizes.most(), pieces}, sizes_(std::move(sizes)) {}

  /// The pieces of its message.
  PieceFlits cut(const Message& m) const {
    return sizes_.equal() ? most_ : PieceFlits{sizes_.of(m.origin, m.destination), most_.pieces};
  }
  std::uint32_t of(const Message& m) const { return cut(m).of(m.piece); }
  /// The pieces of a longest message.
  const PieceFlits& longest() const { return most_; }
  std::uint32_t pieces() const { return most_.pieces; }
  /// Are all messages equally long? If not, some may have no flits, which are none.
  bool equal_messages() const { return sizes_.equal(); }
  /// Are all chunks?
  bool equal() const { return sizes_.equal() && most_.flits % most_.pieces == 0; }

 private:
  PieceFlits most_;
  Sizes sizes_;
};

/// Messages as numbers of 64 bits, each another one. Origins times pieces must be less than 2^32.
class MessageNumbers {
 public:
  explicit MessageNumbers(std::uint32_t pieces = 1) : pieces_(pieces) {}
  std::uint64_t number(const Message& m) const {
    return std::uint64_t{m.origin * pieces_ + m.piece} << 32 | m.destination;
  }
  Message message(std::uint64_t number) const {
    const auto high = static_cast<std::uint32_t>(number >> 32);
    const auto destination = static_cast<Node>(number);
    if (pieces_ == 1) return {high, destination, 0};
    return {high / pieces_, destination, high % pieces_};
  }
  std::uint32_t pieces() const { return pieces_; }

 private:
  std::uint32_t pieces_;
};

/// The messages that a transfer lists, in its order; each is made when it is asked for.
class MessageList {
 public:
  class Iterator {
   public:
    using value_type = Message;
    using difference_type = std::ptrdiff_t;
    using reference = Message;
    using pointer = void;
    using iterator_category = std::input_iterator_tag;
    Iterator() = default;
    Message operator*() const { return how_.message(*at_); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator old = *this;
      ++at_;
      return old;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    friend class MessageList;
    Iterator(const std::uint64_t* at, MessageNumbers how) : at_(at), how_(how) {}
    const std::uint64_t* at_ = nullptr;
    MessageNumbers how_;
  };

  std::size_t size() const { return numbers_.size(); }
  bool empty() const { return numbers_.empty(); }
  Message operator[](std::size_t i) const { return how_.message(numbers_[i]); }
  Message back() const { return (*this)[size() - 1]; }
  Iterator begin() const { return {numbers_.data(), how_}; }
  Iterator end() const { return {numbers_.data() + size(), how_}; }

 private:
  friend class Schedule;
  MessageList(std::span<const std::uint64_t> numbers, MessageNumbers how)
      : numbers_(numbers), how_(how) {}
  std::span<const std::uint64_t> numbers_;
  MessageNumbers how_;
};

/// The most pieces of a message.
inline constexpr std::uint32_t kMostPieces = 1u << 16;

/// What a transfer carries: the messages listed; or everything that the source holds when the round
/// starts (its own first, then by port and arrival; with a single port by arrival); or the part of
/// that which is new to the link (adaptive schedules, below).
enum class Carry : std::uint8_t { Listed, Everything, New };

/// The node that starts an adaptive gossip (Chau-Fu, section 3). Before round `join` only its
/// message takes part. Before and after `join`, a node that does not hold this message when a round
/// starts sends nothing in that round.
struct Initiator {
  Node node = 0;
  std::uint32_t join = 1;  ///< the first round in which all messages take part
  bool operator==(const Initiator&) const = default;
};

/// A circuit's way over one link: a step of a path, or an arc of a tree.
struct TransferHop {
  /// What `before` is at the source.
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  Node from = 0, to = 0;
  std::uint32_t before = kNone;  ///< the hop that brings the flits to `from`, by its number
  std::uint32_t depth = 0;       ///< hops before it, from the source on
  bool stored = false;           ///< `to` stores what comes
  std::uint32_t lane = 0;        ///< the number of the link, if the nodes have several
  bool operator==(const TransferHop&) const = default;
};

/// The ports of a hop's link.
inline Port port_out(const Topology& topology, const TransferHop& hop) {
  return topology.port_to(hop.from, hop.to, hop.lane);
}
inline Port port_in(const Topology& topology, const TransferHop& hop) {
  if (!topology.one_way()) return topology.port_to(hop.to, hop.from, hop.lane);
  const Port out = port_out(topology, hop);
  return out == kNoPort ? kNoPort : topology.peer(hop.from, out).port;
}

/// The first link between two nodes that is free.
inline constexpr std::uint32_t kAnyLane = ~std::uint32_t{0};

/// An arc of a tree that is added to a schedule; it leaves the source or the end of an arc before.
struct Branch {
  Node to = 0;
  std::uint32_t before = TransferHop::kNone;
  bool stored = true;
  std::uint32_t lane = kAnyLane;  ///< the number of the link, if the nodes have several
};

struct Transfer;

/// The hops of a transfer, in the order of its path; of a tree each after the one that it
/// continues; of a join each before the one that it goes into, whose number is its `before`.
class TransferHops {
 public:
  class Iterator {
   public:
    using value_type = TransferHop;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    TransferHop operator*() const { return (*hops_)[i_]; }
    Iterator& operator++() {
      i_ = hops_->next(i_ + 1);
      return *this;
    }
    Iterator operator++(int) {
      const Iterator old = *this;
      ++*this;
      return old;
    }
    bool operator==(const Iterator& other) const { return i_ == other.i_; }

   private:
    friend class TransferHops;
    Iterator(const TransferHops* hops, std::uint32_t i) : hops_(hops), i_(i) {}
    const TransferHops* hops_ = nullptr;
    std::uint32_t i_ = 0;
  };

  std::uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  [[gnu::always_inline]] TransferHop operator[](std::uint32_t i) const {
    TransferHop hop =
        tree_ ? arc(i) : TransferHop{data_[i], data_[i + 1], i - 1, i, i + 1 == size_};
    if (lanes_ != nullptr) [[unlikely]]
      hop.lane = lanes_[join_ ? size_ - 1 - i : i];
    return hop;
  }
  Iterator begin() const { return {this, next(first_)}; }
  Iterator end() const { return {this, size_}; }

 private:
  friend class Schedule;
  static_assert(TransferHop::kNone + 1 == 0, "what comes before number 0");
  /// A tree's source is followed by these numbers of each arc, and its `to` before them.
  enum : std::uint32_t { kStored = 1, kBefore = 2, kDepth = 3, kNumbers = 4 };
  TransferHops(const Node* data, const std::uint8_t* lanes, std::uint32_t size, const Transfer& t,
               std::uint32_t first = 0, bool skips = false);
  TransferHop arc(std::uint32_t i) const;
  /// The first from number i on that is meant.
  std::uint32_t next(std::uint32_t i) const {
    while (skips_ && i < size_ && !arc(i).stored) ++i;
    return i;
  }
  const Node* data_;
  const std::uint8_t* lanes_;  ///< of each hop; null if no nodes have several links
  std::uint32_t size_, first_;
  bool tree_, join_;
  bool skips_;  ///< those whose end does not store what comes
};

/// A path or a tree and its messages, in one round. The Schedule owns both.
struct Transfer {
  std::uint32_t round = 0;  ///< from 1
  std::uint32_t line = 0;   ///< in the file it was read from; 0 if it was computed
  std::uint64_t path_begin = 0;
  std::uint64_t messages_begin = 0;
  std::uint32_t path_size = 0;  ///< hops + 1: the nodes of a path
  std::uint32_t messages_size = 0;
  Carry carry = Carry::Listed;
  bool tree = false;  ///< it forks, or nodes on its way store what they pass on
  /// It is a tree backwards in time, and a sum: what comes to a node over its hops, and what the
  /// node holds of the messages as the round begins, is joined and goes on towards the source,
  /// which stores it, too.
  bool join = false;
};

/// What a schedule is best for.
struct PlannedFor {
  std::uint32_t flits = 0;            ///< of a message; 0 if the sizes say it
  std::vector<std::uint32_t> stages;  ///< of the links: of all, or by factor; empty: none
  bool operator==(const PlannedFor&) const = default;
};

inline TransferHops::TransferHops(const Node* data, const std::uint8_t* lanes, std::uint32_t size,
                                  const Transfer& t, std::uint32_t first, bool skips)
    : data_(data),
      lanes_(lanes),
      size_(size),
      first_(first),
      tree_(t.tree),
      join_(t.join),
      skips_(skips) {}

/// What nodes can do that run several schedules, beyond what one of these needs.
struct SharedNodes {
  bool join = false, all_ops = false;  ///< add up; by all operators
  bool all_ports = false;              ///< send and receive by all ports at a time
  bool channels = false;               ///< read a word for each port
};

/// A precomputed collective: rounds of transfers on a topology, under a model. Each transfer stands
/// for its whole orbit under `symmetry`, that is for itself and its translations (path, origins and
/// destinations alike); with the trivial symmetry it stands for itself alone.
class Schedule {
 public:
  Schedule(Topology topology, Collective collective, Model model, Symmetry symmetry);
  Schedule(Topology topology, Collective collective, Model model);

  const Topology& topology() const { return topology_; }
  const Symmetry& symmetry() const { return symmetry_; }
  /// From the schedule's nodes to those that `viewer` sees as its class representative sees them.
  Translation view_of(Node viewer) const { return {topology_, change(0, viewer)}; }
  /// The translation from what `from` sees to what `to` sees.
  Node change(Node from, Node to) const {
    if (symmetry_.order() == 1) return 0;
    return topology_.translate(symmetry_.shift(from), topology_.negate(symmetry_.shift(to)));
  }
  Collective collective() const { return collective_; }
  const Model& model() const { return model_; }
  /// Pieces of every message. They travel by themselves.
  std::uint32_t pieces() const { return numbers_.pieces(); }
  /// Call it before the first transfer is added. Throws InputError for more than kMostPieces, or if
  /// nodes times pieces is not less than 2^32.
  void cut(std::uint32_t pieces);

  std::string algorithm;  ///< name, empty for a user's file
  /// Of broadcast, scatter, gather, reduce and all-reduce, unless there are several groups.
  Node root = 0;
  Members members;                 ///< who takes part
  Sizes sizes;                     ///< of the messages, if they are not equally long
  Operator op = Operator::OP_SUM;  ///< of collectives that reduce
  SharedNodes nodes = {};          ///< what they can do beyond what it needs
  std::optional<PlannedFor> planned_for;
  /// The root of a member's group; kNoNode of a node that is in none of several groups.
  Node root_of(Node member) const {
    if (!members.several()) return root;
    return members.has(member) ? members.root(members.group_of(member)) : kNoNode;
  }
  /// Do its nodes join what they send, so that a hop takes longer?
  bool nodes_join() const { return reduces(collective_) || nodes.join; }
  /// Do all nodes take part, with messages of one length, over links of both directions?
  bool regular() const { return members.all() && sizes.equal() && !topology_.one_way(); }

  FaultSet faults;                     ///< what is broken during the run; nodes are not informed
  std::optional<Initiator> initiator;  ///< of adaptive gossip; without one all start in round 1
  /// 1: piece 0 of the message is the exclusive or of the others, and no two pieces come to a node
  /// by the same link or through the same node. So if a link or a node dies, whichever and
  /// whenever, no node lacks more than a piece, and each works out what it lacks.
  std::uint32_t tolerance = 0;
  /// May words be missing in a run, and be worked out?
  bool works_out() const { return tolerance > 0 && !faults.empty(); }

  /// Appends a transfer (a representative of its orbit). Rounds must not decrease, and a path has a
  /// node at least. Where nodes have several links, the first transfer of a round takes the first
  /// of them that leads there, and so on. Throws InputError if there is not enough memory.
  void add(std::uint32_t round, std::span<const Node> path, std::span<const Message> messages,
           std::uint32_t line = 0);
  /// Appends a transfer of everything that the source holds.
  void add_everything(std::uint32_t round, std::span<const Node> path, std::uint32_t line = 0);
  /// Appends a transfer over one hop of what is new to it (Carry::New): what the source holds when
  /// the round starts and has not yet exchanged on that link in either direction, except the
  /// message that originated at the destination. The source decides what was exchanged: what it
  /// sent on the link, whether the link works or not, and what it received there. All transfers are
  /// decided when the round starts, so two neighbours may send the same message to each other in
  /// the same round.
  void add_new(std::uint32_t round, std::span<const Node> path, std::uint32_t line = 0);
  /// Appends a transfer over one hop.
  void add(const Hop& hop) {
    const Node path[] = {hop.from, hop.to};
    add(hop.round, path, {&hop.message, 1});
  }
  /// One hop, one message for everybody: the usual transfer in the packet papers.
  void add_hop(std::uint32_t round, Node from, Node to, Node origin) {
    add({round, from, to, {origin}});
  }

  /// Appends a transfer over a tree: with circuit or pipelined switching a node sends the flits
  /// that come over one link on over several, and may store them. Throws std::logic_error for a
  /// branch that continues none before it.
  void add_tree(std::uint32_t round, Node source, std::span<const Branch> branches,
                std::span<const Message> messages, Carry carry = Carry::Listed,
                std::uint32_t line = 0);
  /// Appends a join: the tree of a transfer from `source` on, backwards. The source stores the sum
  /// by its output `lane`, in the round after the last hops; what it joins comes in by others.
  void add_join(std::uint32_t round, Node source, Port lane, std::span<const Branch> branches,
                std::span<const Message> messages, std::uint32_t line = 0);
  /// Appends the same as transfer `t` of `other`, translated by `by`; 0 works on every topology.
  void add_copy(const Schedule& other, const Transfer& t, Node by = 0);
  /// The same with other numbers of the nodes, by the old ones. The links keep their ports.
  void add_renumbered(const Schedule& other, const Transfer& t, std::span<const Node> numbers);

  /// Reserves memory for so many transfers of one hop and one message.
  void reserve(std::uint64_t transfers) {
    transfers_.reserve(transfers);
    paths_.reserve(2 * transfers);
    messages_.reserve(transfers);
  }

  /// Messages that its transfers list, in all.
  std::uint64_t listed() const { return messages_.size(); }
  /// Memory used by transfers, paths and messages.
  std::uint64_t bytes() const {
    return transfers_.size() * sizeof(Transfer) + paths_.size() * sizeof(Node) +
           messages_.size() * sizeof(std::uint64_t);
  }

  /// The last round's number.
  std::uint32_t rounds() const { return transfers_.empty() ? 0 : transfers_.back().round; }
  /// In order of rounds.
  std::span<const Transfer> transfers() const { return transfers_; }
  std::span<const Transfer> transfers_of(std::uint32_t round) const {
    const auto first = std::ranges::lower_bound(transfers_, round, {}, &Transfer::round);
    return {first, std::ranges::upper_bound(first, transfers_.end(), round, {}, &Transfer::round)};
  }
  /// Throws std::logic_error for a tree.
  std::span<const Node> path(const Transfer& t) const {
    if (t.tree) refuse_tree();
    return {paths_.data() + t.path_begin, t.path_size};
  }
  Node source(const Transfer& t) const { return paths_[t.path_begin]; }
  TransferHops hops(const Transfer& t) const {
    return {paths_.data() + t.path_begin, lanes(t), t.path_size - 1, t};
  }
  /// Those whose end stores what comes: a path's last one, and a join's.
  TransferHops stored_hops(const Transfer& t) const {
    const bool several = t.tree && !t.join;
    const std::uint32_t first = several || t.path_size < 2 ? 0 : t.path_size - 2;
    return {paths_.data() + t.path_begin, lanes(t), t.path_size - 1, t, first, several};
  }
  /// The most hops from the source on.
  std::uint32_t depth(const Transfer& t) const {
    return t.tree ? depth_of_tree(t) : t.path_size - 1;
  }
  /// The round in which a hop uses its link.
  std::uint32_t round_of(const Transfer& t, const TransferHop& hop) const {
    return model_.switching == Switching::Pipelined ? t.round + hop.depth * model_.hop_rounds
                                                    : t.round;
  }
  /// The last round in which what comes over a hop cannot be sent on from the store.
  std::uint32_t stored_round(const Transfer& t, const TransferHop& hop) const {
    if (model_.switching != Switching::Pipelined) return t.round;
    const std::uint32_t joins = t.join ? model_.hop_rounds : 0;
    return round_of(t, hop) + joins + model_.hop_rounds - 1 + kPipelinedStoreRounds;
  }
  /// The last round in which the transfer uses a link, or the lane of a join.
  std::uint32_t last_round(const Transfer& t) const {
    const std::uint32_t hops = depth(t) - (t.join ? 0 : 1);
    return model_.switching == Switching::Pipelined ? t.round + hops * model_.hop_rounds : t.round;
  }
  /// The output of a join's source by which it stores the sum.
  Port lane_of_join(const Transfer& t) const { return paths_[t.path_begin + paths_of(t) - 1]; }
  bool joins() const { return gossamer::joins(collective_, model_); }
  /// Empty if the transfer does not list its messages.
  MessageList messages(const Transfer& t) const {
    return {{messages_.data() + t.messages_begin, t.messages_size}, numbers_};
  }
  /// The flits of every chunk in a run with messages of `flits` flits; that does not matter if the
  /// schedule says how long they are. An exclusive or is as long as the longest of its pieces: as
  /// the longer ones come first, it is piece 0.
  ChunkFlits chunk_flits(std::uint32_t flits) const {
    const std::uint32_t others = pieces() - 1;
    return {tolerance == 0 ? flits : flits + (flits + others - 1) / others, pieces(), sizes};
  }
  /// Flits of the messages that a transfer lists.
  std::uint64_t listed_flits(const Transfer& t, const ChunkFlits& flits) const;

 private:
  /// Numbers of a transfer in paths_.
  std::size_t paths_of(const Transfer& t) const;
  [[noreturn]] void refuse_to_grow(std::uint64_t free) const;
  [[noreturn]] static void refuse_tree();
  std::uint32_t depth_of_tree(const Transfer& t) const;
  const std::uint8_t* lanes(const Transfer& t) const {
    return lanes_.empty() ? nullptr : lanes_.data() + t.path_begin;
  }
  template <typename Move>
  void add_moved(const Schedule& other, const Transfer& t, const Move& move);
  void append_transfer(std::uint32_t round, std::span<const Node> path,
                       std::span<const Message> messages, std::uint32_t line);
  void append_tree(std::uint32_t round, Node source, std::span<const Branch> branches,
                   std::span<const Message> messages, std::uint32_t line);
  using RoundLink = std::tuple<std::uint32_t, Node, Port>;
  /// A hop, at its place in paths_.
  struct LaneUse {
    std::size_t at;
    Node from, to;
    bool named;
  };
  void take_lanes(const Transfer& t, std::span<const Branch> branches = {});
  bool take_lane(std::uint32_t round, const LaneUse& use);
  std::optional<RoundLink> link_of(std::uint32_t round, const LaneUse& use,
                                   std::uint8_t lane) const;
  void make_room(std::size_t path_size, std::size_t messages_size);
  Topology topology_;
  Symmetry symmetry_;
  Collective collective_;
  Model model_;
  std::vector<Transfer> transfers_;
  std::vector<Node> paths_;
  std::vector<std::uint64_t> messages_;
  MessageNumbers numbers_;
  std::vector<std::uint8_t> lanes_;     ///< by hop, at its place in paths_; empty if all are 0
  std::map<RoundLink, LaneUse> taken_;  ///< in rounds that are not over
};

/// All that a schedule says but its transfers, on a topology with the same nodes and without
/// orbits.
Schedule without_transfers(const Schedule& schedule, Topology topology);

/// The same schedule with every orbit expanded, for work on single nodes.
Schedule without_orbits(const Schedule& schedule);

/// Why the faults make the schedule meaningless, in one line: the root or the initiator must be
/// healthy. Nothing if they are.
std::optional<std::string> root_fault(const Schedule& schedule);

/// Adaptive schedules (Chau-Fu): who sends to whom in which round is fixed, but the content of a
/// transfer is decided at run time, from what has arrived and what has crossed that link. All
/// transfers are then Carry::New.
bool adaptive(const Schedule& schedule);

/// The most nodes of an adaptive schedule's topology: the lists of origins grow with the square of
/// the nodes.
inline constexpr Node kMaxAdaptiveNodes = 1024;
/// The most rounds of an adaptive schedule.
inline constexpr std::uint32_t kMaxAdaptiveRounds = 1u << 16;

/// Why the schedule breaks the rules below, in one line; nothing if it keeps them or is not
/// adaptive at all. The rules: every transfer is new, gossip or broadcast, packet switching, full
/// duplex, combining, a hypercube (all radices 2, so that neighbours' numbers differ in one bit) of
/// at most kMaxAdaptiveNodes nodes, at most kMaxAdaptiveRounds rounds, no orbits; an initiator only
/// in adaptive gossip, and it is a node.
std::optional<std::string> adaptive_fault(const Schedule& schedule);

}  // namespace gossamer
