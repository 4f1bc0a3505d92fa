#include "algorithms/delmas_perennes/delmas_perennes.hpp"

namespace gossamer {
namespace {

Formula formula(const Request& request) {
  const unsigned i = delmas_perennes::exponent(request.topology);
  return {"4i", 4 * std::uint64_t{i}, delmas_perennes::cost(i, /*split=*/false).delta_sum};
}

Schedule plan(const Request& request) {
  const unsigned i = delmas_perennes::exponent(request.topology);
  Schedule schedule = delmas_perennes::empty_schedule(request.topology);
  std::uint32_t round = 0;
  for (const delmas_perennes::Step& step : delmas_perennes::steps(i, /*split=*/false)) {
    ++round;
    for (const delmas_perennes::Route& route : delmas_perennes::routes(step, i)) {
      schedule.add_everything(round, route.path);
    }
  }
  schedule.algorithm = "delmas-perennes";
  return schedule;
}

}  // namespace

const Algorithm kDelmasPerennes = {
    .name = "delmas-perennes",
    .source = "Delmas-Perennes 1996, section 5",
    .summary = "gossip on 7^i x 7^i x 7^i tori, all ports, circuits, combining",
    .serves = every({Collective::Gossip}, {PortModel::All}, {Duplex::Full}),
    .refuses = delmas_perennes::refuses,
    .formula = formula,
    .plan = plan,
    .switching = Switching::Circuit,
    .combining = true,
};

}  // namespace gossamer
