#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schedule/schedule.hpp"

namespace gossamer {

/// Register stages of the link at each port of a node; empty: no link has any.
using PortStages = std::vector<std::uint32_t>;

/// The register stages that the links of a fabric have beyond a node's output register: one number
/// for all links, or one for the links of each factor (dimension) of the topology. Those that a
/// file of edges gives a link are added.
class LinkStages {
 public:
  LinkStages() = default;
  explicit LinkStages(std::vector<std::uint32_t> numbers) : numbers_(std::move(numbers)) {}
  /// "2" or "0,0,3". Throws InputError.
  static LinkStages parse(std::string_view text);

  bool none() const;
  /// As parse() reads it; empty if there are none.
  std::string text() const;
  const std::vector<std::uint32_t>& numbers() const { return numbers_; }
  /// Of the links that have the most; also if there are not as many numbers as factors.
  std::uint32_t most_on(const Topology& topology) const;

  /// Those of the links at each port. Throws InputError if there are several numbers, but not one
  /// for each factor. A pipelined schedule needs links of one length: a shorter one is filled up
  /// with registers to the longest.
  PortStages on(const Topology& topology, Switching switching) const;
  PortStages on(const Schedule& schedule) const {
    return on(schedule.topology(), schedule.model().switching);
  }

  bool operator==(const LinkStages&) const = default;

 private:
  std::uint32_t most() const;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace gossamer
