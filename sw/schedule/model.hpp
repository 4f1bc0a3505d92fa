#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gossamer {

enum class Collective { Broadcast, Gossip, Scatter, TotalExchange, Gather };
enum class PortModel { Single, All };
enum class Duplex { Full, Half };
/// Packet: one hop a round. Circuit: a path a round. Pipelined: hop h of a path uses its link in
/// round r+h-1.
enum class Switching { Packet, Circuit, Pipelined };

/// With pipelined switching, a node can send on a message that arrived in round r from round
/// r + 1 + kPipelinedStoreRounds on.
inline constexpr std::uint32_t kPipelinedStoreRounds = 2;

/// What a node may do in a round.
struct Model {
  PortModel ports = PortModel::Single;
  Duplex duplex = Duplex::Full;
  Switching switching = Switching::Packet;
  bool combining = false;  ///< may a transfer carry several messages?
  bool operator==(const Model&) const = default;
};

/// The words used in files and options: "total-exchange", "single", "half", "circuit".
std::string_view to_string(Collective);
std::string_view to_string(PortModel);
std::string_view to_string(Duplex);
std::string_view to_string(Switching);

/// The name, followed by the name in message-passing libraries if that differs: "gossip
/// (all-gather)".
std::string both_names(Collective);

/// The inverse; throws InputError that lists the legal words. A gossip is also read as all-gather
/// or allgather, a total exchange as all-to-all or alltoall.
Collective parse_collective(std::string_view);
PortModel parse_ports(std::string_view);
Duplex parse_duplex(std::string_view);
Switching parse_switching(std::string_view);

/// Does every node receive the same message from an origin (broadcast, gossip)?
constexpr bool same_to_all(Collective c) {
  return c == Collective::Broadcast || c == Collective::Gossip;
}

/// Does one node play a special part (broadcast, scatter, gather)?
constexpr bool has_root(Collective c) {
  return c != Collective::Gossip && c != Collective::TotalExchange;
}

}  // namespace gossamer
