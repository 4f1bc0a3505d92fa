#pragma once

#include <iosfwd>
#include <string>

#include "schedule/schedule.hpp"

namespace gossamer {

/// Is every transfer written out, or one of each orbit, under the key "translations"?
enum class Orbits : bool { Expanded, Kept };

/// Writes a schedule in the public format (JSON Lines, docs/schedule-format.md).
void write_jsonl(const Schedule& schedule, std::ostream& out, Orbits orbits = Orbits::Expanded);
/// The same to a file that appears only when it is complete. Throws InputError if it cannot.
void write_jsonl(const Schedule& schedule, const std::string& path,
                 Orbits orbits = Orbits::Expanded);

/// Reads one. Throws InputError "FILE:LINE: what is wrong" for anything that is no schedule; what
/// breaks the rules of the model is the checker's business. The names of edge lists are relative to
/// the file's folder (`folder`, of a stream; empty: the working directory), and are written so.
Schedule read_jsonl(std::istream& in, const std::string& name, const std::string& folder = "");
Schedule read_jsonl(const std::string& path);

}  // namespace gossamer
