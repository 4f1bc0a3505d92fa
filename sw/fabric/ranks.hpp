#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer {

/// A flit on its way to another rank: the slot of the input that it goes to (as the receiving
/// engine numbers them), and the word.
struct RemoteFlit {
  std::uint32_t slot = 0;  ///< the topmost bit is the flit's `last`
  std::uint32_t data = 0;
};

/// The processes that simulate one fabric together, each a block of its nodes. All of them call the
/// same functions in the same order.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual unsigned size() const = 0;
  virtual unsigned rank() const = 0;

  /// To and from one neighbour: what is sent, and then what was received.
  struct Exchange {
    unsigned rank = 0;
    std::vector<RemoteFlit> sent;      ///< the first `sending` are in use
    std::vector<RemoteFlit> received;  ///< room for all that can come; the first `receiving` came
    std::size_t sending = 0, receiving = 0;
  };
  virtual void exchange(std::span<Exchange> neighbours) = 0;
  /// Replaces the values by their sums over all ranks.
  virtual void add_up(std::span<std::uint64_t> values) = 0;
  /// The texts of all ranks, in order.
  virtual std::vector<std::string> gather(const std::string& text) = 0;
  /// Ends all ranks with this line on stderr and exit status 2.
  [[noreturn]] virtual void abort(const std::string& why) = 0;

  /// The nodes [first, second) of a rank.
  std::pair<Node, Node> block(Node nodes, unsigned rank) const {
    const std::uint64_t n = nodes;
    return {static_cast<Node>(n * rank / size()), static_cast<Node>(n * (rank + 1) / size())};
  }
  unsigned owner(Node nodes, Node x) const {
    unsigned r = static_cast<unsigned>(std::uint64_t{x} * size() / nodes);
    while (block(nodes, r).second <= x) ++r;
    return r;
  }
};

}  // namespace gossamer
