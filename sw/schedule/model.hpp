#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer_constants.hpp"

namespace gossamer {

/// In the order in which an algorithm is asked for one that the user did not name.
enum class Collective {
  Gossip,
  TotalExchange,
  Broadcast,
  Scatter,
  Gather,
  Reduce,
  ReduceScatter,
  AllReduce
};
enum class PortModel { Single, All };
enum class Duplex { Full, Half };
/// Packet: one hop a round. Circuit: a path a round. Pipelined: hop h of a path uses its link in
/// round r + (h - 1) * hop_rounds.
enum class Switching { Packet, Circuit, Pipelined };

/// With pipelined switching, a node can send on a message that came over a hop of round r from
/// round r + hop_rounds + kPipelinedStoreRounds on.
inline constexpr std::uint32_t kPipelinedStoreRounds = 2;

/// What a node may do in a round.
struct Model {
  PortModel ports = PortModel::Single;
  Duplex duplex = Duplex::Full;
  Switching switching = Switching::Packet;
  bool combining = false;        ///< may a transfer carry several messages?
  std::uint32_t hop_rounds = 1;  ///< pipelined: rounds from one hop to the next
  bool operator==(const Model&) const = default;
};

/// How the words of several nodes become one, by the hardware's numbers: sums of lanes of 32, 16
/// and 8 bits, which wrap; smallest and largest, signed and not; bit by bit.
using Operator = rtl::op_e;
/// Their names: the hardware's, without OP_, in small letters.
const std::vector<std::string>& operator_names();

/// The words used in files and options: "total-exchange", "single", "half", "circuit".
std::string_view to_string(Collective);
std::string_view to_string(PortModel);
std::string_view to_string(Duplex);
std::string_view to_string(Switching);
std::string_view to_string(Operator);

/// The name, followed by the name in message-passing libraries if that differs: "gossip
/// (all-gather)".
std::string both_names(Collective);

/// The inverse; throws InputError that lists the legal words. A gossip is also read as all-gather
/// or allgather, a total exchange as all-to-all or alltoall.
Collective parse_collective(std::string_view);
PortModel parse_ports(std::string_view);
Duplex parse_duplex(std::string_view);
Switching parse_switching(std::string_view);
Operator parse_operator(std::string_view);

/// Participants takes part: every node, or the root alone.
enum class Participants : bool { All, Root };

/// What a collective is: every origin has a message, the same for all (or one for each) of the
/// others that want one. If it reduces, a message is a vector to which every member adds its own
/// part; its origin gives it its name, and is the only one that wants it if there are several.
struct CollectiveTerms {
  Collective collective;
  std::string_view name;     ///< in files and options
  std::string_view other;    ///< in message-passing libraries; empty: the same
  std::string_view meaning;  ///< "one to all, a message for each"
  Participants origins;
  Participants receivers;
  bool same_to_all;  ///< a message has no destination
  bool reduces = false;
};

/// A row for each collective, in the order of the enum.
inline constexpr CollectiveTerms kCollectiveTerms[] = {
    {Collective::Gossip, "gossip", "all-gather", "all to all, the same message to everybody",
     Participants::All, Participants::All, true},
    {Collective::TotalExchange, "total-exchange", "all-to-all", "all to all, a message for each",
     Participants::All, Participants::All, false},
    {Collective::Broadcast, "broadcast", "", "one to all, the same message to everybody",
     Participants::Root, Participants::All, true},
    {Collective::Scatter, "scatter", "", "one to all, a message for each", Participants::Root,
     Participants::All, false},
    {Collective::Gather, "gather", "", "all to one", Participants::All, Participants::Root, false},
    {Collective::Reduce, "reduce", "", "the sum of all vectors to one", Participants::Root,
     Participants::Root, true, true},
    {Collective::ReduceScatter, "reduce-scatter", "", "a block of the sum of all vectors to each",
     Participants::All, Participants::All, true, true},
    {Collective::AllReduce, "all-reduce", "", "the sum of all vectors to everybody",
     Participants::Root, Participants::All, true, true}};

static_assert(
    [] {
      for (std::size_t i = 0; i < std::size(kCollectiveTerms); ++i) {
        if (kCollectiveTerms[i].collective != static_cast<Collective>(i)) return false;
      }
      return true;
    }(),
    "terms_of takes the enum as an index");

constexpr const CollectiveTerms& terms_of(Collective c) {
  return kCollectiveTerms[static_cast<std::size_t>(c)];
}

/// Does every node receive the same message from an origin (broadcast, gossip)?
constexpr bool same_to_all(Collective c) { return terms_of(c).same_to_all; }

/// Are messages combined on their way (reduce, reduce-scatter, all-reduce)?
constexpr bool reduces(Collective c) { return terms_of(c).reduces; }

/// What a reduction is backwards in time: a message to whose spread it adds up.
constexpr Collective backwards(Collective c) {
  return c == Collective::Reduce ? Collective::Broadcast : Collective::Gossip;
}

/// Are sums made as they are sent? Then nodes have outputs that join, and a hop takes
/// rtl::TIME_JOIN cycles more.
constexpr bool joins(Collective c, const Model& model) {
  return reduces(c) && model.switching == Switching::Pipelined;
}

/// Does one node play a special part (broadcast, scatter, gather, reduce), or name the message
/// (all-reduce)?
constexpr bool has_root(Collective c) {
  return terms_of(c).origins == Participants::Root || terms_of(c).receivers == Participants::Root;
}

}  // namespace gossamer
