#pragma once

namespace gossamer::test {

/// A small graph of each kind: with a cycle and without, with translations and without.
inline constexpr const char* kSmallGraphs[] = {"path:2",
                                               "ring:7",
                                               "complete:5",
                                               "mesh:3x4",
                                               "debruijn:3",
                                               "edges:tests/data/star-9.json",
                                               "edges:tests/data/board-8.json",
                                               "edges:tests/data/dumbbell.json"};

}  // namespace gossamer::test
