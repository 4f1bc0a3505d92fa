// The data of a report's page: compared with the monitors, the checker's counts and the sums of the
// loads.
#include "page/page.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "catch.hpp"
#include "driver/suite.hpp"
#include "page/pictures.hpp"
#include "runner/fabric_runner.hpp"
#include "schedule/jsonl.hpp"
#include "support/error.hpp"
#include "support/file.hpp"

using namespace gossamer;
using Json = nlohmann::ordered_json;

namespace {

/// A case, planned, checked and run with a record of all links.
Facts run(const Case& c, bool no_check = false) {
  Facts report = examine(c, make_plan(c), no_check);
  tb::FabricRunner runner;
  RunOptions options;
  options.flits = report.request.flits;
  options.record = true;
  options.stages = c.stages;
  measure(report, runner, options);
  return report;
}

Case regression_case(const std::string& name) {
  static const Suite suite = read_suite("tests/regression.toml");
  return select_cases(suite.cases, {name}).front().request;
}

/// A schedule of a ring of four in which a transfer sends a message that has not arrived.
Case broken_case() {
  Case c;
  c.file = "tests/data/ring-4-not-yet-held.jsonl";
  c.flits = 4;
  return c;
}

}  // namespace

TEST_CASE("what the monitors see on the links is what the page predicts, message by message") {
  const std::string name = GENERATE(
      "ring-4-L4", "hypercube-3-product-half-L4", "torus-4x4-translation-L4", "tm7-L1",
      "torus-5x5-a2-L4", "mesh-4x4-a1-L1", "hypercube-3-scatter-L4", "hypercube-4-broadcast-L1",
      "hypercube-3-chau-fu-all-faults-L4", "hypercube-3-initiated-single-L4", "debruijn-4-half-L4",
      "trees-torus-5x5-stages-L4", "trees-torus-3x4-pipelined-stages-L3", "trees-mesh-4x5-L4",
      "pieces-ring-5-L5", "pieces-gossip-ring-4-L5", "pieces-scatter-path-3-L10",
      "broadcast-trees-mesh-4x6-L33", "reduce-torus-4x4-all-reduce-all-full",
      "dimension-reduce-torus-3x5-full", "joins-mesh-3x3-reduce-half-L40",
      "reduce-stages-all-reduce-1-L40", "reduce-quarters-all-reduce-single");
  CAPTURE(name);
  const Facts report = run(regression_case(name));
  REQUIRE(report.passed());
  REQUIRE(report.run->record);
  const Json data = case_data(report, "gossamer", "gossamer run");
  CHECK(data["seen"]["missing_total"] == 0);
  CHECK(data["seen"]["extra_total"] == 0);
  std::uint64_t flits = 0;
  for (const LinkRun& r : report.run->record->runs) flits += r.flits;
  CHECK(flits == report.run->flits_moved);
  CHECK(data["result"] == to_json(report, true));
}

TEST_CASE("an adaptive schedule's page has what its nodes send around the faults") {
  const std::string faults = GENERATE("nodes=1,2,4", "links=0-1;arcs=3>7", "nodes=5;from=2");
  CAPTURE(faults);
  Case c;
  c.topology = "hypercube:3";
  c.algorithm = "chau-fu";
  c.faults = faults;
  c.flits = 1;
  const Facts report = examine(c, make_plan(c));
  const Json data = case_data(report, "gossamer", "gossamer report");
  std::uint64_t sent = 0;
  for (const Json& stream : data["streams"]) sent += stream[2].size() * (stream[1].size() - 1);
  CHECK(sent == report.check.transmissions);
  const std::string links = picture_svg(Picture::Fabric, report);
  CHECK(links.find("class=\"broken\"") != std::string::npos);
}

TEST_CASE("flits of a broken schedule are reported as missing and extra") {
  const Facts report = run(broken_case(), true);
  REQUIRE_FALSE(report.passed());
  const Json data = case_data(report, "gossamer", "gossamer run");
  REQUIRE(report.run->has_difference);
  CHECK(data["failure"]["cycle"] == report.run->difference_cycle);
  // [cycle, flits, from, to, message, its first flit]
  CHECK(data["seen"]["missing"].dump() == "[[7,4,3,0,1,0]]");
  CHECK(data["seen"]["extra"].dump() == "[[7,4,3,0,null,0]]");
  REQUIRE(data["refused"].size() > 0);
  CHECK(data["refused"][0].get<std::string>().find("does not hold it when the round starts") !=
        std::string::npos);
  CHECK(data["failure"]["rerun"].get<std::string>().find("--trace fail.fst") != std::string::npos);
}

TEST_CASE("of a schedule with too much to list, a page says how much each transfer carries") {
  Case c;
  c.topology = "torus:49x49x49";
  c.algorithm = "delmas-perennes";
  const Facts report = examine(c, make_plan(c));
  const Json data = case_data(report, "gossamer", "gossamer report");
  std::uint64_t hops = 0;
  for (const Json& stream : data["streams"]) {
    REQUIRE(stream[2].is_number_unsigned());
    hops += stream[2].get<std::uint64_t>() * (stream[1].size() - 1);
  }
  CHECK(hops * report.schedule().symmetry().order() == report.check.transmissions);
  CHECK(case_page(report, "gossamer", "gossamer report").size() < 1'000'000);
}

TEST_CASE("of a schedule that is too long for a page, there are its numbers and rounds") {
  Case c;
  c.topology = "hypercube:8";  // adaptive: each message that crosses a link is a stream of its own
  c.algorithm = "chau-fu";
  const Facts report = examine(c, make_plan(c));
  const Json data = case_data(report, "gossamer", "gossamer report");
  CHECK(data["streams"].is_null());
  CHECK(data["result"]["transmissions"] == report.check.transmissions);
  CHECK_FALSE(data["slots"].empty());
}

TEST_CASE("the document describes every key of a page's data") {
  const std::string text = read_file("docs/use/report.md");
  const std::size_t at = text.find("## The data");
  const std::string described = text.substr(at, text.find("\n## ", at) - at);
  const auto check_keys = [&](const Json& json) {
    for (const auto& [key, value] : json.items()) {
      CAPTURE(key);
      CHECK((key == "gossamer_report" || described.find("`" + key + "`") != std::string::npos));
    }
  };
  const auto check_data = [&](const Case& c) {
    const Json data = case_data(examine(c, make_plan(c)), "gossamer", "gossamer report");
    check_keys(data);
    check_keys(data["topology"]);
    for (const Json& factor : data["topology"]["factors"]) check_keys(factor);
    for (const Json& run : data["slots"]) check_keys(run);
  };
  Case c;
  c.topology = "hypercube:8";
  c.algorithm = "chau-fu";
  check_data(c);  // without streams
  c = {};
  c.topology = "edges:tests/data/one-way-6.json";
  check_data(c);
  c = {};
  c.topology = "mesh:4x4";
  c.sizes = "tests/data/sizes-16.csv";
  c.flits_given = false;
  check_data(c);
  c = {};
  c.topology = "torus:3x3";
  c.collective = Collective::AllReduce;
  check_data(c);
  const Facts report = run(broken_case(), true);
  const Json data = case_data(report, "gossamer", "gossamer run");
  check_keys(data);
  check_keys(data["failure"]);
  check_keys(data["seen"]);
}

TEST_CASE("names from outside are text on a page, whatever they contain") {
  const std::string evil = "</script><script>alert('&')</script>{{data}}{{script}}";
  const Json data = {{"title", evil}};
  const std::string page = html_page(evil, data, "");
  CHECK(page.find("<script>alert") == std::string::npos);
  CHECK(page.find("<title>&lt;/script&gt;&lt;script&gt;alert('&amp;')") != std::string::npos);
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t at = page.find(begin) + begin.size();
  CHECK(Json::parse(page.substr(at, page.find("</script>", at) - at)) == data);
  // Bytes that are no UTF-8 do not end it.
  CHECK(html_page("x", {{"title", "\xff"}}, "").find("\xef\xbf\xbd") != std::string::npos);
}

TEST_CASE("a layout has a place for every node, and links that are drawn") {
  const std::string spec =
      GENERATE("ring:2", "ring:9", "path:5", "complete:6", "torus:4x4", "torus:7x7x7",
               "torus:3x3x3x3", "mesh:3x4", "hypercube:1", "hypercube:6", "ghc:3x4", "ccc:3",
               "butterfly:3", "debruijn:4", "product:ccc:3,path:3", "torus:2x3x4");
  CAPTURE(spec);
  const Topology topology = Topology::parse(spec);
  const Layout layout = layout_of(topology);
  REQUIRE(layout.nodes.size() == topology.nodes());
  std::set<std::pair<long, long>> places;
  for (const Point& at : layout.nodes) {
    CHECK(at.x - layout.radius > layout.low.x);
    CHECK(at.y - layout.radius > layout.low.y);
    CHECK(at.x + layout.radius < layout.high.x);
    CHECK(at.y + layout.radius < layout.high.y);
    places.insert({std::lround(at.x / layout.radius), std::lround(at.y / layout.radius)});
  }
  CHECK(places.size() == topology.nodes());
  // Three squares of three by three nodes, 1.6 apart.
  if (spec == "torus:3x3x3x3")
    CHECK(std::lround(10 * (layout.nodes.back().x - layout.nodes.front().x)) == 92);
  std::set<std::string> links;
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      if (!topology.peer(x, p).connected()) continue;
      const std::string link = layout.link(topology, x, p);
      CHECK(link.find("nan") == std::string::npos);
      CHECK(links.insert(link).second);  // the two directions are two lines
    }
  }
}

TEST_CASE(
    "pictures that stand alone: a bar for each run, a cell for each pair, or one line why not") {
  Case c;
  c.topology = "ring:4";
  c.flits = 4;
  const Facts report = examine(c, make_plan(c));
  const auto count = [](const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
      ++n;
    return n;
  };
  const std::string bars = picture_svg(Picture::SpaceTime, report);
  CHECK(count(bars, "font-size=\"9.5\"") ==
        report.check.transmissions);  // all have room for a number
  const std::string links = picture_svg(Picture::Fabric, report);
  CHECK(count(links, "<path stroke=") == 8);
  const std::string knowledge = picture_svg(Picture::Knowledge, report);
  CHECK(count(knowledge, "url(#never)") == 0);
  // Cells in the colour of a node's own message: of those that have one, and the legend's.
  for (const auto& [collective, own] :
       {std::pair{Collective::TotalExchange, 2u}, {Collective::Scatter, 1u}}) {
    c.collective = collective;
    c.members = "1,3";
    if (collective == Collective::Scatter) c.root = "1";
    const Plan some = make_plan(c);
    const std::string cells = picture_svg(Picture::Knowledge, examine(c, some));
    CHECK(count(cells, "fill=\"#d9822b\"") == own + 1);
  }
  Case with_names;
  with_names.topology = "edges:tests/data/one-way-6.json";
  const Plan named = make_plan(with_names);
  for (const Picture p : {Picture::Fabric, Picture::SpaceTime, Picture::Knowledge}) {
    const std::string svg = picture_svg(p, examine(with_names, named));
    for (Node x = 0; x < 6; ++x) CHECK(count(svg, ">" + named.schedule.topology().name(x) + "<"));
  }
  CHECK_THROWS_AS(parse_picture("links"), InputError);
  Case large;
  large.topology = "torus:49x49x49";
  const Facts large_report = examine(large, make_plan(large));
  for (const Picture p : {Picture::Fabric, Picture::SpaceTime, Picture::Knowledge}) {
    CHECK_THROWS_AS(picture_svg(p, large_report), InputError);
  }
}
