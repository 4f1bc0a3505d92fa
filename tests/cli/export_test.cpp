// gossamer export, called as a user calls it.
#include <fmt/format.h>

#include "catch.hpp"
#include "command.hpp"

TEST_CASE("export writes a GOAL text of a planned schedule and of a file") {
  const Scratch scratch;
  const Outcome planned = run_gossamer(
      "export --topology ring:4 --algorithm ring --format goal "
      "--flits 2 -o " +
      scratch.path("planned.goal"));
  CAPTURE(planned.err);
  REQUIRE(planned.status == 0);
  CHECK(planned.out.find("written to ") != std::string::npos);
  const std::string text = content_of(scratch.path("planned.goal"));
  CHECK(text.find("num_ranks 4\n") != std::string::npos);
  CHECK(text.find("l2: send 8b to 1 tag 0\n") != std::string::npos);

  const std::string file = scratch.path("ring.jsonl");
  REQUIRE(run_gossamer("plan --topology ring:4 --algorithm ring -o " + file).status == 0);
  REQUIRE(
      run_gossamer("export " + file + " --format goal --flits 2 -o " + scratch.path("read.goal"))
          .status == 0);
  CHECK(content_of(scratch.path("read.goal")) == text);
}

TEST_CASE("export writes an MSCCL algorithm") {
  const Scratch scratch;
  const Outcome outcome =
      run_gossamer("export --topology torus:3x3 --algorithm translation --format msccl-xml -o " +
                   scratch.path("a.xml"));
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  const std::string text = content_of(scratch.path("a.xml"));
  CHECK(text.find("ngpus=\"9\" coll=\"allgather\"") != std::string::npos);
  CHECK(text.find("</algo>") != std::string::npos);
}

TEST_CASE("export writes images into a folder") {
  const Scratch scratch;
  const Outcome outcome = run_gossamer(
      "export --topology torus:3x3 --algorithm product --format mem -o " + scratch.path("images"));
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK_FALSE(content_of(scratch.path("images/fabric.vh")).empty());
  CHECK_FALSE(content_of(scratch.path("images/node_0008_slots.mem")).empty());
}

TEST_CASE("export writes a view for the user's own testbench, with the names of its states") {
  const Scratch scratch;
  const Outcome outcome = run_gossamer(
      "export --topology torus:3x3 --algorithm product --duplex half --flits 1 --format gtkw "
      "--scope my_testbench.i_fabric -o " +
      scratch.path("my.gtkw"));
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  const std::string view = content_of(scratch.path("my.gtkw"));
  CHECK(view.find("-node 8\n") != std::string::npos);
  CHECK(
      view.find(
          "my_testbench.i_fabric.gen_node[8].i_node.i_core.gen_slots.i_sequencer.state_q[1:0]\n") !=
      std::string::npos);
  CHECK(view.find("^1 " + scratch.path("my.link") + "\n") != std::string::npos);
  CHECK(content_of(scratch.path("my.link")) == "0 FREE\n1 TRANSMIT\n2 HEAR\n");
  CHECK(content_of(scratch.path("my.errors")).find("\n1 ERR_") != std::string::npos);
  const std::string flits = content_of(scratch.path("my.flits"));
  const std::size_t name = flits.find("?8\n");
  REQUIRE(name != std::string::npos);
  // The same word without a valid flit is drawn as nothing.
  const std::string line = flits.substr(flits.rfind('\n', name) + 1, 9);
  CHECK(line[0] == '1');
  CHECK(flits.find("\n0" + line.substr(1) + " ?black?\n") != std::string::npos);
}

TEST_CASE("a view of a large fabric has rows of its first 64 nodes") {
  for (const unsigned nodes : {63u, 64u, 65u, 80u}) {
    const Scratch scratch;
    const Outcome outcome =
        run_gossamer(fmt::format("export --topology ring:{} --algorithm ring --flits 1 "
                                 "--format gtkw --scope tb.dut -o '{}'",
                                 nodes, scratch.path("my.gtkw")));
    CAPTURE(nodes, outcome.err);
    REQUIRE(outcome.status == 0);
    const std::string view = content_of(scratch.path("my.gtkw"));
    for (unsigned x = 0; x < nodes; ++x) {
      CAPTURE(x);
      CHECK((view.find(fmt::format("-node {}\n", x)) != std::string::npos) == (x < 64));
    }
  }
}

TEST_CASE("schedules of a fabric are exported for the same nodes, each for its own flits") {
  const Scratch scratch;
  const auto ran = [](const std::string& call) {
    const Outcome outcome = run_gossamer(call);
    CAPTURE(call, outcome.err);
    REQUIRE(outcome.status == 0);
  };
  const std::string few = scratch.path("few.jsonl"), many = scratch.path("many.jsonl"),
                    pipelined = scratch.path("pipelined.jsonl"), out = scratch.path("out.txt");
  ran("plan --topology ring:6 --collective gossip --ports all --flits 4 -o " + few);
  ran("plan --topology ring:6 --collective scatter --ports all --flits 100 -o " + many);
  ran("plan --topology torus:3x3 --collective total-exchange --algorithm tdm-search "
      "--ports single --flits 1 -o " +
      pipelined);
  const auto depth = [&](const std::string& options) {
    ran("export " + options + " --format axi -o " + out);
    const std::string text = content_of(out);
    const std::size_t at = text.find(".STORE_DEPTH(");
    return text.substr(at + 13, text.find(')', at) - at - 13);
  };
  CHECK(depth(few + " --also " + many) == "512");
  CHECK(depth(many + " --also " + few) == "512");
  CHECK(depth(many + " --flits 2 --also " + few) == "16");
  CHECK(depth(pipelined + " --also " + pipelined) == depth(pipelined));
  ran("export " + pipelined + " --also " + pipelined + " --format mem -o " +
      scratch.path("images"));
}

TEST_CASE("export writes nothing that the checker refuses") {
  const Scratch scratch;
  const std::string file = scratch.file(
      "short.jsonl",
      R"({"gossamer":1,"topology":"ring:3","collective":"gossip","model":{"ports":"all",)"
      R"("duplex":"full","switching":"packet","combining":false}})"
      "\n"
      R"({"r":1,"path":[0,1],"msgs":[0]})"
      "\n");
  const Outcome outcome =
      run_gossamer("export " + file + " --format goal -o " + scratch.path("x.goal"));
  CHECK(outcome.status == 1);
  CHECK(outcome.out.find("not written") != std::string::npos);
  CHECK(scratch.files() == 1);
}

TEST_CASE("export says in one line what is wrong with a call") {
  const auto refused = [](const std::string& arguments) {
    const Outcome outcome = run_gossamer("export " + arguments);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.error_lines() == 1);
    return outcome.err;
  };
  CHECK(refused("--topology ring:4 --format goal --one-cycle -o x")
            .find("--one-cycle goes with --format mem, not goal") != std::string::npos);
  CHECK(refused("--topology ring:4 --duplex half --format mem --one-cycle -o x")
            .find("this schedule is for half duplex") != std::string::npos);
  CHECK(refused("--topology torus:3x3 --collective total-exchange --algorithm tdm-search "
                "--ports single --flits 1 --link-stages 3 --format mem --one-cycle -o x")
            .find("over links without register stages") != std::string::npos);
  CHECK(refused("--topology ring:4 --format mem --scope tb.fabric -o x")
            .find("--scope goes with --format gtkw, not mem") != std::string::npos);
  CHECK(refused("--topology ring:4 --format gtkw -o x").find("--format gtkw needs --scope") !=
        std::string::npos);
  CHECK(refused("--topology ring:4 -o x").find("export needs --format") != std::string::npos);
  CHECK(refused("--topology ring:4 --format goal").find("export needs -o") != std::string::npos);
  CHECK(refused("--topology ring:4 --format gaol -o x").find("did you mean 'goal'?") !=
        std::string::npos);
  CHECK(refused("--format goal -o x").find("give a topology") != std::string::npos);
  CHECK(refused("--topology ring:4 --format goal -o no/such/folder/x")
            .find("no folder no/such/folder") != std::string::npos);
  CHECK(refused("--topology ghc:4x4 --algorithm translation --format mem -o /proc/none")
            .find("ghc") != std::string::npos);
}
