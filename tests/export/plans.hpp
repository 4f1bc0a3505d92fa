#pragma once

#include <string>

#include "driver/case.hpp"

namespace export_test {

/// The schedule that `gossamer plan` would compute.
inline gossamer::Schedule planned(const std::string& topology, const std::string& algorithm,
                                  const std::string& collective) {
  gossamer::Case c;
  c.topology = topology;
  c.algorithm = algorithm;
  c.collective = gossamer::parse_collective(collective);
  return gossamer::make_plan(c).schedule;
}

}  // namespace export_test
