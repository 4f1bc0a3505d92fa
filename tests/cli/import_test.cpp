// Schedules of other programs, and schedules side by side.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "command.hpp"

namespace {

const std::string kRing = "tests/data/ring-4-link-chunk-time.csv";

Outcome imported(const Scratch& scratch, const std::string& csv, const std::string& topology) {
  return run_gossamer("import '" + scratch.file("in.csv", csv) + "' --topology " + topology +
                      " -o '" + scratch.path("out.jsonl") + "'");
}

}  // namespace

TEST_CASE("A list of links, chunks and times becomes a schedule that runs on the RTL") {
  const Scratch scratch;
  const std::string out = scratch.path("out.jsonl");
  const Outcome import =
      run_gossamer("import " + kRing + " --topology ring:4 --json -o '" + out + "'");
  REQUIRE(import.status == 0);
  CHECK(nlohmann::json::parse(import.out)["rounds"] == 2);
  CHECK(run_gossamer("run '" + out + "' --flits 2").status == 0);
}

TEST_CASE("The table of links that TACOS writes is read, too") {
  const Scratch scratch;
  const std::string tacos =
      "NPUs Count,3\nLinks Count,4\nChunks Count,3\nChunk Size,1024,B\n"
      "SrcID,DestID,Latency (ns),Bandwidth (GB/s),Chunks\n"
      "0,1,500,50,0:1024:0\n1,0,500,50,1:1024:0,2:1024:520.5\n"
      "1,2,500,50,1:1024:0,0:1024:520.5\n2,1,500,50,2:1024:0\n";
  CHECK(imported(scratch, tacos, "path:3").status == 0);
  const Outcome others = imported(scratch, tacos, "ring:4");
  CHECK(others.status == 2);
  CHECK(others.err.ends_with("in.csv:1: NPUs Count,3, but the topology has 4 nodes\n"));
  CHECK(imported(scratch, "NPUs Count,x\n" + tacos, "path:3")
            .err.ends_with("in.csv:1: 'x' is no number of nodes\n"));
}

TEST_CASE("An MSCCL XML, ours or of MSCCL's tools, becomes a schedule that runs on the RTL") {
  const Scratch scratch;
  const std::string xml = scratch.path("out.xml"), out = scratch.path("out.jsonl");
  for (const std::string of :
       {"any-graph --collective gossip", "any-graph --collective total-exchange",
        "ring-reduce --collective all-reduce", "reversed --collective reduce --root 2",
        "reversed --collective reduce-scatter"}) {
    REQUIRE(run_gossamer("export --topology ring:4 --ports all --algorithm " + of +
                         " --format msccl-xml -o '" + xml + "'")
                .status == 0);
    const std::string import = "import '" + xml + "' --topology ring:4 -o '" + out + "'";
    REQUIRE(run_gossamer(import).status == 0);
    CHECK(run_gossamer("run '" + out + "' --flits 16").status == 0);
    if (of.find("reduce") == std::string::npos) continue;
    CHECK(run_gossamer(import + " --op max").status == 0);
    CHECK(content_of(out).find(R"("op":"max")") != std::string::npos);
  }
  REQUIRE(run_gossamer("import tests/data/ring-4-all-gather.xml --topology ring:4 -o '" + out + "'")
              .status == 0);
  CHECK(run_gossamer("run '" + out + "' --flits 2").status == 0);
  // The checker names the line of a step, too: this one uses a link that the path does not have.
  const Outcome path =
      run_gossamer("import tests/data/ring-4-all-gather.xml --topology path:4 -o '" +
                   scratch.path("none.jsonl") + "'");
  CHECK(path.status == 1);
  CHECK(path.out.find("line 28, round 1") != std::string::npos);
  CHECK(path.out.find("lack") == std::string::npos);
  CHECK(content_of(scratch.path("none.jsonl")).empty());
}

TEST_CASE(
    "Several chunks on a link at a time make a schedule that combines; of times only the order "
    "counts") {
  const Scratch scratch;
  const auto doubling = [&](std::uint64_t time) {
    const std::string lines = fmt::format(
        "from,to,chunk,time\n0,1,0,{0}\n1,0,1,{0}\n2,3,2,{0}\n3,2,3,{0}\n0,3,0,{1}\n0,3,1,{1}\n3,0,"
        "2,{1}\n"
        "3,0,3,{1}\n1,2,0,{1}\n1,2,1,{1}\n2,1,2,{1}\n2,1,3,{1}\n",
        time, time + 1);
    REQUIRE(imported(scratch, lines, "ring:4 --ports single").status == 0);
    return content_of(scratch.path("out.jsonl"));
  };
  const std::string early = doubling(0);
  const Outcome run = run_gossamer("run '" + scratch.path("out.jsonl") + "' --flits 2 --json");
  REQUIRE(run.status == 0);
  CHECK(nlohmann::json::parse(run.out)["rounds"] == 2);
  for (const unsigned bits : {24, 32, 52}) CHECK(doubling(std::uint64_t{1} << bits) == early);
}

TEST_CASE("Headings, comments and marks of the encoding come before what is imported") {
  const Scratch scratch;
  const auto outcome = [&](const std::string& text) { return imported(scratch, text, "path:2"); };
  const std::string mark = "\xef\xbb\xbf", lines = "0,1,0,0\n1,0,1,0\n";
  for (const std::string& before : {std::string(), mark, std::string("# made by hand\n\n"),
                                    mark + "# by hand\n", std::string("src,dst,chunk,t\n# s\n"),
                                    std::string("NPUs Count,2,,,,\nLinks Count,2,,,,\n")}) {
    CAPTURE(before);
    CHECK(outcome(before + lines).status == 0);
  }
  // What is wrong in the first line is no heading.
  for (const std::string node : {"-1", "O", "2"}) {
    CHECK(outcome(node + lines.substr(1)).err.find("in.csv:1: '" + node + "' is no node") !=
          std::string::npos);
  }
  CHECK(outcome("0,1,0,0\n1,0," + std::string(1000, '9') + ",0\n").err.size() < 200);

  const std::string xml = content_of("tests/data/ring-4-all-gather.xml");
  std::string wide = "\xff\xfe";
  for (const char c : xml) wide += {c, '\0'};
  for (const std::string& text : {mark + xml, wide}) {
    CHECK(imported(scratch, text, "ring:4").status == 0);
  }
}

TEST_CASE("Messages that cross between two nodes at one time take all links that are there") {
  const Scratch scratch;
  const std::string graph = scratch.file("two.json", R"({"n":2,"edges":[[0,1,2]]})");
  const std::string pieces = "0,1,0,0\n0,1,1,0\n0,1,2,0\n1,0,3,0\n1,0,4,0\n1,0,5,0\n";
  for (const std::string model : {"", " --duplex half", " --ports single"}) {
    CAPTURE(model);
    CHECK(imported(scratch, pieces, "'edges:" + graph + "'" + model).status == 0);
    const Outcome run = run_gossamer("run '" + scratch.path("out.jsonl") + "' --flits 48 --json");
    REQUIRE(run.status == 0);
    // Two of the three pieces on one link, the third on the other one; or all on one.
    const std::uint64_t expected = model.empty() ? 2 * 16 + 2 : 3 * 16 + 2;
    CHECK(nlohmann::json::parse(run.out)["cycles_measured"] == expected);
  }
}

TEST_CASE("A file of another format is refused as such") {
  const Scratch scratch;
  const auto error = [&](const std::string& text) { return imported(scratch, text, "path:2").err; };
  for (const char* other : {"num_ranks 2\n\nrank 0 {\nl1: send 1b to 1 tag 0\n}\n", "",
                            "{\"name\":\"ag\",\"collective\":\"allgather\",\"gpus\":[]}\n"}) {
    CHECK(error(other).find("in.csv:1: neither MSCCL's XML nor CSV") != std::string::npos);
  }
  const Outcome plan = run_gossamer("plan --topology path:2 -o '" + scratch.path("a.jsonl") + "'");
  REQUIRE(plan.status == 0);
  REQUIRE(run_gossamer("export --topology path:2 --format goal -o '" + scratch.path("a.goal") + "'")
              .status == 0);
  CHECK(error(content_of(scratch.path("a.goal"))).find("in.csv:1: neither MSCCL's XML nor CSV") !=
        std::string::npos);
  CHECK(error(content_of(scratch.path("a.jsonl"))).find("it is a schedule already") !=
        std::string::npos);
  CHECK(run_gossamer("import " + kRing + " --topology ring:4 --root 4 -o x")
            .err.find("root 4 is no node of ring:4; expected 0 to 3") != std::string::npos);
}

TEST_CASE("A root or an operator that means nothing in what is imported is refused, as by plan") {
  const Scratch scratch;
  const std::string why = " means nothing in a gossip: leave it out, or name a ";
  for (const std::string file : {"tests/data/ring-4-all-gather.xml", kRing.c_str()}) {
    for (const std::string given : {"root 3", "operator max"}) {
      const std::string option = given == "root 3" ? " --root 3" : " --op max";
      const Outcome import = run_gossamer("import " + file + " --topology ring:4 -o '" +
                                          scratch.path("out.jsonl") + "'" + option);
      CHECK(import.status == 2);
      CHECK(import.err.starts_with("gossamer: " + given + why));
      CHECK(content_of(scratch.path("out.jsonl")).empty());
      CHECK(run_gossamer("plan --topology ring:4" + option)
                .err.starts_with("gossamer: " + given + why));
    }
  }
}

TEST_CASE("What is wrong with an imported schedule is said with its line") {
  const Scratch scratch;
  const auto error = [&](const std::string& csv) { return imported(scratch, csv, "path:3"); };
  CHECK(error("0,1,0\n").status == 2);
  CHECK(error("0,1,0\n").err.find("in.csv:1: 3 cells, expected 4") != std::string::npos);
  CHECK(error("0,1,0,x\n").err.find("in.csv:1: 'x' is no time") != std::string::npos);
  CHECK(error("0,1,0,nan\n").err.find("in.csv:1: 'nan' is no time below 2^53") !=
        std::string::npos);
  CHECK(error("0,1,0,9007199254740992\n").err.find("is no time below 2^53") != std::string::npos);
  CHECK(imported(scratch, "0,1,0,9007199254740990\n1,0,1,9007199254740991\n", "path:2")
            .out.find("rounds                          2 ") != std::string::npos);
  CHECK(error("0,3,1,0\n").err.find("in.csv:1: '3' is no node; expected 0 to 2") !=
        std::string::npos);
  CHECK(error("0,1,196608,0\n").err.find("'196608' is no chunk; expected 0 to 196607") !=
        std::string::npos);
  CHECK(error("0,1,7,0\n").err.find("a chunk 7 of 3 nodes, but only 1 chunks are sent in all") !=
        std::string::npos);
  CHECK(imported(scratch, "0,1,0,0\n0,1,1,1\n0,1,2,2\n1,0,3,0\n", "path:2")
            .err.find("node 0 is the first to send 3 of the chunks 0 to 3; expected 2") !=
        std::string::npos);
  CHECK(error("0,1,0,0\n-1,2,0,1\n").err.find("in.csv:2: '-1' is no node") != std::string::npos);
  CHECK(imported(scratch, " 0,1,0,0\n 1,0,1,0\n", "path:2").status == 0);
  CHECK(error("from,to\n").err.find("no chunk is sent") != std::string::npos);
  // Node 1 sends on what it does not hold yet; and nobody else sends anything.
  const Outcome early = error("from,to,chunk,time\n0,1,0,0\n1,2,0,0\n");
  CHECK(early.status == 1);
  CHECK(early.out.find("line 3, round 1") != std::string::npos);
}

TEST_CASE("Several chunks of a node, which are pieces, in whatever order they are numbered") {
  const Scratch scratch;
  const Outcome two =
      imported(scratch,
               "0,1,3,0\n0,2,1,0\n1,2,2,0\n1,0,0,0\n2,0,4,0\n2,1,5,0\n0,1,4,1\n0,2,0,1\n"
               "1,2,3,1\n1,0,5,1\n2,0,2,1\n2,1,1,1\n",
               "ring:3");
  CHECK(two.status == 0);
  CHECK(two.out.find("rounds                          2 ") != std::string::npos);
  CHECK(two.out.find("transmissions                  12 ") != std::string::npos);
}

TEST_CASE("An imported schedule has a flit for each piece, or as many as it was imported for") {
  const Scratch scratch;
  const std::string out = scratch.path("out.jsonl");
  std::string chunks;  // nine of each node, one after the other
  for (int i = 0; i < 9; ++i) chunks += fmt::format("0,1,{0},{0}\n1,0,{1},{0}\n", i, 9 + i);
  REQUIRE(imported(scratch, chunks, "path:2").status == 0);
  CHECK(content_of(out).find("planned") == std::string::npos);
  for (const std::string verb : {"check", "run"}) {
    CHECK(run_gossamer(verb + " '" + out + "'").out.find("messages of 9 flits") !=
          std::string::npos);
  }
  const std::string refusal =
      "messages of 8 flits cannot be cut into 9 pieces; expected 9 flits at least";
  for (const std::string verb : {"check", "run"}) {
    const Outcome few = run_gossamer(verb + " '" + out + "' --flits 8");
    CHECK(few.status == 2);
    CHECK(few.err.find(refusal) != std::string::npos);
  }
  REQUIRE(imported(scratch, chunks, "path:2 --flits 18").status == 0);
  CHECK(content_of(out).find(R"("planned":{"flits":18})") != std::string::npos);
  for (const std::string verb : {"check", "run"}) {
    CHECK(run_gossamer(verb + " '" + out + "'").out.find("messages of 18 flits") !=
          std::string::npos);
  }
  const Outcome few =
      run_gossamer("import '" + scratch.path("in.csv") + "' --topology path:2 --flits 8 -o '" +
                   scratch.path("none.jsonl") + "'");
  CHECK(few.status == 2);
  CHECK(few.err.find(refusal) != std::string::npos);
  CHECK(content_of(scratch.path("none.jsonl")).empty());
}

TEST_CASE("Schedules of the same collective are compared side by side") {
  const Scratch scratch;
  const std::string a = scratch.path("a.jsonl"), b = scratch.path("b.jsonl"),
                    c = scratch.path("c.jsonl");
  REQUIRE(run_gossamer("import " + kRing + " --topology ring:4 -o '" + a + "'").status == 0);
  REQUIRE(run_gossamer("plan --topology ring:4 --algorithm ring -o '" + b + "'").status == 0);
  const Outcome both = run_gossamer("compare '" + a + "' '" + b + "' --json");
  REQUIRE(both.status == 0);
  const auto schedules = nlohmann::json::parse(both.out)["schedules"];
  CHECK(schedules[0]["rounds"] == 2);
  CHECK(schedules[1]["rounds"] == 3);
  CHECK(schedules[1]["busiest_link"] == 3);
  CHECK(run_gossamer("compare '" + a + "' '" + b + "'").out.find("busiest link") !=
        std::string::npos);
  CHECK(run_gossamer("compare '" + a + "' '" + b + "' --flits 4")
            .out.find("single  packet            4        3") != std::string::npos);
  const auto refused = [&](const std::string& plan, const std::string& why) {
    CAPTURE(plan, why);
    REQUIRE(run_gossamer("plan " + plan + " -o '" + c + "'").status == 0);
    for (const auto& [one, other] : {std::pair(a, c), std::pair(c, a)}) {
      const Outcome mixed = run_gossamer("compare '" + one + "' '" + other + "'");
      CHECK(mixed.status == 2);
      CHECK(mixed.out.empty());
      CHECK(mixed.err.find(why) != std::string::npos);
      CHECK(mixed.err.ends_with(": these cannot be compared\n"));
    }
  };
  refused("--topology ring:4 --collective broadcast", "is a broadcast");
  refused("--topology ring:5", "is for ring:5");
  refused("--topology ring:4 --members 0-2", "has members 0-2");
  const std::string flits = "--topology ring:4 --flits ";
  REQUIRE(run_gossamer("plan " + flits + "9 -o '" + a + "'").status == 0);
  refused(flits + "9 --link-stages 2", "has links of stages 2");
  refused(flits + "9 --link-stages 2", "has links without stages");
  const auto of_sizes = [&](const std::string& sizes) {
    return "--topology ring:4 --sizes '" + scratch.file("sizes.csv", sizes) + "'";
  };
  refused(of_sizes("0,3\n1,9\n"), "has messages of 0 to 9 flits");
  REQUIRE(run_gossamer("plan " + of_sizes("0,4\n1,9\n") + " -o '" + a + "'").status == 0);
  refused(of_sizes("0,3\n1,9\n"), "has messages of 0 to 9 flits (other sizes)");
  REQUIRE(run_gossamer("plan --topology ring:4 --collective scatter -o '" + a + "'").status == 0);
  refused("--topology ring:4 --collective scatter --root 2", "has root 2");
}

TEST_CASE("Schedules of one graph are compared, whichever way each names its file") {
  const Scratch scratch;
  const std::string graph = scratch.file("g.json", content_of("tests/data/petersen.json"));
  const std::string here = "cd '" + scratch.path("") + "' && ";
  REQUIRE(run_gossamer("plan --topology edges:g.json -o a.jsonl", here).status == 0);
  REQUIRE(run_gossamer("plan --topology 'edges:" + graph + "' -o b.jsonl", here).status == 0);
  const Outcome both = run_gossamer("compare a.jsonl b.jsonl", here);
  CAPTURE(both.err);
  CHECK(both.status == 0);
}
