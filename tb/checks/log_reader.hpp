#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "fabric/payload.hpp"

namespace gossamer::tb {

/// Reads the logs of one node after the other, identifies every word by its value alone, and checks
/// that the messages are whole and are what their origins sent. It knows neither the schedule nor
/// the tables. Several readers may read one fabric at a time.
class LogReader {
 public:
  /// What the logs of a node hold.
  struct Found {
    std::uint64_t words = 0;
    /// The first ones, each with the nodes that it stands for. The rest of the node is read all the
    /// same.
    std::vector<std::string> problems;
    std::uint64_t untold = 0;  ///< more problems
  };

  /// `so_far`: of a run that was given up; the last message of a log may be incomplete.
  LogReader(const Fabric& fabric, const FabricImage& image, const Payload& payload, bool so_far,
            std::size_t max_problems);

  /// Simulated node `i`. Throws Interrupted, except of a run that was given up.
  Found read(Node i);
  /// Origins whose messages for this node have arrived, as a set (adaptive/node_sets.hpp).
  std::span<const std::uint64_t> arrived() const { return arrived_; }

 private:
  void read_log(Node i, unsigned g);
  void read_adaptive(Node x, unsigned g);
  std::size_t check_own(Node i, std::span<const std::uint32_t> words);
  std::size_t pass_good(Node x, std::span<const std::uint32_t> words, std::size_t at);
  std::size_t read_message(Node x, unsigned g, std::span<const std::uint32_t> words,
                           std::size_t at);
  std::size_t pass_over(Node x, unsigned g, std::span<const std::uint32_t> words, std::size_t at);
  void note(Node x, const Message& m);
  void problem(const std::string& text);

  const Fabric& fabric_;
  const FabricImage& image_;
  const Payload& payload_;
  const bool so_far_;
  const std::size_t max_problems_;
  const Node nodes_;  ///< of the schedule
  const std::uint32_t flits_, first_number_;
  const Divisor by_flits_, by_nodes_;
  std::vector<std::uint64_t> arrived_;
  std::vector<bool> pieces_;      ///< by origin and piece, if messages are cut
  std::uint64_t part_begin_ = 0;  ///< words of the log before those that are looked at now
  Found found_;
};

/// The end of a line about simulated nodes: how many more they stand for.
std::string and_others(const FabricImage& image, std::uint64_t nodes);

}  // namespace gossamer::tb
