#pragma once

#include "fabric/fabric.hpp"

namespace gossamer::tb {

/// Explicit stores of all nodes.
double store_bytes(const FabricImage& image);

/// Memory of a run on one of `ranks` processes.
double bytes_needed(const FabricImage& image, unsigned ranks);

/// Throws TooLarge before anything is made for more nodes than the machine's memory can hold.
void refuse_too_many_nodes(const Topology& topology, unsigned ranks);

/// The same of everything that the run will hold.
void refuse_too_large(const FabricImage& image, unsigned ranks);

}  // namespace gossamer::tb
