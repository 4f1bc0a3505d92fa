#pragma once

namespace gossamer::tb {

/// Prints speed and memory of the tile engine at growing sizes with one and two threads, and of the
/// flat engine together with the cost of building it. Each row is measured in its own process.
void bench_engines();

}  // namespace gossamer::tb
