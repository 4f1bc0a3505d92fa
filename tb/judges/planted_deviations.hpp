#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/case.hpp"
#include "judges/deviating_fabric.hpp"

namespace gossamer::tb {

/// A deviation, and what is to be said of it, word by word.
struct Planted {
  std::string what;
  Deviation deviation;
  std::vector<std::string> problems;
};

/// What is counted in a run.
struct Numbers {
  std::uint64_t cycles = 0, flits_moved = 0, words = 0, link_cycles = 0, delivered = 0,
                expected = 0;
  bool operator==(const Numbers&) const = default;
};

/// A schedule so small that its numbers can be worked out by hand, and what is planted into it.
struct SmallRun {
  std::string name;
  Case asked;
  Numbers numbers;
  std::vector<std::string> problems = {};  ///< of the run as it is, if there are any
  bool compressed = false;
  unsigned threads = 1;
  std::vector<Planted> planted = {};
};

std::vector<SmallRun> small_runs();

}  // namespace gossamer::tb
