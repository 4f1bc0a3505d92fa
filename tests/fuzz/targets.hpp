#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "schedule/jsonl.hpp"
#include "scratch.hpp"
#include "support/error.hpp"
#include "topology/topology.hpp"

/// Every reader of outside input, each as a function of bytes. `make fuzz` feeds these to
/// libFuzzer, `make test` feeds them the files in corpus/ and found/.
namespace gossamer::fuzz {

/// Reads the input and demands the properties of all inputs. Any exception is a finding.
struct Target {
  std::string_view name;
  void (*run)(std::string_view input);
};

void schedule(std::string_view input);  ///< reader, writer and checker of schedule files
void tables(std::string_view input);    ///< a schedule file, and all that is made of it for the RTL
void topology(std::string_view input);  ///< the text of a topology
void edges(std::string_view input);     ///< a file of edges
void faults(std::string_view input);    ///< a topology, a line end, the text of a fault set
void suite(std::string_view input);     ///< a suite file
void imports(std::string_view input);   ///< a topology, a line end, another program's schedule
void options(std::string_view input);   ///< arguments of the command, one per line

inline constexpr Target kTargets[] = {
    {"schedule", schedule}, {"tables", tables}, {"topology", topology}, {"edges", edges},
    {"faults", faults},     {"suite", suite},   {"imports", imports},   {"options", options},
};

/// A folder of this process, for targets that read files.
inline const Scratch& scratch_folder() {
  static const Scratch folder;
  return folder;
}

/// A target by its name. Throws std::out_of_range.
const Target& target(std::string_view name);

/// Runs a target as if the machine had little memory, so that what is too large for any machine is
/// refused here too, and nothing takes long.
void run(const Target& target, std::string_view input);

/// A property of all inputs that this input breaks.
class Broken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws Broken with this text unless `holds`.
inline void demand(bool holds, const std::string& what) {
  if (!holds) throw Broken(what);
}

/// Demands that a message is one line of text that begins with the place.
void demand_line(std::string_view message, std::string_view place);

/// The result of `read`; nothing if it refuses the input with an InputError whose message is one
/// line that begins with `place`. All other exceptions pass through.
template <typename Read>
auto answer(std::string_view place, Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const InputError& error) {
    demand_line(error.what(), place);
    return std::nullopt;
  }
}

/// Demands that links have two ends, ports lead to the right nodes, the graph is connected, and
/// translations map links to links; on large topologies for some nodes only.
void demand_consistent(const Topology& topology);

/// The topology as a file of edges; empty if it is large.
std::string edges_text(const Topology& topology);

/// The schedule in a text; nothing if it is refused.
std::optional<Schedule> read_schedule(std::string_view text);

/// Its file.
std::string text_of(const Schedule& schedule, Orbits orbits);

/// The text with a few changes that keep its form: numbers are replaced, lines are dropped,
/// doubled, moved, or copied with new numbers.
std::string mutated(std::string_view text, std::uint32_t seed);

}  // namespace gossamer::fuzz
