#include "import/import.hpp"

#include <fmt/format.h>

#include "cli/case_work.hpp"
#include "cli/verbs.hpp"
#include "support/error.hpp"
#include "support/file.hpp"

namespace gossamer::cli {

int import_schedule(const Options& options) {
  const Case c = case_of(options);
  if (c.topology.empty()) throw InputError("import needs --topology: the file does not say it");
  if (options.output.empty()) throw InputError("import needs -o: the schedule file to write");
  const Topology topology = topology_of(c);
  const Model model{c.ports.value_or(PortModel::All), c.duplex.value_or(Duplex::Full),
                    Switching::Packet, options.combining};
  Case asked = c;
  asked.file.clear();
  const auto read = [&] {
    Plan plan{import_schedule(read_file(options.file), options.file, topology,
                              {model, c.collective, root_of(c, topology)}),
              std::nullopt, nullptr};
    refuse_meaningless_root(c, plan.schedule.collective());
    set_operator(c, plan.schedule);
    if (c.flits_given) plan.schedule.planned_for = PlannedFor{c.flits, {}};
    return plan;
  };
  const auto write = [&](auto& report, auto& plan, Step& step) {
    write_schedule(options, report, plan, step);
  };
  Report report =
      carry_out(options, asked, {.make = read, .making = "reading " + options.file, .then = write});
  return print(options, std::move(report), options.output);
}

}  // namespace gossamer::cli
