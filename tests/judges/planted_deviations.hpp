#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/case.hpp"
#include "judges/deviating_fabric.hpp"

namespace gossamer::tb {

/// A deviation, and exactly what must be reported about it.
struct Planted {
  std::string what;
  Deviation deviation;
  std::vector<std::string> problems;
};

/// The counts of a run.
struct Numbers {
  std::uint64_t cycles = 0, flits_moved = 0, words = 0, link_cycles = 0, delivered = 0,
                expected = 0;
  bool operator==(const Numbers&) const = default;
};

/// A schedule small enough to compute its numbers by hand, and its deviations.
struct SmallRun {
  std::string name;
  Case request;  ///< with `lines`, the flits alone
  Numbers numbers;
  std::vector<std::string> problems = {};  ///< of the unchanged run, if any
  bool compressed = false;
  unsigned threads = 1;
  bool symmetric = false;
  std::string lines = {};     ///< a schedule of its own
  std::string recorded = {};  ///< of the unchanged run: what was on each link; empty: not recorded
  std::vector<Planted> planted = {};
};

std::vector<SmallRun> small_runs();

}  // namespace gossamer::tb
