// The verbs with good input, and with schedules that break the rules.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catch.hpp"
#include "command.hpp"

namespace {

using Json = nlohmann::json;

Json json_of(const Outcome& outcome) {
  CAPTURE(outcome.err, outcome.out);
  CHECK(outcome.err.empty());
  return Json::parse(outcome.out);
}

void require_keys(const Json& json, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    CAPTURE(key);
    CHECK(json.contains(key));
  }
}

const std::vector<std::string> kPlanned = {
    "topology", "collective",    "algorithm",        "model",        "flits",
    "engine",   "rounds",        "rounds_formula",   "rounds_bound", "delta_sum",
    "tau_sum",  "transmissions", "cycles_predicted", "verdict",      "problems"};
const std::vector<std::string> kMeasured = {"cycles_measured", "delivered",
                                            "expected",        "errors",
                                            "wall_seconds",    "node_cycles_per_second",
                                            "engine_seconds",  "engine_node_cycles_per_second"};

std::string head(const std::string& topology, const std::string& duplex, const std::string& ports,
                 const std::string& switching) {
  return R"({"gossamer":1,"topology":")" + topology +
         R"(","collective":"gossip","model":{"ports":")" + ports + R"(","duplex":")" + duplex +
         R"(","switching":")" + switching +
         R"(","combining":true}})"
         "\n";
}

/// A gossip of two nodes over a half-duplex link on which both send at the same time.
const std::string kClash = head("path:2", "half", "all", "packet") +
                           "{\"r\":1,\"path\":[0,1],\"msgs\":[0]}\n"
                           "{\"r\":1,\"path\":[1,0],\"msgs\":[1]}\n";

}  // namespace

TEST_CASE("list names every algorithm with its paper") {
  const Outcome text = run_gossamer("list");
  CHECK(text.status == 0);
  for (const char* word : {"ring", "hamiltonian", "product", "delmas-perennes-split",
                           "Dimakopoulos 1999", "total-exchange", "edges:FILE.json"}) {
    CAPTURE(word);
    CHECK(text.out.find(word) != std::string::npos);
  }
  const Json json = json_of(run_gossamer("list --json"));
  CHECK(json["algorithms"].size() >= 5);
  for (const Json& algorithm : json["algorithms"]) {
    CHECK(text.out.find(algorithm["name"].get<std::string>()) != std::string::npos);
  }
}

TEST_CASE("plan --json holds what is known without hardware, and nothing measured") {
  const Outcome outcome =
      run_gossamer("plan --topology ring:8 --ports single --duplex half --flits 4 --json");
  CHECK(outcome.status == 0);
  const Json json = json_of(outcome);
  require_keys(json, kPlanned);
  CHECK_FALSE(json.contains("cycles_measured"));
  CHECK_FALSE(json.contains("wall_seconds"));
  CHECK(json["algorithm"] == "ring");
  CHECK(json["rounds"] == 14);
  CHECK(json["rounds_formula"] == 14);
  CHECK(json["rounds_bound"] == 14);
  CHECK(json["transmissions"] == 56);
  CHECK(json["verdict"] == "pass");
}

TEST_CASE("plan and run --json count the slots of pipelined schedules") {
  const std::string ask = " --topology torus:8x8 --algorithm tdm-search --json";
  const Json planned = json_of(run_gossamer("plan" + ask));
  CHECK(planned["slots"] == 67);
  CHECK(planned["rounds_bound"] == 67);
  CHECK(planned["flits"] == 1);
  const Json run = json_of(run_gossamer("run" + ask));
  CHECK(run["slots"] == 67);
  CHECK(run["cycles_measured"] == run["cycles_predicted"]);
  CHECK(run["verdict"] == "pass");
  CHECK_FALSE(json_of(run_gossamer("plan --topology ring:8 --json")).contains("slots"));
}

TEST_CASE("run --json holds what was measured, and it equals what was predicted") {
  const Outcome outcome =
      run_gossamer("run --topology torus:3x3 --algorithm product --flits 4 --json");
  CHECK(outcome.status == 0);
  const Json json = json_of(outcome);
  require_keys(json, kPlanned);
  require_keys(json, kMeasured);
  CHECK(json["cycles_measured"] == json["cycles_predicted"]);
  CHECK(json["delivered"] == 72);
  CHECK(json["expected"] == 72);
  CHECK(json["errors"] == 0);
  CHECK(json["model"] == Json::parse(R"({"ports":"single","duplex":"full","switching":"packet",
                                         "combining":false})"));
  CHECK(json["verdict"] == "pass");
  CHECK(json["problems"].empty());
}

TEST_CASE("A fabric of more than 2^16 nodes delivers more than 2^32 messages") {
  const Json json = json_of(run_gossamer("run --topology torus:256x256x2 --flits 1 --json"));
  constexpr std::uint64_t kNodes = 2 * 256 * 256;
  CHECK(json["delivered"] == kNodes * (kNodes - 1));
  CHECK(json["transmissions"] == kNodes * (kNodes - 1));
  CHECK(json["cycles_measured"] == json["cycles_predicted"]);
  CHECK(json["verdict"] == "pass");
}

TEST_CASE("Options that are not given follow the algorithm that is") {
  const Json tm7 =
      json_of(run_gossamer("plan --topology torus:7x7x7 --algorithm delmas-perennes --json"));
  CHECK(tm7["model"]["ports"] == "all");
  CHECK(tm7["model"]["switching"] == "circuit");
  CHECK(tm7["rounds"] == 4);
  CHECK(tm7["tau_sum"] == 400);
  const Json product =
      json_of(run_gossamer("plan --topology torus:7x7x7 --algorithm product --json"));
  CHECK(product["model"]["ports"] == "single");
  CHECK(product["rounds"] == 342);
}

TEST_CASE("Without an algorithm the one with the fewest cycles is taken, or rounds") {
  const Json open = json_of(run_gossamer("plan --topology torus:7x7x7 --json"));
  CHECK(open["algorithm"] == "translation");
  CHECK(open["cycles_predicted"] == 458);
  CHECK(open["cycles_over_bound"] == 1.0);
  CHECK(open["runner_up"]["cycles"] == 458);
  const std::string text =
      run_gossamer("plan --topology hypercube:4 --collective scatter --flits 9").out;
  CHECK(text.find("fewest cycles of all choices") != std::string::npos);
  CHECK(text.ends_with("takes at least 38 cycles\n"));
  const Json chosen =
      json_of(run_gossamer("plan --topology torus:3x5 --ports single --duplex half --json"));
  CHECK(chosen["algorithm"] == "cut-through");
  CHECK(chosen["model"]["ports"] == "single");
  const Json half = json_of(run_gossamer("plan --topology torus:3x5 --duplex half --json"));
  CHECK(half["algorithm"] == "cut-through");
  CHECK(half["model"]["ports"] == "all");
  const Json all = json_of(run_gossamer("plan --topology torus:7x7x7 --best rounds --json"));
  CHECK(all["algorithm"] == "lee-code");  // the same rounds as delmas-perennes, a shorter path
  CHECK(all["rounds"] == 4);
}

TEST_CASE("Names of message-passing libraries are read, and shown beside ours") {
  for (const std::string name : {"all-gather", "allgather"}) {
    const std::string call = "plan --topology ring:4 --collective " + name;
    CHECK(run_gossamer(call).out.starts_with("gossip (all-gather) on ring:4"));
    CHECK(json_of(run_gossamer(call + " --json"))["collective"] == "gossip");
  }
  for (const std::string name : {"all-to-all", "alltoall"}) {
    const std::string call = "plan --topology ring:4 --collective " + name;
    CHECK(run_gossamer(call).out.starts_with("total-exchange (all-to-all) on ring:4"));
  }
  CHECK(run_gossamer("plan --topology hypercube:3 --collective broadcast")
            .out.starts_with("broadcast on hypercube:3"));
  const Scratch scratch;
  std::string text = content_of("tests/data/ring-4-both-ways.jsonl");
  text.replace(text.find("gossip"), 6, "allgather");
  CHECK(run_gossamer("check " + scratch.file("named.jsonl", text)).status == 0);
}

TEST_CASE("option --loads writes what every link carries, and --json prints it, too") {
  const Scratch scratch;
  const std::string file = scratch.path("loads.csv");
  const Json json =
      json_of(run_gossamer("run --topology torus:3x3 --flits 4 --json --loads " + file));
  std::uint64_t cycles = 0;
  std::string lines = "round,from,to,messages,cycles\n";
  const auto add = [&](const std::string& round, const Json& links) {
    for (const Json& link : links) {
      lines += round + "," + link["from"].dump() + "," + link["to"].dump() + "," +
               link["messages"].dump() + "," + link["cycles"].dump() + "\n";
    }
  };
  for (const Json& round : json["loads"]["rounds"]) add(round["round"].dump(), round["links"]);
  add("sum", json["loads"]["sum"]);
  CHECK(content_of(file) == lines);
  for (const Json& link : json["loads"]["sum"]) cycles += link["cycles"].get<std::uint64_t>();
  CHECK(cycles == json["flits_moved"]);  // as the monitors of the links saw them
  const std::string schedule = scratch.path("schedule.jsonl"), again = scratch.path("again.csv");
  REQUIRE(run_gossamer("plan --topology torus:3x3 --flits 4 -o " + schedule).status == 0);
  REQUIRE(run_gossamer("check --flits 4 " + schedule + " --loads " + again).status == 0);
  CHECK(content_of(again) == content_of(file));
  CHECK_FALSE(json_of(run_gossamer("plan --topology torus:3x3 --json")).contains("loads"));
}

TEST_CASE("A cycle of the user's is followed, from a list or from a file") {
  const Scratch scratch;
  const std::string file = scratch.file("cycle.json", "[0, 1, 2, 3,\n 7, 6, 5, 4]\n");
  const std::string call =
      "plan --topology edges:tests/data/ladder.json --algorithm hamiltonian -o '";
  const std::string listed = scratch.path("listed.jsonl"), read = scratch.path("read.jsonl");
  CHECK(run_gossamer(call + listed + "' --cycle 0,1,2,3,7,6,5,4").status == 0);
  CHECK(run_gossamer(call + read + "' --cycle '" + file + "'").status == 0);
  CHECK(content_of(listed).find("\"path\":[3,7]") != std::string::npos);
  CHECK(content_of(listed) == content_of(read));
}

TEST_CASE("What plan writes, check accepts and run runs") {
  const std::string call =
      GENERATE(as<std::string>(), "--topology ring:5 --duplex half",
               "--topology torus:3x4 --algorithm product", "--topology hypercube:3 --duplex half",
               "--topology torus:7x7x7 --algorithm delmas-perennes");
  CAPTURE(call);
  const Scratch scratch;
  const std::string file = scratch.path("schedule.jsonl");
  const Outcome planned = run_gossamer("plan " + call + " -o '" + file + "' --json");
  CHECK(planned.status == 0);
  const Json plan = json_of(planned);
  CHECK(run_gossamer("check '" + file + "'").status == 0);
  const Outcome outcome = run_gossamer("run '" + file + "' --json");
  CHECK(outcome.status == 0);
  const Json run = json_of(outcome);
  CHECK(run["algorithm"].is_null());
  CHECK(run["rounds_formula"].is_null());
  CHECK(run["file"] == file);
  for (const char* key : {"topology", "rounds", "rounds_bound", "delta_sum", "tau_sum",
                          "transmissions", "cycles_predicted", "model"}) {
    CAPTURE(key);
    CHECK(run[key] == plan[key]);
  }
  CHECK(run["cycles_measured"] == plan["cycles_predicted"]);
}

TEST_CASE("check refuses a broken schedule with line, round and link, and run does not run it") {
  const Scratch scratch;
  const std::string file = scratch.file("clash.jsonl", kClash);
  const Outcome checked = run_gossamer("check '" + file + "'");
  CAPTURE(checked.out);
  CHECK(checked.status == 1);
  CHECK(checked.err.empty());
  CHECK(checked.out.find("line 3, round 1, link 1-0: ") != std::string::npos);
  CHECK(checked.out.find("FAIL") != std::string::npos);

  const Outcome outcome = run_gossamer("run '" + file + "' --json");
  CHECK(outcome.status == 1);
  const Json json = json_of(outcome);
  require_keys(json, kPlanned);
  require_keys(json, kMeasured);
  CHECK(json["verdict"] == "fail");
  CHECK(json["cycles_measured"].is_null());
  CHECK(json["problems"].size() == 1);
}

TEST_CASE("run --no-check forces a broken schedule onto the hardware, which finds the fault") {
  const Scratch scratch;
  const std::string file = scratch.file("clash.jsonl", kClash);
  const Outcome outcome = run_gossamer("run --no-check '" + file + "' --json");
  CAPTURE(outcome.out);
  CHECK(outcome.status == 1);
  const Json json = json_of(outcome);
  CHECK(json["verdict"] == "fail");
  CHECK(json["errors"].get<int>() >= 1);
  CHECK(outcome.out.find("ERR_") != std::string::npos);
}

TEST_CASE("A schedule that leaves a message undelivered fails, in the check and on the hardware") {
  const Scratch scratch;
  std::string text = content_of("tests/data/ring-4-both-ways.jsonl");
  text.erase(text.rfind("\n{") + 1);  // the last transfer
  const std::string file = scratch.file("short.jsonl", text);
  const Outcome checked = run_gossamer("check '" + file + "'");
  CHECK(checked.status == 1);
  CHECK(checked.out.find("lacks message") != std::string::npos);
  const Outcome forced = run_gossamer("run --no-check '" + file + "'");
  CHECK(forced.status == 1);
  CHECK(forced.out.find("never got the message") != std::string::npos);
  CHECK(forced.out.find("rerun: ") != std::string::npos);
}

TEST_CASE("A schedule that no fabric can be loaded with is bad input even if it is not checked") {
  const Scratch scratch;
  const std::string no_link =
      scratch.file("no-link.jsonl", head("ring:4", "full", "all", "packet") +
                                        "{\"r\":1,\"path\":[0,2],\"msgs\":[0]}\n");
  const Outcome outcome = run_gossamer("run --no-check '" + no_link + "'");
  CHECK(outcome.status == 2);
  CHECK(outcome.error_lines() == 1);
  CHECK(outcome.err.find("line 2, round 1, link 0-2: ") != std::string::npos);
  CHECK(run_gossamer("check '" + no_link + "'").status == 1);

  const std::string empty = scratch.file("empty.jsonl", head("ring:4", "full", "all", "packet"));
  CHECK(run_gossamer("check '" + empty + "'").status == 1);
  CHECK(run_gossamer("run --no-check '" + empty + "'").status == 2);
}

TEST_CASE("The schedule is the same for every seed and the run passes with any") {
  const std::string seed = GENERATE("0", "7", "4294967295");
  CHECK(run_gossamer("run --topology ring:4 --seed " + seed).status == 0);
}

TEST_CASE(
    "run takes one node of each class where it is asked to or the fabric is large, and says so") {
  const auto classes = [](const std::string& arguments) {
    const Outcome run = run_gossamer("run --algorithm lee-code --flits 1 --topology " + arguments);
    INFO(run.out << run.err);
    CHECK(run.status == 0);
    return run.out.find("nodes simulated                 5 ") != std::string::npos;
  };
  CHECK(classes("torus:70x70"));
  CHECK_FALSE(classes("torus:10x10"));
  CHECK(classes("torus:10x10 --symmetric"));
  CHECK_FALSE(classes("torus:10x10 --no-symmetric"));
}

TEST_CASE("Output that is no terminal has no colours") {
  const Outcome outcome = run_gossamer("run --topology ring:4");
  CHECK(outcome.out.find('\033') == std::string::npos);
  CHECK(outcome.err.empty());
}
