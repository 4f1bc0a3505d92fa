#include "import/import.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "schedule/jsonl.hpp"
#include "support/error.hpp"
#include "support/file.hpp"

namespace gossamer::cli {

int import_schedule(const Options& options) {
  const Case c = case_of(options);
  if (c.topology.empty()) throw InputError("import needs --topology: the file does not say it");
  if (options.output.empty()) throw InputError("import needs -o: the schedule file to write");
  const Topology topology = Topology::parse(c.topology);
  if (c.root && *c.root >= topology.nodes()) {
    throw InputError(fmt::format("--root: {} is no node of {}; expected 0 to {}", *c.root,
                                 c.topology, topology.nodes() - 1));
  }
  const Model model{c.ports.value_or(PortModel::All), c.duplex.value_or(Duplex::Full),
                    Switching::Packet, options.combining};
  const Plan plan{import_schedule(read_file(options.file), options.file, topology,
                                  {model, c.collective, c.root, c.op.value_or(Operator::Sum)}),
                  std::nullopt, nullptr};
  Case asked = c;
  asked.file.clear();
  const Report report = examine(asked, plan);
  if (report.passed()) write_jsonl(plan.schedule, options.output);
  if (options.json) {
    print_json(to_json(report, /*measured=*/false));
  } else {
    print_report(report, Paint());
    fmt::print("{}\n", report.passed() ? "written to " + options.output : "not written");
  }
  return exit_status(report);
}

}  // namespace gossamer::cli
