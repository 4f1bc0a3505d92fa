// gossamer rank, as text and as JSON.
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "command.hpp"

using namespace gossamer;

TEST_CASE("rank shows all algorithms, marks the best, and says where it changes") {
  const Outcome text = run_gossamer("rank --topology torus:4x4 --flits 1,8,1000");
  REQUIRE(text.status == 0);
  CHECK(text.err.empty());
  CHECK(text.out.find("\ncut-through          all     pipelined       7*") != std::string::npos);
  const std::string best = "cut-through, all ports; from 3 flits on translation, all ports\n";
  CHECK(text.out.find(" lengths compared: " + best) != std::string::npos);
  CHECK(run_gossamer("rank --topology torus:4x4 --flits 1,8").out.ends_with("\nbest: " + best));
  const Outcome outcome = run_gossamer("rank --topology torus:4x4 --flits 1,8,1000 --json");
  REQUIRE(outcome.status == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  CHECK(keys == std::vector<std::string>{"algorithms", "best", "collective", "cycles_bound",
                                         "duplex", "flits", "lengths_compared", "link_stages",
                                         "nodes", "topology"});
  CHECK(json["flits"] == std::vector<int>{1, 8, 1000});
  CHECK(json["best"][1] ==
        nlohmann::json({{"from_flits", 3}, {"algorithm", "translation"}, {"ports", "all"}}));
  for (const auto& row : json["algorithms"]) {
    CHECK(row["tried"] == true);
    for (const auto& plan : row["plans"]) {
      const std::string command = "plan --json --topology torus:4x4 --algorithm " +
                                  row["algorithm"].get<std::string>() + " --ports " +
                                  row["ports"].get<std::string>() + " --flits " +
                                  std::to_string(plan["flits"].get<int>());
      const auto planned = nlohmann::json::parse(run_gossamer(command).out);
      CAPTURE(command);
      CHECK(plan["cycles_predicted"] == planned["cycles_predicted"]);
      CHECK(plan["rounds"] == planned["rounds"]);
    }
  }
}

TEST_CASE("rank prints the switching of the plans") {
  const std::string of = " --topology complete:6 --collective barrier";
  const auto ranked = nlohmann::json::parse(run_gossamer("rank --json" + of).out);
  for (const auto& row : ranked["algorithms"]) {
    const auto planned = nlohmann::json::parse(
        run_gossamer("plan --json" + of + " --algorithm " + row["algorithm"].get<std::string>() +
                     " --ports " + row["ports"].get<std::string>())
            .out);
    CAPTURE(row.dump());
    CHECK(row["switching"] == planned["model"]["switching"]);
    CHECK(row["plans"][0]["switching"] == planned["model"]["switching"]);
    CHECK(row["combining"] == planned["model"]["combining"]);
  }
  CHECK(run_gossamer("rank --topology complete:6 --collective all-reduce --flits 1,1000")
            .out.find("\nreversed     all     circuit, packet") != std::string::npos);
}

TEST_CASE("rank refuses in one line what it cannot rank") {
  const auto error = [](const std::string& arguments) {
    const Outcome outcome = run_gossamer("rank " + arguments);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  CHECK(error("") == "gossamer: nothing to rank: give a topology, such as torus:4x4\n");
  CHECK(error("--topology ring:5 --flits 2,1") ==
        "gossamer: --flits: 1 after 2; expected ascending numbers, such as 1,8,64\n");
  CHECK(error("--topology ring:5 --root 2")
            .starts_with("gossamer: root 2 means nothing in a gossip"));
  CHECK(error("--topology ring:5 --collective scatter --root 5")
            .starts_with("gossamer: root 5 is no node of ring:5"));
  CHECK(error("--topology ring:5 --members 0,7").find("members") != std::string::npos);
}

TEST_CASE("rank draws a line for each algorithm, and where the best changes") {
  const Scratch scratch;
  const std::string page = scratch.path("rank.html"), plot = scratch.path("rank.svg");
  const Outcome outcome = run_gossamer("rank --topology torus:4x4 --flits 1,8,1000 --report " +
                                       page + " --svg " + plot);
  REQUIRE(outcome.status == 0);
  const auto count = [](const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
  };
  const auto json =
      nlohmann::json::parse(run_gossamer("rank --topology torus:4x4 --flits 1,8,1000 --json").out);
  const std::string svg = content_of(plot);
  CHECK(count(svg, "<polyline") == json["algorithms"].size() + 1);  // and the bound
  CHECK(count(svg, "class=\"change\"") == 1);
  CHECK(content_of(page).find(svg) != std::string::npos);
  CHECK(run_gossamer("rank --topology torus:4x4 --svg plot.png").err ==
        "gossamer: --svg: 'plot.png' must end in .svg, which is what is written\n");
}
