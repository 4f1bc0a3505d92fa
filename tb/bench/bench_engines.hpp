#pragma once

namespace gossamer::tb {

/// Prints speed and memory of the tile engine at growing sizes with one and two threads, and of the
/// flat engine with what building it takes. Each row is measured in a process of its own.
void bench_engines();

}  // namespace gossamer::tb
