#pragma once

#include <memory>

#include "fabric/ranks.hpp"

namespace gossamer::tb {

/// The ranks of an MPI run, if this process was started as one of several by mpirun; else null, and
/// also where this build has no MPI. Output of all ranks but the first is dropped from here on. The
/// object ends the use of MPI with its life.
std::unique_ptr<Ranks> mpi_ranks(int& argc, char**& argv);

}  // namespace gossamer::tb
