#pragma once

#include <string>

#include "fabric/ranks.hpp"
#include "run/runner.hpp"

namespace gossamer::tb {

/// Ranks exchange this before a run begins, and again when a command ends. So no rank waits in vain
/// for one that has failed.
inline constexpr char kFails = '!', kLeaves = '.', kRuns = ':';

/// What must be the same on all ranks.
std::string name_of(const Schedule& schedule, const RunOptions& options);

/// If one rank cannot run, throws the reason on all of them.
void agree_to_run(Ranks& ranks, const std::string& name, const std::string& failure);

/// Joins what the ranks found, each in its block; afterwards all have the same result.
void join_results(Ranks& ranks, RunResult& result);

}  // namespace gossamer::tb
