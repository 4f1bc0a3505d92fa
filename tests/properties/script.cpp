#include "script.hpp"

#include <algorithm>
#include <sstream>

#include "schedule/jsonl.hpp"

namespace gossamer::properties {

Script script_of(const Schedule& given) {
  const Schedule schedule = without_orbits(given);
  Script script{schedule.topology(), schedule.collective(), schedule.model(), schedule.root, {}};
  for (const Transfer& t : schedule.transfers()) {
    const auto path = schedule.path(t);
    const auto messages = schedule.messages(t);
    script.lines.push_back(
        {t.round, {path.begin(), path.end()}, {messages.begin(), messages.end()}, t.carry});
  }
  return script;
}

Schedule schedule_of(Script script) {
  std::ranges::stable_sort(script.lines, {}, &Line::round);
  Schedule schedule(script.topology, script.collective, script.model);
  schedule.root = script.root;
  std::uint32_t number = 1;  // of the first line, which describes the others
  for (const Line& line : script.lines) {
    ++number;
    switch (line.carry) {
      case Carry::Listed: schedule.add(line.round, line.path, line.messages, number); break;
      case Carry::Everything: schedule.add_everything(line.round, line.path, number); break;
      case Carry::New: schedule.add_new(line.round, line.path, number); break;
    }
  }
  return schedule;
}

std::string text_of(const Script& script) {
  std::ostringstream out;
  write_jsonl(schedule_of(script), out);
  return out.str();
}

}  // namespace gossamer::properties
