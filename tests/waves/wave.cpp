#include "waves/wave.hpp"

#include <sstream>
#include <stdexcept>

#include "fabric/fabric.hpp"
#include "support/file.hpp"

namespace gossamer::test {
namespace {

std::uint64_t from_binary(const std::string& digits) {
  return digits.empty() ? 0 : std::stoull(digits, nullptr, 2);
}

/// "link_half.state_e 3 FREE TRANSMIT HEAR 00 01 10": a type's values and their names.
std::map<std::uint64_t, std::string> read_names(std::istream& line, unsigned count) {
  std::vector<std::string> names(count);
  for (std::string& name : names) line >> name;
  std::map<std::uint64_t, std::string> table;
  for (const std::string& name : names) {
    std::string digits;
    line >> digits;
    table[from_binary(digits)] = name;
  }
  return table;
}

}  // namespace

Wave::Wave(const std::string& file) {
  const bool is_vcd = file.ends_with(".vcd");
  std::istringstream vcd(is_vcd ? read_file(file) : vcd_of(file));
  std::vector<std::string> scopes;
  std::uint64_t time = 0;
  bool dumping = false, timed = false;
  for (std::string text; std::getline(vcd, text);) {
    std::istringstream line(text);
    std::string word;
    line >> word;
    if (word == "$scope") {
      std::string kind, name;
      line >> kind >> name;
      scopes.push_back(name);
    } else if (word == "$upscope") {
      scopes.pop_back();
    } else if (word == "$attrbegin") {
      std::string kind, subtype, type;
      unsigned count = 0;
      if (line >> kind >> subtype >> type >> count && type != "\"\"") {
        names_[type] = read_names(line, count);
      }
    } else if (word == "$var") {
      std::string kind, width, code, name, range, path;
      line >> kind >> width >> code >> name >> range;
      for (const std::string& scope : scopes) path += scope + ".";
      changes_of_[path + name + (range == "$end" ? "" : range)] = code;
    } else if (word == "$dumpvars" && is_vcd) {
      dumping = true;  // SystemC's first values come before the first time
    } else if (word[0] == '#') {
      time = std::stoull(word.substr(1));
      if (!timed) first_time_ = time;
      timed = dumping = true;
      last_time_ = time;
    } else if (dumping && word[0] == 'b') {
      std::string code;
      line >> code;
      // Values wider than a number are ignored.
      if (word.size() <= 65) changes_[code][time] = from_binary(word.substr(1));
    } else if (dumping && (word[0] == '0' || word[0] == '1')) {
      changes_[word.substr(1)][time] = word[0] - '0';
    }
  }
}

std::vector<std::string> Wave::signals() const {
  std::vector<std::string> all;
  for (const auto& [signal, code] : changes_of_) all.push_back(signal);
  return all;
}

std::uint64_t Wave::value(const std::string& signal, std::uint64_t cycle, bool clock_high) const {
  const Changes& changes = changes_.at(changes_of_.at(signal));
  const std::uint64_t unit = kWaveUnitsPerCycle;
  auto after = changes.upper_bound(cycle * unit + (clock_high ? 0 : unit / 2));
  if (after == changes.begin()) throw std::out_of_range(signal + " has no value yet");
  return std::prev(after)->second;
}

std::set<std::uint64_t> Wave::values(const std::string& signal) const {
  std::set<std::uint64_t> all;
  for (const auto& [time, value] : changes_.at(changes_of_.at(signal))) all.insert(value);
  return all;
}

std::uint64_t Wave::first_cycle() const { return first_time_ / kWaveUnitsPerCycle; }
std::uint64_t Wave::last_cycle() const { return last_time_ / kWaveUnitsPerCycle; }

}  // namespace gossamer::test
