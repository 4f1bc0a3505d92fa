#include <fmt/format.h>

#include <algorithm>

#include "driver/suite.hpp"
#include "schedule/remains.hpp"
#include "schedule/schedule.hpp"
#include "support/refuse.hpp"
#include "support/words.hpp"
#include "tables/mem_image.hpp"
#include "tables/programs.hpp"

namespace gossamer {

namespace {

/// Nodes of programs that run at the same time: their members, and all that those before k use.
std::vector<bool> nodes_of_others(const std::vector<JobProgram>& job,
                                  const std::vector<Plan>& plans, std::size_t k) {
  std::vector<bool> others;
  for (std::size_t i = 0; i < job.size(); ++i) {
    if (i == k || job[i].beside.value_or(i) != job[k].beside.value_or(k)) continue;
    const Schedule& s = plans[i].schedule;
    others.resize(s.topology().nodes());
    for (const Node x : s.members.group()) others[x] = true;
    const std::vector<bool> used = nodes_used(s);
    for (Node x = 0; i < k && x < used.size(); ++x) others[x] = others[x] || used[x];
  }
  return others;
}

/// A plan that leaves these nodes alone. If its members reach each other without anybody, it leaves
/// all others alone.
Plan plan_without(Case c, const FaultSet& faults, const std::vector<bool>& others) {
  if (others.empty() || !c.file.empty()) return make_plan(c, PlannedTo::Run);
  const Members members = parse_members(c.members, topology_of(c));
  for (Node x = 0; x < others.size(); ++x) {
    if (others[x] && members.has(x)) {
      refuse("members: node {} is one of what runs at the same time, too", x);
    }
  }
  std::optional<Plan> plan;
  for (bool alone = true; !plan; alone = false) {
    FaultSet dead = faults;
    for (Node x = 0; x < others.size(); ++x) {
      if (others[x] || (alone && !members.has(x))) dead.nodes.push_back(x);
    }
    normalize(dead);
    c.faults = to_string(dead);
    try {
      plan = make_plan(c, PlannedTo::Run);
    } catch (const InputError& error) {
      if (!alone) refuse("without nodes of what runs at the same time: {}", error.what());
    }
  }
  plan->schedule.faults = faults;
  plan->timed.reset();
  return *std::move(plan);
}

}  // namespace

std::vector<SuiteResult> plan_job(const std::vector<JobProgram>& job) {
  std::vector<Plan> plans;
  std::vector<Case> requests;
  bool joins = false;
  for (const JobProgram& p : job) {
    Case& c = requests.emplace_back(p.request);
    // What is drawn is drawn once.
    if (!plans.empty() && !c.faults.empty() && c.faults == job[0].request.faults)
      c.faults = to_string(plans[0].schedule.faults);
    in_place(p.place, [&] { plans.push_back(make_plan(c, PlannedTo::Run)); });
    joins = joins || reduces(plans.back().schedule.collective());
  }
  std::vector<Schedule*> schedules;
  for (std::size_t k = 0; k < job.size(); ++k) {
    Case& c = requests[k];
    c.joins = joins && !reduces(plans[k].schedule.collective());
    const std::vector<bool> others = nodes_of_others(job, plans, k);
    // In nodes that join, others may be the fastest.
    if (!others.empty() || c.joins) {
      in_place(job[k].place, [&] { plans[k] = plan_without(c, plans[k].schedule.faults, others); });
    }
    schedules.push_back(&plans[k].schedule);
  }
  share_nodes(schedules);
  std::vector<SuiteResult> results;
  for (std::size_t k = 0; k < job.size(); ++k) {
    in_place(job[k].place, [&] { results.push_back({examine(requests[k], std::move(plans[k]))}); });
    const Facts& facts = results.back().facts;
    if (facts.why_not) refuse("{}: {}", job[k].place, *facts.why_not);
  }
  return results;
}

Program program_of(const Facts& facts) {
  return {.schedule = &facts.schedule(),
          .flits = facts.request.flits,
          .stages = facts.request.stages.on(facts.schedule()),
          .timed = facts.timed,
          .seed = facts.request.seed};
}

std::vector<Program> programs_of(const std::vector<JobProgram>& job,
                                 const std::vector<SuiteResult>& plans) {
  // Programs have different words, so that none is taken for another one's.
  constexpr unsigned kSeedBits = 32 - rtl::CONTROL_PROGRAM_W;
  std::vector<Program> programs;
  for (std::size_t k = 0; k < job.size(); ++k) {
    Program& p = programs.emplace_back(program_of(plans[k].facts));
    p.name = job[k].place;
    p.seed += static_cast<std::uint32_t>(k << kSeedBits);
    p.after = job[k].after;
    p.takes = job[k].takes;
    p.beside = job[k].beside;
  }
  return programs;
}

JobTables tables_of(const std::vector<Program>& programs, bool tight) {
  Programs all = programs_of(programs, 0, true);
  NodeBuild build = build_for(all.image);
  if (tight) tighten(all.image, build, std::ranges::max(all.packets));
  return {all.image.held(), build.depths, table_writes(all.image, build.depths, all.packets).size(),
          cost_of(build, true)};
}

std::size_t run_job(const std::vector<JobProgram>& job, std::vector<SuiteResult>& plans,
                    Runner& runner, const RunOptions& options) {
  std::vector<std::vector<std::size_t>> chains;  // each of one that no other follows
  for (std::size_t k = 0; k < job.size(); ++k) {
    if (std::ranges::any_of(job, [&](const JobProgram& p) { return p.after == k; })) continue;
    auto& chain = chains.emplace_back();
    for (auto at = std::optional(k); at; at = job[*at].after) chain.insert(chain.begin(), *at);
  }
  std::vector<std::size_t> starts;
  const auto add = [&] {
    for (const auto& chain : chains) starts.insert(starts.end(), chain.begin(), chain.end());
  };
  add();
  add();
  std::ranges::reverse(chains);
  if (chains.size() > 1) add();
  RunOptions all = run_options(plans.front().facts, options);
  const std::vector<RunResult> runs = runner.run_programs(programs_of(job, plans), starts, all);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Facts& facts = plans[starts[i]].facts;
    const std::size_t before = facts.problems.size();
    Facts again = facts;
    judge_run(again, runs[i]);
    for (std::size_t p = before; p < again.problems.size(); ++p) {
      facts.problems.push_back(fmt::format("start {}: {}", i + 1, again.problems[p]));
    }
    facts.run = std::move(again.run);
    facts.interrupted_in = again.interrupted_in;
  }
  return starts.size();
}

}  // namespace gossamer
