#include <string>

#include "checker/checker.hpp"
#include "import/import.hpp"
#include "targets.hpp"

namespace gossamer::fuzz {
namespace {

/// The time to check a schedule grows with the nodes.
constexpr Node kMostNodes = 1024;

Model model_of(std::size_t number) {
  return {number % 2 == 0 ? PortModel::All : PortModel::Single,
          number / 2 % 2 == 0 ? Duplex::Full : Duplex::Half, Switching::Packet,
          number / 4 % 2 == 1};
}

}  // namespace

void imports(std::string_view input) {
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos) return;
  const auto t = answer("", [&] { return Topology::parse(input.substr(0, end)); });
  if (!t || t->nodes() > kMostNodes) return;
  const std::string text(input.substr(end + 1));
  const Model model = model_of(input.size());
  const auto read = answer("input:", [&] { return import_schedule(text, "input", *t, {model}); });
  if (!read) return;
  for (const Transfer& transfer : read->transfers()) {
    demand(transfer.line > 0, "an imported transfer should have a line");
  }
  // The checker says what is wrong with the transfers, links that do not exist among it.
  const auto report = answer("", [&] { return check(*read); });
  if (!report) return;
  for (const BrokenRule& fault : report->faults) demand_line(to_string(fault), "");
  if (report->ok()) {
    demand(read_schedule(text_of(*read, Orbits::Kept)).has_value(),
           "an imported schedule that is correct should be read again");
  }
}

}  // namespace gossamer::fuzz
