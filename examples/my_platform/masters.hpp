#pragma once

#include <string>

#include "bus_master.hpp"
#include "fabric/fabric.hpp"
#include "fabric/payload.hpp"

namespace gossamer::platform {

/// Events for which the masters wait.
struct Milestones {
  Node ready = 0;               ///< endpoints that have written their messages
  sc_core::sc_event progress;   ///< one more is ready
  sc_core::sc_event delivered;  ///< every table has ended
};

/// Writes the tables, starts the fabric when every endpoint is ready, and polls until it is at
/// rest.
class Host : public BusMaster {
 public:
  SC_HAS_PROCESS(Host);
  Host(const sc_core::sc_module_name& name, const FabricImage& image, Milestones& milestones);

  bool finished() const { return finished_; }
  std::uint32_t errors() const { return errors_; }
  std::uint32_t wrong_answers() const { return wrong_answers_; }

 private:
  void main();
  void write_program(Node x, const NodeProgram& program);
  void ask_nonsense();

  const FabricImage& image_;
  Milestones& milestones_;
  bool finished_ = false;
  std::uint32_t errors_ = 0;         ///< nodes that raised an error
  std::uint32_t wrong_answers_ = 0;  ///< bad transactions without the right refusal
};

/// The device attached to a node: writes its message, and reads what has arrived at the end.
class Endpoint : public BusMaster {
 public:
  SC_HAS_PROCESS(Endpoint);
  Endpoint(const sc_core::sc_module_name& name, Node node, const FabricImage& image,
           const Payload& payload, Milestones& milestones);

  /// Nodes whose message was read back whole, its own included.
  Node messages() const { return messages_; }

 private:
  void main();
  Node count_messages(const std::vector<std::uint32_t>& words) const;

  const Node node_;
  const FabricImage& image_;
  const Payload& payload_;
  Milestones& milestones_;
  Node messages_ = 0;
};

}  // namespace gossamer::platform
