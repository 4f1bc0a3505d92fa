#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/checker.hpp"
#include "driver/report.hpp"
#include "run/runner.hpp"
#include "schedule/faults.hpp"
#include "schedule/schedule.hpp"
#include "tables/timing.hpp"
#include "topology/topology.hpp"

namespace gossamer {

/// Flits that a transfer sends without a gap: all its messages, or one message of an adaptive
/// transfer; over a tree, on one of its hops. With orbits it stands for its translations, too.
struct PageStream {
  /// What `hop` is for all hops of a path.
  static constexpr std::uint32_t kPath = ~std::uint32_t{0};
  std::uint32_t transfer = 0;     ///< index in schedule.transfers()
  std::uint64_t begin = 0;        ///< cycle in which its first flit is on the first link
  std::uint64_t count = 0;        ///< messages
  std::vector<Message> messages;  ///< in the order sent; empty if only `count` is known
  std::uint32_t hop = kPath;      ///< of a tree
};

/// The hops that a stream stands for.
std::vector<TransferHop> hops_of(const Schedule& schedule, const PageStream& stream);

/// All streams of a schedule that can be timed, by transfer. Up to `most` messages are listed in
/// total; beyond that, transfers of everything only have a number. `carried` is the checker's
/// (CheckReport).
std::vector<PageStream> page_streams(const Schedule& schedule, const ScheduleTiming& timed,
                                     const std::vector<std::uint64_t>& carried, std::uint64_t most);

/// How many link_runs() has, of both kinds together.
std::uint64_t count_runs(const Schedule& schedule, const std::vector<PageStream>& streams);
/// What the monitors of the links should see of these streams, whose messages are all listed:
/// orbits and paths expanded, by cycle, then link.
std::vector<LinkRun> link_runs(const Schedule& schedule, const Timeline& time,
                               const std::vector<PageStream>& streams, unsigned flits);

/// Who knows what, and since when: of one node of each class, as it numbers the nodes.
struct Knowledge {
  static constexpr std::uint32_t kNever = ~std::uint32_t{0};
  /// The round in which each node's message has come, 0 if it is there from the start; of messages
  /// to one node that in which the own message has come there; of sums, by node, that in which
  /// each node's part came into the sum: of a reduce-scatter into that of its own block.
  std::vector<std::vector<std::uint32_t>> came;
  std::vector<std::vector<std::uint32_t>> left;  ///< of messages to one node: when they set out
};
Knowledge knowledge(const Schedule& schedule, const std::vector<PageStream>& streams);

/// The most numbers in a page: paths and messages as the schedule lists them, messages of transfers
/// of everything, and who knows what.
inline constexpr std::uint64_t kMostNumbers = 400'000;
inline constexpr std::uint64_t kMostListed = 300'000;
inline constexpr std::uint64_t kMostKnown = 8'000'000;

/// One file that shows `data` in any browser, without network: it contains data, scripts and
/// styles. `pictures` are our own SVGs, which are inserted unchanged; all other text is escaped.
std::string html_page(std::string_view title, const nlohmann::ordered_json& data,
                      std::string_view pictures);

/// Larger fabrics are not drawn node by node.
inline constexpr Node kMostDrawnNodes = 2000;

/// The nodes and links of a fabric as an SVG, for the page's styles. Links are `<path class="arc"
/// data-a="...">` with the number node * ports + port, nodes `<g class="node" data-n="...">`.
std::string fabric_svg(const Topology& topology);

/// The same as a stand-alone picture, links coloured by their load over all rounds; what is broken
/// is crossed out.
std::string fabric_picture(const Topology& topology, const Loads& loads, const FaultSet& faults,
                           const std::string& title);

struct Point {
  double x = 0, y = 0;
};

/// Where a fabric's nodes and links are drawn, in steps of a grid. Rings are circles; paths lines;
/// products of rings, paths and complete graphs grids in which every second factor goes down, with
/// the later factors as slices in lines (a hypercube: squares of squares); all others circles.
struct Layout {
  std::vector<Point> nodes;
  Point low, high;                                    ///< what is drawn stays between them
  double radius = 0.2;                                ///< of a node
  std::vector<std::pair<Point, std::string>> labels;  ///< names of slices

  /// The link from `x` through its port `p`, as the path of an SVG. The two directions of a link do
  /// not cover each other: traffic keeps to the right.
  std::string link(const Topology& topology, Node x, Port p) const;

  enum class Kind { Circle, Grid } kind = Kind::Circle;
  std::vector<std::size_t> level;  ///< by factor of a grid: earlier factors in the same direction
};

Layout layout_of(const Topology& topology);

/// A stand-alone picture, for papers and slides, on white.
class Svg {
 public:
  struct Text {
    std::string_view anchor = "start";  ///< or "middle" or "end": what of the text is at its point
    std::string_view fill = "#555";
    double size = 11;
    double room = 0;  ///< drawn as wide as this, if it would be wider; 0: there is room
  };
  void text(double x, double y, std::string_view what, const Text& how);
  void text(double x, double y, std::string_view what) { text(x, y, what, {}); }
  /// `more`: other attributes, each behind a blank.
  void rect(double x, double y, double width, double height, std::string_view fill,
            std::string_view more = "");
  /// A line along the commands of an SVG's path.
  void path(const std::string& way, std::string_view stroke, std::string_view more = "");
  /// Elements as they are.
  void add(std::string_view elements) { body_ += elements; }
  /// All of it, at least as wide as its title.
  std::string whole(double width, double height, const std::string& title) const;

 private:
  std::string body_;
};

/// The runs of flits on all links as bars over the cycles, a line for each link, each bar in the
/// colour of its origin and with its number if there is room. Throws InputError for too many.
std::string space_time_svg(const Topology& topology, const std::vector<LinkRun>& runs,
                           const Timeline& time, const std::string& title);

/// The round in which each message arrived at each node as a matrix, nodes downwards and messages
/// to the right; if every pair has its own message, origins downwards and destinations to the
/// right. Throws InputError for too many.
std::string knowledge_svg(const Schedule& schedule, const std::vector<PageStream>& streams,
                          const std::string& title);

/// The difference between what the monitors of the links saw and the schedule: they saw the
/// expected flits minus `missing` plus `extra`. Both by cycle, then link.
struct SeenDifference {
  std::vector<LinkRun> missing, extra;
};

/// Compares flit by flit up to the last cycle that was recorded. A message of which a part differs
/// appears in both lists, whole. `expected` is sorted, as link_runs returns it.
SeenDifference difference(const std::vector<LinkRun>& expected, const LinkRecord& record);

}  // namespace gossamer
