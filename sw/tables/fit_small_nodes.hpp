#pragma once

#include "fabric/fabric.hpp"

namespace gossamer {

/// Rewrites the tables for nodes built with ONE_CYCLE: an entry for each cycle, of length, repeat
/// and (where the node sends) stream 1. The schedule keeps its cycles, and other nodes of the same
/// ports run the tables as well. Throws InputError if such nodes cannot run it: half duplex,
/// adaptive, streams of several flits, circuits of several hops within a slot, or too many entries.
void fit_one_cycle_nodes(FabricImage& image);

/// Puts own words into the order in which the node sends them, for nodes built with IN_ORDER, which
/// have no list: the one that is left, for other nodes, reads word after word. Throws InputError if
/// a node sends anything twice or has several read channels, or sends on what it received in
/// another order than that of arrival.
void fit_in_order_nodes(FabricImage& image);

}  // namespace gossamer
