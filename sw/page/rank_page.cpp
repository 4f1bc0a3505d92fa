#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "page/page.hpp"
#include "page/pictures.hpp"
#include "support/words.hpp"

namespace gossamer {
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

std::string marks(const Ranking& ranking, const Scale& x, const Scale& y, double least,
                  double most) {
  std::string body;
  const auto out = std::back_inserter(body);
  for (const unsigned flits : ranking.flits) {
    fmt::format_to(out,
                   "<path d=\"M{0:.1f} {1:.0f}v{2:.0f}\" stroke=\"#eef1f4\"/><text x=\"{0:.1f}\" "
                   "y=\"{3:.0f}\" text-anchor=\"middle\" fill=\"#555\">{4}</text>\n",
                   x.at(flits), kPlotTop, kPlotHeight, kPlotTop + kPlotHeight + 16, flits);
  }
  for (double cycles = 1; cycles <= most; cycles *= 10) {
    if (cycles < least) continue;
    fmt::format_to(out,
                   "<path d=\"M{0:.0f} {1:.1f}h{2:.0f}\" stroke=\"#eef1f4\"/><text x=\"{3:.0f}\" "
                   "y=\"{4:.1f}\" text-anchor=\"end\" fill=\"#555\">{5:.0f}</text>\n",
                   kPlotLeft, y.at(cycles), kPlotWidth, kPlotLeft - 8, y.at(cycles) + 4, cycles);
  }
  for (std::size_t i = 1; i < ranking.best.size(); ++i) {
    fmt::format_to(out,
                   "<path class=\"change\" d=\"M{0:.1f} {1:.0f}v{2:.0f}\" stroke=\"#777\" "
                   "stroke-dasharray=\"2 3\"/><text x=\"{3:.1f}\" y=\"{4:.0f}\" "
                   "fill=\"#555\">{5}</text>\n",
                   x.at(ranking.best[i].flits), kPlotTop, kPlotHeight,
                   x.at(ranking.best[i].flits) + 4, kPlotTop + 10, ranking.best[i].flits);
  }
  fmt::format_to(
      out,
      "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\" fill=\"#555\">flits of a "
      "message; dashed: from where on another one is best</text>\n"
      "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\" fill=\"#555\">cycles</text>\n",
      kPlotLeft + kPlotWidth / 2, kPlotTop + kPlotHeight + 34, kPlotLeft - 8, kPlotTop - 6);
  return body;
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
  std::string body = marks(ranking, x, y, least, most);
  const auto out = std::back_inserter(body);
  for (const Line& line : lines) {
    const std::string_view dashes = line.bound ? " stroke-dasharray=\"6 4\"" : "";
    std::string points;
    for (const auto& [flits, cycles] : line.points) {
      fmt::format_to(std::back_inserter(points), "{:.1f},{:.1f} ", x.at(flits), y.at(cycles));
      fmt::format_to(out, "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\" fill=\"{}\"/>",
                     x.at(flits), y.at(cycles), line.colour);
    }
    fmt::format_to(out,
                   "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{}/>\n",
                   points, line.colour, dashes);
  }
  // Names at the ends of the lines, from the top down, none on another.
  std::ranges::stable_sort(lines, {}, [&](const Line& l) { return y.at(l.points.back().second); });
  double below = kPlotTop - kNameHeight, widest = 0;
  for (const Line& line : lines) {
    const double end = y.at(line.points.back().second);
    below = std::max(below + kNameHeight, end);
    widest = std::max(widest, 6.4 * static_cast<double>(line.name.size()));
    fmt::format_to(out,
                   "<path d=\"M{:.1f} {:.1f}L{:.0f} {:.1f}\" stroke=\"{}\" stroke-opacity=\".35\"/>"
                   "<text x=\"{:.0f}\" y=\"{:.1f}\" fill=\"{}\">{}</text>\n",
                   x.at(line.points.back().first) + 4, end, kPlotLeft + kPlotWidth + 22, below,
                   line.colour, kPlotLeft + kPlotWidth + 26, below + 4, line.colour,
                   xml_escaped(line.name));
  }
  return whole_svg(kPlotLeft + kPlotWidth + 40 + widest,
                   std::max(kPlotTop + kPlotHeight + 46, below + 16), title, body);
}

std::string rank_page(const Ranking& ranking, const nlohmann::ordered_json& result,
                      const std::string& title, const std::string& command) {
  nlohmann::ordered_json data;
  data["gossamer_report"] = 1;
  data["kind"] = "rank";
  data["command"] = command;
  data["title"] = title;
  data["result"] = result;
  return html_page(title, data, rank_svg(ranking, title));
}

}  // namespace gossamer
