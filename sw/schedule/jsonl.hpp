#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "schedule/schedule.hpp"

namespace gossamer {

/// The most nodes of a file of a schedule, none a translation of another one: it keeps tables with
/// an entry for each.
inline constexpr Node kMostNodesOfFile = Node{1} << 24;

/// Is every transfer written, or one of each orbit with the generators under the key
/// "translations"?
enum class Orbits : bool { Expanded, Kept };

/// The model, and several groups with their roots if they have some, as schedule files and reports
/// say them.
nlohmann::ordered_json model_json(const Model& model);
nlohmann::ordered_json groups_json(const Schedule& schedule);

/// Writes a schedule in the public format (JSON Lines, docs/use/schedule-format.md).
void write_jsonl(const Schedule& schedule, std::ostream& out, Orbits orbits = Orbits::Expanded);
/// The same to a file that appears only when it is complete. Throws InputError on failure.
void write_jsonl(const Schedule& schedule, const std::string& path,
                 Orbits orbits = Orbits::Expanded);

/// Reads a schedule. Throws InputError "FILE:LINE: what is wrong" for anything that is not a
/// schedule; the checker judges the rules of the model. The names of edge lists are relative to the
/// file's folder (for a stream: to `folder`; empty is the working directory), and are written that
/// way.
Schedule read_jsonl(std::istream& in, const std::string& name, const std::string& folder = "");
Schedule read_jsonl(const std::string& path);

}  // namespace gossamer
