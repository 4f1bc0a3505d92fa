#pragma once

#include <memory>

#include "fabric/ranks.hpp"

namespace gossamer::tb {

/// The ranks of an MPI run, if mpirun has started this process as one of several. Null otherwise,
/// or if this build has no MPI. From here on the output of all ranks but the first is dropped. The
/// destructor ends the use of MPI.
std::unique_ptr<Ranks> mpi_ranks(int& argc, char**& argv);

}  // namespace gossamer::tb
