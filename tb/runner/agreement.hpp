#pragma once

#include <string>

#include "driver/runner.hpp"
#include "fabric/ranks.hpp"

namespace gossamer::tb {

/// What a rank says before a run begins, and once more when its command ends: wherever it fails,
/// the others do not wait for it in vain.
inline constexpr char kFails = '!', kLeaves = '.', kRuns = ':';

/// What all ranks must run alike.
std::string name_of(const Schedule& schedule, const RunOptions& options);

/// Throws on all ranks what keeps one of them from running, if anything does.
void agree_to_run(Ranks& ranks, const std::string& name, const std::string& failure);

/// What the ranks found, each in its block, becomes what all of them found.
void join_results(Ranks& ranks, RunResult& result);

}  // namespace gossamer::tb
