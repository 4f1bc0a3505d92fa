#include "driver/rank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/screen.hpp"
#include "page/page.hpp"
#include "support/error.hpp"
#include "support/file.hpp"

namespace gossamer::cli {
namespace {

/// Several groups have one each.
bool has_one_root(const Request& request) {
  return has_root(request.collective) && !request.members.several();
}

std::string name_of(const Ranked& row) {
  return fmt::format("{}, {} port{}", row.algorithm->name, to_string(row.model.ports),
                     row.model.ports == PortModel::All ? "s" : "");
}

/// Where the best changes. While two take turns they are named once.
std::string best_in_words(const Ranking& ranking) {
  const std::vector<BestFrom>& best = ranking.best;
  const auto name = [&](std::size_t i) { return name_of(ranking.rows[best[i].row]); };
  std::string text;
  const auto add = [&](std::size_t from, const std::string& what) {
    if (from > 0) text += fmt::format("; from {} flits on ", grouped(best[from].flits));
    text += what;
  };
  for (std::size_t i = 0; i < best.size(); ++i) {
    std::size_t end = i + 2;
    while (end < best.size() && best[end].row == best[end - 2].row) ++end;
    add(i, name(i));
    if (end < i + 5) continue;
    add(i + 1, fmt::format("{} and {} in turn", name(i + 1), name(i + 2)));
    i = end - 2;  // the last of them stays ahead
  }
  return text;
}

nlohmann::ordered_json json_of(const Ranking& ranking, const Case& c) {
  const Request& request = ranking.request;
  nlohmann::ordered_json json;
  json["topology"] = request.whole_topology().spec();
  json["nodes"] = request.whole_topology().nodes();
  if (!c.faults.empty()) json["faults"] = c.faults;
  json["collective"] = to_string(request.collective);
  const Schedule asked = request.whole ? request.whole->schedule : empty_schedule(request, {});
  if (has_one_root(request)) json["root"] = asked.root;
  if (!asked.members.all()) json["members"] = asked.members.group();
  json["duplex"] = to_string(request.duplex);
  json["link_stages"] = c.stages.text();
  json["flits"] = ranking.flits;
  json["lengths_compared"] = ranking.compared;
  json["cycles_bound"] = ranking.bounds;
  for (const Ranked& row : ranking.rows) {
    nlohmann::ordered_json one;
    one["algorithm"] = row.algorithm->name;
    one["ports"] = to_string(row.model.ports);
    one["switching"] = switching_of(row);
    one["combining"] = row.model.combining;
    one["tried"] = row.tried;
    one["plans"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < row.plans.size(); ++i) {
      if (!row.plans[i]) continue;
      const RankedPlan& plan = *row.plans[i];
      one["plans"].push_back({{"flits", ranking.flits[i]},
                              {"cycles_predicted", plan.cycles},
                              {"rounds", plan.rounds},
                              {"pieces", plan.pieces},
                              {"switching", to_string(plan.switching)},
                              {"best", plan.best}});
      if (plan.words) one["plans"].back()["table_words"] = *plan.words;
    }
    json["algorithms"].push_back(std::move(one));
  }
  for (const BestFrom& from : ranking.best) {
    const Ranked& row = ranking.rows[from.row];
    json["best"].push_back({{"from_flits", from.flits},
                            {"algorithm", row.algorithm->name},
                            {"ports", to_string(row.model.ports)}});
  }
  json["best_in_words"] = best_in_words(ranking);
  return json;
}

std::string title_of(const Request& request, const Case& c) {
  const Members& members = request.whole ? request.whole->schedule.members : request.members;
  return fmt::format("{} on {}{}, {} nodes{}, {}-duplex links{}", both_names(request.collective),
                     request.topology.spec(),
                     has_one_root(request) ? ", root " + request.topology.name(request.root) : "",
                     request.whole_topology().nodes(),
                     members.all() ? "" : fmt::format(", members {}", members.text()),
                     to_string(request.duplex),
                     c.stages.none() ? "" : fmt::format(" of {} stages", c.stages.text()));
}

void print(const Ranking& ranking, const Case& c, const Paint& paint) {
  fmt::print("{}\n", title_of(ranking.request, c));
  fmt::print(
      "Cycles, by the timing model, rounds, and words of tables, which load in {} cycles more; * "
      "takes the fewest {}.\n\n",
      kLoadControl, c.best == Best::Tables ? "words" : "cycles");
  std::size_t width = std::size("algorithm") - 1, of_switching = std::size("switching") - 1;
  for (const Ranked& row : ranking.rows) {
    width = std::max(width, row.algorithm->name.size());
    of_switching = std::max(of_switching, switching_of(row).size());
  }
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < ranking.flits.size(); ++i) {
    std::size_t of_cycles = grouped(ranking.bounds[i]).size();
    for (const Ranked& row : ranking.rows) {
      if (row.plans[i]) of_cycles = std::max(of_cycles, grouped(row.plans[i]->cycles).size());
    }
    widths.push_back(std::max<std::size_t>(of_cycles, 6));
  }
  fmt::print("{:<{}}  {:<6}  {:<{}}", "algorithm", width, "ports", "switching", of_switching);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    fmt::print(
        "  {:>{}}",
        fmt::format("{} flit{}", grouped(ranking.flits[i]), ranking.flits[i] == 1 ? "" : "s"),
        widths[i] + 18);
  }
  fmt::print("\n");
  for (const Ranked& row : ranking.rows) {
    fmt::print("{:<{}}  {:<6}  {:<{}}", row.algorithm->name, width, to_string(row.model.ports),
               switching_of(row), of_switching);
    for (std::size_t i = 0; row.tried && i < widths.size(); ++i) {
      const auto& plan = row.plans[i];
      const std::string cycles = plan ? grouped(plan->cycles) : "-";
      const std::string text =
          fmt::format("{:>{}}{}", cycles, widths[i], plan && plan->best ? "*" : " ");
      const std::string rounds = plan ? grouped(plan->rounds) : "";
      const std::string words = plan && plan->words ? grouped(*plan->words) : "";
      fmt::print("  {}{:>8} {:>8}", plan && plan->best ? paint.good(text) : text, rounds, words);
    }
    fmt::print("{}\n", row.tried ? "" : "  not tried: the search would take too long");
  }
  fmt::print("{:<{}}  {:<6}  {:<{}}", "bound", width, "", "", of_switching);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    fmt::print("  {:>{}} {:>17}", grouped(ranking.bounds[i]), widths[i], "");
  }
  const bool all = ranking.compared == ranking.flits.back() - ranking.flits.front() + 1;
  fmt::print("\n\nbest{}: {}\n",
             all ? "" : fmt::format(", of {} lengths compared", grouped(ranking.compared)),
             best_in_words(ranking));
}

/// One line for each class of faults: how many cycles the best plan around it takes.
int rank_faults(const Ask& ask) {
  Case c = ask.request;
  if (!ask.report.empty() || !ask.output.empty()) {
    throw InputError("--faults: of each there is a table; --report and --svg are for one");
  }
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const unsigned flits :
       ask.lengths.empty() ? std::vector{c.flits} : lengths("--flits", ask.lengths)) {
    c.flits = flits;
    c.flits_given = true;
    const std::uint64_t whole = whole_cycles(c);
    if (!ask.json) {
      fmt::print(
          "{} on {}, {} flits: {} cycles if nothing is dead\n\n{:<24} {:>6} {:>10} {:>10} {:>6}  "
          "algorithm\n",
          both_names(c.collective.value_or(Collective::Gossip)), c.topology, flits, grouped(whole),
          "dead", "sets", "cycles", "bound", "ratio");
    }
    std::uint64_t most = 0, sets_in_all = 0;
    double worst = 0, sum = 0, sum_of_cycles = 0;
    for (const auto& [one, sets] : each_case(c)) {
      nlohmann::ordered_json row = {{"faults", one.faults}, {"sets", sets}, {"flits", flits}};
      try {
        const Facts facts = examine(one, make_plan(one));
        const double ratio = facts.ratio_to_bound().value_or(0);
        const std::uint64_t cycles = facts.cycles_predicted().value_or(0);
        row["algorithm"] = facts.plan->algorithm->name;
        row["cycles"] = cycles;
        row["cycles_bound"] = facts.cycles_bound->value;
        row["whole_cycles"] = whole;
        if (!ask.json) {
          fmt::print("{:<24} {:>6} {:>10} {:>10} {:>6.3f}  {}\n", one.faults, sets, grouped(cycles),
                     grouped(facts.cycles_bound->value), ratio, facts.plan->algorithm->name);
        }
        sum_of_cycles += static_cast<double>(cycles * sets);
        sum += ratio * static_cast<double>(sets);
        sets_in_all += sets;
        worst = std::max(worst, ratio);
        most = std::max(most, cycles);
      } catch (const InputError& error) {
        row["refused"] = error.what();
        if (!ask.json) fmt::print("{:<24} {:>6}  {}\n", one.faults, sets, error.what());
      }
      json.push_back(std::move(row));
    }
    if (ask.json || sets_in_all == 0) continue;
    const auto all = static_cast<double>(sets_in_all);
    fmt::print("\nworst {} cycles, {:.3f} of its bound; mean of {} sets {:.1f} cycles, {:.3f}\n",
               grouped(most), worst, grouped(sets_in_all), sum_of_cycles / all, sum / all);
  }
  if (ask.json) print_json(json);
  return 0;
}

}  // namespace

int rank(const Ask& ask, Runner&) {
  const Case& c = ask.request;
  const std::vector<unsigned> flits = lengths("--flits", !ask.lengths.empty() ? ask.lengths
                                                         : c.barrier          ? "1"
                                                                              : "1,8,64,1024");
  if (c.barrier && flits != std::vector{1u}) {
    throw InputError("--flits: a barrier has one flit: leave the flits out");
  }
  require_extension("--report", ask.report, ".html");
  require_extension("--svg", ask.output, ".svg");
  if (names_each(c.faults)) return rank_faults(ask);
  const Ranking ranking = [&] {
    Progress progress;
    progress.stage("planning");
    return gossamer::rank(c, flits);
  }();
  const std::string title = title_of(ranking.request, c);
  if (!ask.report.empty()) {
    write_file(ask.report, rank_page(ranking, json_of(ranking, c), title, ask.command));
  }
  if (!ask.output.empty()) write_file(ask.output, rank_svg(ranking, title));
  if (ask.json) {
    print_json(json_of(ranking, c));
  } else {
    print(ranking, c, Paint());
  }
  return 0;
}

}  // namespace gossamer::cli
