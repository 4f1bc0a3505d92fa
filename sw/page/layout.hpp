#pragma once

#include <string>
#include <utility>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer {

struct Point {
  double x = 0, y = 0;
};

/// Where a fabric's nodes and links are drawn, in steps of a grid. Rings are circles; paths lines;
/// products of rings, paths and complete graphs grids in which every second factor goes down, with
/// the later factors as slices in lines (a hypercube: squares of squares); all others circles.
struct Layout {
  std::vector<Point> nodes;
  Point low, high;                                    ///< what is drawn stays between them
  double radius = 0.2;                                ///< of a node
  std::vector<std::pair<Point, std::string>> labels;  ///< names of slices

  /// The link from `x` through its port `p`, as the path of an SVG. The two directions of a link do
  /// not cover each other: traffic keeps to the right.
  std::string link(const Topology& topology, Node x, Port p) const;

  enum class Kind { Circle, Grid } kind = Kind::Circle;
  std::vector<std::size_t> level;  ///< by factor of a grid: earlier factors in the same direction
};

Layout layout_of(const Topology& topology);

}  // namespace gossamer
