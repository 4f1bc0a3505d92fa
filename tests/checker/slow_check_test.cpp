// The checker against a second implementation of the rules, on random schedules of all models.
#include "catch.hpp"
#include "random_schedules.hpp"
#include "samples/schedules.hpp"

using namespace gossamer;
using namespace gossamer::samples;

namespace {

/// Ignores what is missing at the end: only the rules of transfers count.
bool accepted(const CheckReport& report) {
  return std::ranges::none_of(report.faults, [](const BrokenRule& f) { return f.from != kNoNode; });
}

void compare(const Schedule& schedule, unsigned& legal, unsigned& broken) {
  const test::SlowCheck slow = test::slow_check(schedule);
  const CheckReport report = check(schedule);
  INFO(text_of(schedule) << faults_of(schedule));
  REQUIRE(accepted(report) == slow.legal);
  ++(slow.legal ? legal : broken);
  if (!slow.legal) return;
  REQUIRE(report.rounds == slow.rounds);
  REQUIRE(report.delta_sum == slow.delta_sum);
  REQUIRE(report.tau_sum == slow.tau_sum);
  REQUIRE(report.transmissions == slow.transmissions);
  REQUIRE(report.delivered == slow.delivered);
  REQUIRE(report.expected == slow.expected);
  REQUIRE(report.ok() == (slow.delivered == slow.expected));
}

/// Random faults in a complete schedule: what crosses links, and what arrives, are as the plain
/// check says. Returns false if the schedule lacks messages without faults, too.
bool compare_losses(Schedule schedule, std::mt19937& random) {
  const test::SlowCheck sound = test::slow_check(schedule);
  if (sound.delivered < sound.expected) return false;
  const char* const spec = random() % 2 == 0 ? "random:2;from=2" : "rate:0.15";
  schedule.faults = parse_faults(spec, schedule.topology(), random(), schedule.root);
  const test::SlowCheck slow = test::slow_check(schedule);
  const CheckReport report = check(schedule);
  INFO(text_of(schedule) << to_string(schedule.faults) << faults_of(schedule));
  REQUIRE(report.transmissions == slow.transmissions);
  REQUIRE(report.delivered == slow.delivered);
  REQUIRE(report.expected == slow.expected);
  REQUIRE(report.ok() == (slow.delivered == slow.expected));
  return true;
}

}  // namespace

TEST_CASE("with faults the checker loses what the plainest check loses, in every model") {
  int compared = 0;
  for (const Model& model : test::all_models(/*runnable=*/false)) {
    CAPTURE(test::name_of(model));
    std::mt19937 random(6);
    for (int i = 0; i < 100; ++i) {
      const Schedule legal = test::Grower(random, model, /*legal_only=*/true).grow().schedule;
      compared += compare_losses(without_orbits(legal), random);
    }
  }
  CHECK(compared > 50);
}

TEST_CASE("the checker agrees with the plainest check of the same rules, in every model") {
  for (const Model& model : test::all_models(/*runnable=*/false)) {
    CAPTURE(test::name_of(model));
    std::mt19937 random(5);
    unsigned legal = 0, broken = 0;
    for (int i = 0; i < 200; ++i) {
      test::Grower grower(random, model, /*legal_only=*/false);
      grower.cuts = i % 2 == 0;
      compare(grower.grow().schedule, legal, broken);
    }
    CHECK(legal >= 30);
    CHECK(broken >= 25);
  }
}
