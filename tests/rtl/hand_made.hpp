#pragma once

#include <memory>
#include <string_view>

#include "engines/engine_library.hpp"
#include "fabric/fabric.hpp"
#include "gossamer_constants.hpp"

namespace gossamer::test {

using enum rtl::error_e;

/// The number of an error code.
constexpr unsigned code(rtl::error_e error) { return static_cast<unsigned>(error); }
/// The bit of an error in a node's sticky errors.
constexpr unsigned bit(rtl::error_e error) { return 1u << code(error); }

/// The results of a run of hand-made tables.
struct Outcome {
  bool done = false;
  std::uint64_t last_arrival = 0;
  std::vector<NodeError> errors;
  std::shared_ptr<const Fabric> fabric;

  /// Every table ended, and no node raised an error.
  bool clean() const { return done && errors.empty(); }
};

/// A fabric of tiles with tables written by hand, slot by slot. Nodes without a slot do nothing.
class HandMade {
 public:
  HandMade(std::string_view topology, bool single_port, bool half_duplex,
           bool many_channels = false);

  const Topology& topology() const { return image_.topology; }
  const NodeKind& kind() const { return image_.kind; }

  /// One more slot for node `x`, in which it does nothing yet.
  SlotEntry& slot(Node x, std::uint32_t length);
  /// The same for all other nodes.
  void idle_everywhere(std::uint32_t length);
  /// The next segment of the list from which output `p` of node `x` is served.
  void read(Node x, Port p, const Segment& segment);

  /// Words that every node starts with; word(x, i) is the i-th of node `x`.
  std::uint32_t own_words = 8;
  static std::uint32_t word(Node x, std::uint32_t i) { return 0x1000 * (x + 1) + i; }
  /// Words that a log can hold.
  std::uint32_t capacity = 64;

  Outcome run(std::uint32_t seed = 1);
  /// The same on torus_fabric, whose nodes have exactly the topology's ports.
  Outcome run_flat();

 private:
  Outcome run(std::shared_ptr<Fabric> fabric);

  FabricImage image_;
};

/// Node `x` sends `flits` words from its store through output `p`.
void send(SlotEntry& slot, Port p, std::uint32_t flits);
/// Node `x` stores the flits that arrive at input `p`.
void receive(SlotEntry& slot, Port p);
/// Node `x` forwards the flits that arrive at input `from` to output `to`.
void forward(SlotEntry& slot, Port from, Port to);

}  // namespace gossamer::test
