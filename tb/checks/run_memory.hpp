#pragma once

#include "fabric/fabric.hpp"

namespace gossamer::tb {

/// Explicit stores of all nodes.
double store_bytes(const FabricImage& image);

/// Memory of a run on one of `ranks` processes.
double bytes_needed(const FabricImage& image, unsigned ranks);

/// Throws TooLarge if the machine's memory cannot hold so many nodes; call it before any are made.
void refuse_too_many_nodes(const Topology& topology, unsigned ranks);

/// The same for everything that the run will hold.
void refuse_too_large(const FabricImage& image, unsigned ranks);

}  // namespace gossamer::tb
