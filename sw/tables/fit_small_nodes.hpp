#pragma once

#include "fabric/fabric.hpp"

namespace gossamer {

/// Rewrites the tables for nodes of the kind one_cycle: an entry for each cycle, with length,
/// repeat and (if the node sends) stream 1. The cycles of the schedule do not change, and other
/// nodes of the same ports can also run the tables. Throws InputError if such nodes cannot run the
/// schedule: half duplex, adaptive, streams of several flits, circuits of several hops within a
/// slot, or too many entries.
void fit_one_cycle_nodes(FabricImage& image);

/// Sorts own words into the order in which the node sends them, for nodes built with IN_ORDER,
/// which have no list. The list that remains, for other nodes, reads word after word. Throws
/// InputError if a node sends anything twice or has several read channels, or forwards what it
/// received in another order than that of arrival.
void fit_in_order_nodes(FabricImage& image);

}  // namespace gossamer
