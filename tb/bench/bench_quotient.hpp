#pragma once

namespace gossamer::tb {

/// Prints time and memory of whole runs of large fabrics by one node of each class, from the plan
/// to the verdict. Each is measured in its own process.
void bench_quotient();

}  // namespace gossamer::tb
