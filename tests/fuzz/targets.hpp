#pragma once

#include <span>
#include <string>
#include <string_view>

#include "support/scratch.hpp"

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
void images(std::string_view input);    ///< memory images; parts_of() in images.cpp
void imports(std::string_view input);   ///< a topology, a line end, another program's schedule
void options(std::string_view input);   ///< arguments of the command, one per line

inline constexpr Target kTargets[] = {
    {"schedule", schedule}, {"tables", tables},   {"topology", topology},
    {"edges", edges},       {"faults", faults},   {"suite", suite},
    {"images", images},     {"imports", imports}, {"options", options},
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

}  // namespace gossamer::fuzz
