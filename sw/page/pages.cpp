#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "adaptive/adaptive.hpp"
#include "fabric/payload.hpp"
#include "page/page.hpp"
#include "page/pictures.hpp"
#include "page_assets.hpp"
#include "support/json.hpp"
#include "support/refuse.hpp"
#include "support/words.hpp"

namespace gossamer {
namespace {

/// A script's text ends at "</script>", so it must not contain "<".
std::string script_json(const Json& data) {
  std::string text;
  for (const char c : data.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string html_page(std::string_view title, const Json& data, std::string_view pictures) {
  return fmt::format(assets::page_html, xml_escaped(title), assets::page_css, pictures,
                     script_json(data), assets::page_js);
}

std::string suite_page(const Json& result, const std::vector<SuiteResult>& results,
                       const std::string& program, const std::string& command) {
  Json data;
  data["gossamer_report"] = 1;
  data["kind"] = "suite";
  data["command"] = command;
  data["result"] = result;
  data["commands"] = Json::array();
  for (const SuiteResult& r : results) {
    data["commands"].push_back(r.facts.can_run() ? Json(run_command_line(r.facts, program))
                                                 : Json(nullptr));
  }
  return html_page(result["suite"].get<std::string>(), data, "");
}

namespace {

/// The most differences between expected and seen flits that are written, the first ones.
constexpr std::size_t kMostDifferences = 2000;
/// The most bars of a space-time picture.
constexpr std::uint64_t kMostBars = 50'000;

Json message_json(const Message& m, bool cut) {
  if (m.origin == kNoNode) return nullptr;
  if (cut) return {m.origin, m.destination == kNoNode ? Json() : Json(m.destination), m.piece};
  if (m.destination == kNoNode) return m.origin;
  return {m.origin, m.destination};
}

Json topology_json(const Topology& topology) {
  Json factors = Json::array();
  for (const Graph& graph : topology.factors()) {
    Json peers = Json::array();
    for (const Endpoint& e : graph.peers)
      peers.push_back(e.connected() ? Json(e.node) : Json(nullptr));
    factors.push_back(
        {{"spec", graph.spec}, {"nodes", graph.nodes}, {"ports", graph.ports}, {"peers", peers}});
    if (!graph.silent.empty()) factors.back()["silent"] = graph.silent;
  }
  Json json = {{"spec", topology.spec()},
               {"nodes", topology.nodes()},
               {"ports", topology.ports()},
               {"factors", factors}};
  if (topology.named()) json["names"] = topology.factors()[0].names;
  return json;
}

/// Consecutive rounds of equal shape are one entry.
Json slots_json(const Timeline& time) {
  Json slots = Json::array();
  for (std::size_t r = 0; r < time.length.size(); ++r) {
    const SlotParts& p = time.parts[r];
    const Json parts = {time.length[r], p.alpha, p.hops, p.flits, p.waiting};
    if (!slots.empty() && slots.back()["cycles"] == parts) {
      slots.back()["rounds"] = slots.back()["rounds"].get<std::uint64_t>() + 1;
    } else {
      slots.push_back({{"rounds", 1}, {"cycles", parts}});
    }
  }
  return slots;
}

Json streams_json(const Schedule& schedule, const std::vector<PageStream>& streams) {
  Json json = Json::array();
  const bool parallel = schedule.topology().parallel();
  for (const PageStream& stream : streams) {
    const Transfer& t = schedule.transfers()[stream.transfer];
    Json messages = stream.count;  // a number: they are not listed
    if (!stream.messages.empty()) {
      messages = Json::array();
      for (const Message& m : stream.messages)
        messages.push_back(message_json(m, schedule.pieces() > 1));
    }
    // The way from the source on, of which this is the last hop.
    const TransferHops hops = schedule.hops(t);
    const bool all = stream.hop == PageStream::kPath;
    const TransferHop last = hops[all ? hops.size() - 1 : stream.hop];
    std::vector<Node> path = {last.to, last.from}, lanes = {last.lane};
    for (std::uint32_t h = last.before; !t.join && h != TransferHop::kNone; h = hops[h].before) {
      path.push_back(hops[h].from);
      lanes.push_back(hops[h].lane);
    }
    std::ranges::reverse(path);
    std::ranges::reverse(lanes);
    const std::uint32_t round = t.join ? schedule.round_of(t, last) : t.round;
    Json& of = json.emplace_back(Json::array({round, path, messages, stream.begin}));
    if (!all || parallel) of.insert(of.end(), {all || t.join ? 0 : last.depth, last.stored});
    if (parallel) of.push_back(lanes);
  }
  return json;
}

Json runs_json(const Schedule& schedule, const std::vector<LinkRun>& runs) {
  Json json = Json::array();
  for (std::size_t i = 0; i < runs.size() && i < kMostDifferences; ++i) {
    const LinkRun& r = runs[i];
    json.push_back({r.begin, r.flits, r.from, schedule.topology().peer(r.from, r.port).node,
                    message_json(r.message, schedule.pieces() > 1), r.first});
  }
  return json;
}

/// What the monitors saw, as the difference from the schedule.
Json seen_json(const Schedule& schedule, const LinkRecord& record,
               const std::vector<LinkRun>& expected) {
  const SeenDifference d = difference(expected, record);
  return {{"until", record.last},
          {"runs", record.runs.size()},
          {"missing_total", d.missing.size()},
          {"extra_total", d.extra.size()},
          {"missing", runs_json(schedule, d.missing)},
          {"extra", runs_json(schedule, d.extra)}};
}

Json failure_json(const Facts& facts, const std::string& program) {
  if (facts.problems.empty() && facts.error.empty()) return nullptr;
  Json json;
  if (facts.can_run()) {
    json["rerun"] = rerun_command(facts, program);
    const std::string name = facts.request.name.empty() ? "fail" : facts.request.name;
    json["waveform"] =
        fmt::format("gtkwave {}{} {}.gtkw", name, wave_extension(facts.request.engine), name);
  }
  if (facts.run && facts.run->has_difference) json["cycle"] = facts.run->difference_cycle;
  return json;
}

bool drawn(const Schedule& schedule) { return schedule.topology().nodes() <= kMostDrawnNodes; }

bool has_many_hops(const Schedule& schedule) {
  std::uint64_t numbers = 0;
  for (const Transfer& t : schedule.transfers()) {
    // The messages of a tree are listed at each of its hops.
    numbers += 2 + t.path_size + std::uint64_t{t.messages_size} * (t.tree ? t.path_size - 1 : 1);
  }
  return numbers > kMostNumbers;
}

bool all_listed(const std::vector<PageStream>& streams) {
  return std::ranges::none_of(streams, [](const PageStream& s) { return s.messages.empty(); });
}

std::vector<PageStream> streams_of(const Facts& facts) {
  return page_streams(facts.schedule(), *facts.timed, facts.check.carried, kMostListed);
}

/// Rows of a round and how often it stands there, again and again; null: never.
Json rounds_json(const std::vector<std::vector<std::uint32_t>>& rows) {
  Json json = Json::array();
  for (const auto& row : rows) {
    Json& line = json.emplace_back(Json::array());
    for (auto first = row.begin(); first != row.end();) {
      const auto next = std::find_if(first, row.end(), [&](auto r) { return r != *first; });
      line.push_back(*first == Knowledge::kNever ? Json() : Json(*first));
      line.push_back(next - first);
      first = next;
    }
  }
  return json;
}

/// What each node has in the end, where a host is told so (`# at`), and can be.
Json held_json(const Facts& facts) {
  Json json = Json::array();
  if (!facts.passed() || facts.nodes() > 256 || adaptive(facts.schedule())) return json;
  const Program program[] = {program_of(facts)};
  try {
    for (const auto& [x, log, first, words, origin, flit] :
         results_of(program, programs_of(program, 1), 0))
      json.push_back({x, log, first, words, origin, flit});
  } catch (const InputError&) {
    json.clear();  // no hardware has such nodes
  }
  return json.size() > kMostNumbers / 20 ? Json::array() : json;
}

void add_schedule(Json& json, const Facts& facts) {
  const Schedule& schedule = facts.schedule();
  const Timeline& time = facts.timed->time;
  json["translations"] = schedule.symmetry().generators();
  json["slots"] = slots_json(time);
  if (!time.stages.empty()) json["stages"] = time.stages;
  if (time.joining != 0) json["joining"] = time.joining;
  if (!schedule.sizes.equal()) json["flits"] = schedule.sizes.all();
  json["streams"] = nullptr;
  const bool many = has_many_hops(schedule);
  const std::vector<PageStream> streams = many ? std::vector<PageStream>{} : streams_of(facts);
  const bool lengths_known =
      all_listed(streams) || schedule.chunk_flits(facts.request.flits).equal();
  if (many || !lengths_known || (adaptive(schedule) && streams.size() * 5 > kMostNumbers)) return;
  json["streams"] = streams_json(schedule, streams);
  const std::uint64_t pairs = std::uint64_t{schedule.symmetry().classes()} * facts.nodes();
  if (pairs * schedule.pieces() <= kMostKnown) {
    const Knowledge known = knowledge(schedule, streams);
    json["came"] = rounds_json(known.came);
    if (!known.left.empty()) json["left"] = rounds_json(known.left);
  }
  if (const Json at = held_json(facts); !at.empty()) json["at"] = at;
  json["seen"] = nullptr;
  if (facts.run && facts.run->record && all_listed(streams)) {
    json["seen"] = seen_json(schedule, *facts.run->record,
                             link_runs(schedule, time, streams, facts.request.flits));
  }
}

}  // namespace

Json case_data(const Facts& facts, const std::string& program, const std::string& command) {
  Json json;
  json["gossamer_report"] = 1;
  json["kind"] = "case";
  json["command"] = command;
  json["title"] = title_of(facts);
  json["result"] = to_json(facts, /*measured=*/true);
  json["model"] = model_of(facts);
  for (const Number& n : numbers_of(facts)) json["numbers"].push_back({n.name, n.value, n.meaning});
  json["failure"] = failure_json(facts, program);
  json["refused"] = json["result"].value("refused", Json::array());
  json["colours"] = Json::array();
  for (const OriginColour& colour : kOriginColours) json["colours"].push_back(colour.css);
  json["topology"] = topology_json(facts.schedule().topology());
  if (facts.timed) add_schedule(json, facts);
  return json;
}

std::string case_page(const Facts& facts, const std::string& program, const std::string& command) {
  const Json data = case_data(facts, program, command);
  std::string pictures;
  if (drawn(facts.schedule())) pictures = fabric_svg(facts.schedule().topology());
  return html_page(title_of(facts), data, pictures);
}

Picture parse_picture(const std::string& word) {
  static constexpr std::pair<std::string_view, Picture> kPictures[] = {
      {"fabric", Picture::Fabric},
      {"space-time", Picture::SpaceTime},
      {"knowledge", Picture::Knowledge}};
  return named("picture", word, kPictures, [](const auto& one) { return one.first; }).second;
}

std::string picture_svg(Picture picture, const Facts& facts) {
  const Schedule& schedule = facts.schedule();
  const std::string title = title_of(facts);
  if (picture == Picture::Fabric) {
    if (!drawn(schedule)) {
      refuse("fabric: {} nodes are too many for a picture; {} at most", facts.nodes(),
             kMostDrawnNodes);
    }
    return fabric_picture(schedule.topology(),
                          link_loads(schedule, facts.check, facts.request.flits), schedule.faults,
                          title);
  }
  if (!facts.timed) throw InputError("the schedule cannot be timed, so it has no picture");
  const Timeline& time = facts.timed->time;
  const std::vector<PageStream> streams = streams_of(facts);
  if (picture == Picture::Knowledge) return knowledge_svg(schedule, streams, title);
  if (!all_listed(streams))
    throw InputError("the schedule carries too many messages for a picture");
  if (const std::uint64_t bars = count_runs(schedule, streams); bars > kMostBars) {
    refuse("space-time: {} bars are too many for a picture; {} at most", bars, kMostBars);
  }
  return space_time_svg(schedule.topology(),
                        link_runs(schedule, time, streams, facts.request.flits), time, title);
}

namespace {

constexpr double kPlotLeft = 78, kPlotTop = 44, kPlotWidth = 620, kPlotHeight = 380,
                 kNameHeight = 13;
constexpr std::array<std::string_view, 8> kLineColours = {
    "#1f6498", "#b5541c", "#2e7d4f", "#7a4fa3", "#a3231f", "#8a6d00", "#2a8a96", "#5b6570"};

/// Of an axis on which a factor always takes the same room.
class Scale {
 public:
  Scale(double least, double most, double from, double to)
      : low_(std::log(least)), high_(std::max(std::log(most), low_ + 0.1)), from_(from), to_(to) {}
  double at(double value) const {
    return from_ + (std::log(value) - low_) / (high_ - low_) * (to_ - from_);
  }

 private:
  double low_, high_, from_, to_;
};

/// A line of the plot.
struct Line {
  std::string name;
  std::string_view colour;
  std::vector<std::pair<double, double>> points;
  bool bound = false;
};

std::string name_of(const Ranked& row) {
  return fmt::format("{}, {}", row.algorithm->name, to_string(row.model.ports));
}

void draw_marks(Svg& svg, const Ranking& ranking, const Scale& x, const Scale& y, double least,
                double most) {
  const double bottom = kPlotTop + kPlotHeight;
  const auto down = [&](unsigned flits, std::string_view stroke, std::string_view more) {
    svg.path(fmt::format("M{:.1f} {:.6g}v{:.6g}", x.at(flits), kPlotTop, kPlotHeight), stroke,
             more);
  };
  for (const unsigned flits : ranking.flits) {
    down(flits, "#eef1f4", "");
    svg.text(x.at(flits), bottom + 16, std::to_string(flits), {.anchor = "middle"});
  }
  for (double cycles = 1; cycles <= most; cycles *= 10) {
    if (cycles < least) continue;
    svg.path(fmt::format("M{:.6g} {:.1f}h{:.6g}", kPlotLeft, y.at(cycles), kPlotWidth), "#eef1f4");
    svg.text(kPlotLeft - 8, y.at(cycles) + 4, fmt::format("{:.0f}", cycles), {.anchor = "end"});
  }
  for (const BestFrom& change : std::span(ranking.best).subspan(1)) {
    down(change.flits, "#777", R"( class="change" stroke-dasharray="2 3")");
    svg.text(x.at(change.flits) + 4, kPlotTop + 10, std::to_string(change.flits));
  }
  svg.text(kPlotLeft + kPlotWidth / 2, bottom + 34,
           "flits of a message; dashed: from where on another one is best", {.anchor = "middle"});
  svg.text(kPlotLeft - 8, kPlotTop - 6, "cycles", {.anchor = "end"});
}

}  // namespace

std::string rank_svg(const Ranking& ranking, const std::string& title) {
  std::vector<Line> lines;
  double least = 1e300, most = 1;
  const auto add = [&](Line line) {
    for (const auto& [flits, cycles] : line.points) {
      least = std::min(least, cycles);
      most = std::max(most, cycles);
    }
    if (!line.points.empty()) lines.push_back(std::move(line));
  };
  for (const Ranked& row : ranking.rows) {
    Line line{name_of(row), kLineColours[lines.size() % kLineColours.size()], {}};
    for (std::size_t i = 0; i < row.plans.size(); ++i) {
      if (!row.plans[i] || row.plans[i]->cycles == 0) continue;
      line.points.emplace_back(ranking.flits[i], row.plans[i]->cycles);
    }
    add(std::move(line));
  }
  Line bound{"bound", "#222", {}, true};
  for (std::size_t i = 0; i < ranking.flits.size(); ++i) {
    if (ranking.bounds[i] > 0) bound.points.emplace_back(ranking.flits[i], ranking.bounds[i]);
  }
  add(std::move(bound));
  const Scale x(ranking.flits.front(), ranking.flits.back(), kPlotLeft, kPlotLeft + kPlotWidth);
  const Scale y(least, most, kPlotTop + kPlotHeight, kPlotTop);
  Svg svg;
  draw_marks(svg, ranking, x, y, least, most);
  for (const Line& line : lines) {
    std::string points;
    for (const auto& [flits, cycles] : line.points) {
      points += fmt::format("{:.1f},{:.1f} ", x.at(flits), y.at(cycles));
      svg.add(fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="2.6" fill="{}"/>)", x.at(flits),
                          y.at(cycles), line.colour));
    }
    svg.add(fmt::format(R"(<polyline points="{}" fill="none" stroke="{}" stroke-width="1.6"{}/>)",
                        points, line.colour, line.bound ? R"( stroke-dasharray="6 4")" : ""));
    svg.add("\n");
  }
  // Names at the ends of the lines, from the top down, none on another.
  std::ranges::stable_sort(lines, {}, [&](const Line& l) { return y.at(l.points.back().second); });
  double below = kPlotTop - kNameHeight, widest = 0;
  for (const Line& line : lines) {
    const double end = y.at(line.points.back().second);
    below = std::max(below + kNameHeight, end);
    widest = std::max(widest, 6.4 * static_cast<double>(line.name.size()));
    svg.path(fmt::format("M{:.1f} {:.1f}L{:.0f} {:.1f}", x.at(line.points.back().first) + 4, end,
                         kPlotLeft + kPlotWidth + 22, below),
             line.colour, R"( stroke-opacity=".35")");
    svg.text(kPlotLeft + kPlotWidth + 26, below + 4, line.name, {.fill = line.colour});
  }
  return svg.whole(kPlotLeft + kPlotWidth + 40 + widest,
                   std::max(kPlotTop + kPlotHeight + 46, below + 16), title);
}

std::string rank_page(const Ranking& ranking, const Json& result, const std::string& title,
                      const std::string& command) {
  Json data;
  data["gossamer_report"] = 1;
  data["kind"] = "rank";
  data["command"] = command;
  data["title"] = title;
  data["result"] = result;
  return html_page(title, data, rank_svg(ranking, title));
}

}  // namespace gossamer
