// Every kind of bad input: one line on stderr that names the place and the reason, exit status 2,
// and nothing else.
#include <string>
#include <vector>

#include "catch.hpp"
#include "command.hpp"

namespace {

struct Bad {
  std::string input;
  std::string reason;  ///< part of the line on stderr
};

void require_refused(const Outcome& outcome, const std::string& reason) {
  CAPTURE(outcome.err, outcome.out);
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.error_lines() == 1);
  CHECK(outcome.err.rfind("gossamer: ", 0) == 0);
  CHECK(outcome.err.find(reason) != std::string::npos);
}

const std::string kHead = R"({"gossamer":1,"topology":"ring:4","collective":"gossip",)"
                          R"("model":{"ports":"single","duplex":"full","switching":"packet",)"
                          R"("combining":false}})";

}  // namespace

TEST_CASE("Every malformed call is refused with one line and status 2") {
  const auto bad = GENERATE(values<Bad>({
      {"", "no verb given"},
      {"rnu --topology ring:8", "unknown verb 'rnu': did you mean 'run'?"},
      {"--topology ring:8", "the verb comes first"},
      {"run", "give a topology"},
      {"run --topology", "--topology needs a value"},
      {"plan --topology ring:8 word", "plan does not take the argument 'word'"},
      {"plan --topology ring:8 list", "plan does not take the argument 'list'"},
      {"plan --topology ring:8 list --duplex half", "plan does not take the argument 'list'"},
      {"run --topology ring:8 --topology ring:9", "--topology is given more than once"},
      {"plan --topology ring:8 -o ''", "--output needs a value"},
      {"plan --topology ring:8 --seed ''", "--seed needs a value"},
      {"plan --topology ring:8 --members=''", "--members needs a value"},
      {"run --topology ring:8 --trace ''", "--trace needs a value"},
      {"run ''", "FILE needs a value"},
      {"compare tests/data/ring-4-both-ways.jsonl ''", "FILE needs a value"},
      {"suite tests/regression.toml --junit ''", "--junit needs a value"},
      {"suite tests/regression.toml --case ring-4-L1 --case ''", "--case needs a value"},
      {"suite tests/regression.toml --list --engine foo", "--engine: unknown engine 'foo'"},
      {"suite tests/regression.toml --list --jobs foo", "--jobs: 'foo'"},
      {"check -- --flits", "--flits: cannot open"},
      {"run --topology ring:8 --flit 4", "run has no option --flit: did you mean --flits?"},
      {"run --topology ring:8 --quickly", "run has no option --quickly"},
      {"run a.jsonl b.jsonl", "the argument 'b.jsonl'"},
      {"run --topology ring", "expected KIND:SIZE"},
      {"run --topology ring:x", "'x' is no number of nodes"},
      {"run --topology ring:1", "'1' is no number of nodes"},
      {"run --topology rinq:8", "did you mean 'ring'?"},
      {"run --topology torus:4x", "topology 'torus:4x'"},
      {"run --topology edges:nowhere.json", "nowhere.json"},
      {"run --topology ring:8 --algorithm rinq", "did you mean 'ring'?"},
      {"run --topology ring:8 --collective chat", "--collective: unknown collective 'chat'"},
      {"run --topology ring:8 --ports both", "--ports: "},
      {"run --topology ring:8 --duplex none", "--duplex: "},
      {"run --topology ring:8 --root x", "root x is no node of ring:8; expected 0 to 7"},
      {"run --topology ring:8 --root 8", "root 8 is no node of ring:8"},
      {"run --topology ring:8 --members 0,8", "members: 8 is no node of ring:8; expected 0 to 7"},
      {"run --topology ring:8 --members 0-3/3,4", "members: node 3 is named twice"},
      {"run --topology ring:8 --members 0-3/", "members: a group has no node"},
      {"run --topology ring:8 --collective scatter --members 1-3", "the root 0 is no member"},
      {"run --topology ring:8 --collective scatter --members 1-3/4 --root 1",
       "each of several groups has the node that it names first as its root: leave the root out"},
      {"run --topology ring:8 --algorithm translation --members 1-3",
       "translation serves all nodes, not a group of members (asked for gossip on ring:8; "
       "any-graph serves it)"},
      {"run --topology ring:8 --collective all-reduce --members 1-3 --root 1 --pieces 3",
       "no algorithm for all-reduce on ring:8: reversed serves it without pieces"},
      {"plan --topology torus:3 --algorithm translation --pieces 3",
       "translation does not cut messages: leave the pieces out (asked for gossip on torus:3; "
       "any-graph serves it)"},
      {"plan --topology torus:4x4 --collective all-reduce --algorithm two-orders --sizes "
       "tests/data/sizes-16.csv",
       "the vectors of all-reduce have one length"},
      {"run --topology ring:8 --members 3", "the schedule has no transfers"},
      {"run --topology ring:8 --sizes no-such.csv", "sizes: no-such.csv: cannot open"},
      {"run --topology torus:3x4 --sizes tests/data/sizes-16.csv",
       "sizes: tests/data/sizes-16.csv:13: 12 is no node; expected 0 to 11"},
      {"run --topology torus:4x4 --sizes tests/data/sizes-16.csv --flits 2",
       "the sizes say how many flits each message has: leave the flits out"},
      {"run --topology torus:4x4 --sizes tests/data/sizes-pairs-16.csv",
       "sizes: tests/data/sizes-pairs-16.csv: a message of a gossip has no destination"},
      {"run --topology torus:4x4 --collective broadcast --sizes tests/data/sizes-16.csv",
       "flits of node 1, which no broadcast sends"},
      {"run --topology torus:4x4 --algorithm translation --sizes tests/data/sizes-16.csv",
       "translation serves messages that are equally long (asked for gossip on torus:4x4; "
       "any-graph serves it)"},
      {"run tests/data/sizes-circuit-path-4.jsonl --flits 2",
       "the schedule says how many flits each message has: leave the flits out"},
      {"run tests/data/sizes-circuit-path-4.jsonl --sizes tests/data/sizes-16.csv",
       "the schedule file already gives these"},
      {"run --topology ring:8 --algorithm any-graph --flits 4 --pieces 5",
       "pieces: messages of 4 flits cannot be cut into 5; expected 4 at most"},
      {"run --topology ring:8 --flits 0", "--flits: '0'"},
      {"run --topology ring:8 --flits 1.5", "--flits: '1.5'"},
      {"run --topology ring:8 --flits -1", "--flits"},
      {"run --topology ring:8 --seed z", "--seed: 'z'"},
      {"plan --topology torus:4x4 --algorithm translation --seconds 3", "does not search"},
      {"plan --topology torus:4x4 --best time", "--best: 'time' is nothing to be best in"},
      {"plan --topology ring:8 --algorithm ring --seconds 3", "ring does not search"},
      {"plan --topology torus:4x4 --algorithm tdm-search --seconds 0", "--seconds: '0'"},
      {"plan --topology torus:4x4 --algorithm tdm-search --seconds soon", "--seconds: 'soon'"},
      {"plan --topology torus:13x13 --algorithm tdm-search", "give it seconds to search"},
      {"plan --topology torus:4x6 --algorithm tdm-search", "give it seconds to search"},
      {"run --topology torus:4x4 --algorithm tdm-search --flits 8", "1 flit, not 8"},
      {"run --topology ring:8 --engine tyle",
       "--engine: unknown engine 'tyle': did you mean 'tile'?"},
      {"run --topology ring:8 --threads 0", "--threads"},
      {"run --topology ring:8 --algorithm hamiltonian --cycle 0,1,2", "3 "},
      {"run --topology ring:8 --algorithm hamiltonian --cycle nowhere.txt", "nowhere.txt"},
      {"run --topology ring:8 --algorithm ring --cycle 0,1,2,3,4,5,6,7", "takes no cycle"},
      {"run --topology torus:8x8 --algorithm delmas-perennes", "three equal rings"},
      {"run --topology mesh:3x3 --algorithm hamiltonian", "no hamiltonian cycle"},
      {"run --topology ring:8 --algorithm hamiltonian --ports all", "single"},
      {"run --topology ring:8 --trace wave.vcd", "must end in .fst with the tile engine"},
      {"run --topology ring:8 --engine systemc --trace wave.fst", "must end in .vcd"},
      {"run --topology ring:8 --trace no/such/folder/wave.fst", "no folder no/such/folder"},
      {"run --topology ring:8 --trace-cycles 1-5", "need --trace FILE"},
      {"run --topology ring:8 --trace w.fst --trace-cycles 5-1", "--trace-cycles: '1'"},
      {"run --topology ring:8 --trace w.fst --trace-rounds 1-8", "--trace-rounds: '8'"},
      {"run --topology ring:8 --trace w.fst --trace-nodes 3,8", "--trace-nodes: '8'"},
      {"run torus:4x4", "there is no file 'torus:4x4': did you mean --topology torus:4x4?"},
      {"export tours:4x4 --format axi -o a.txt", "did you mean --topology torus:4x4?"},
      {"plan torus:4x4", "the argument 'torus:4x4': did you mean --topology torus:4x4?"},
      {"run --topology ring:8 --collective broadcst", "did you mean 'broadcast'?"},
      {"run --topology ring:8 --collective bcast", "did you mean 'broadcast'?"},
      {"run --topology ring:8 --collective AllGathr", "did you mean 'all-gather'?"},
      {"run --topology hypercube:3 --faults node=3", "did you mean 'nodes='?"},
      {"export --topology torus:8x4 --format mem -o images --part 4x4",
       "--part: '4x4' is no part of 8x4; expected its nodes along each of 2"},
      {"export --topology torus:8x4 --format mem -o images --part 5x4@4,0",
       "--part: '5x4@4,0': dimension 0 of 8x4 has nodes 0 to 7"},
      {"export --topology torus:8x4 --format mem -o images --part 0x4@0,0",
       "0 from 0 on are not among them"},
      {"export --topology torus:8x4 --format mem -o images --part 8x4@0,0",
       "is all of 8x4: leave --part out"},
      {"export --topology torus:8x4 --format axi -o a.txt --part 4x4@0,0",
       "--part goes with --format mem, not axi"},
      {"export --topology complete:4 --ports all --format mem -o images",
       "and complete:4 is neither; use the tile engine, or --format rtl, which takes any"},
      {"run nowhere.jsonl", "nowhere.jsonl: cannot open"},
      {"run tests", "tests: is a directory"},
      {"run tests/data/ring-4-both-ways.jsonl --topology ring:4", "leave out topology"},
      {"check", "check needs a schedule file"},
      {"check nowhere.jsonl", "nowhere.jsonl: cannot open"},
      {"suite", "suite needs a suite file"},
      {"suite nowhere.toml", "nowhere.toml: cannot open"},
      {"suite tests/regression.toml --case ring-4-L3", "did you mean 'ring-4-L"},
      {"suite tests/regression.toml --case nothing-like-it", "no case 'nothing-like-it'"},
      {"suite tests/regression.toml --case 'RNG-4-*'", "did you mean 'ring-4-L1'?"},
      {"suite tests/regression.toml --case torus4x4", "did you mean 'torus-4x4-"},
      {"suite tests/regression.toml --jobs 0", "--jobs: '0'"},
      {"suite tests/regression.toml --trace w.fst", "--trace takes one case"},
      {"list everything", "the argument 'everything'"},
      {"list --json=short", "--json takes no value"},
      {"plan --topology ring:8 -- --flits", "plan does not take the argument '--flits'"},
      {"check -- nowhere.jsonl", "nowhere.jsonl: cannot open"},
  }));
  CAPTURE(bad.input);
  require_refused(run_gossamer(bad.input), bad.reason);
}

TEST_CASE("Every malformed schedule file is refused with its name and line") {
  const auto bad = GENERATE_COPY(values<Bad>({
      {"", "bad.jsonl:1: no schedule"},
      {"no json\n", "bad.jsonl:1: no JSON"},
      {"[1]\n", "bad.jsonl:1: expected an object"},
      {R"({"gossamer":2})", "bad.jsonl:1: \"gossamer\" is 2"},
      {R"({"gossamer":1,"collective":"gossip"})", "bad.jsonl:1: key "},
      {kHead + "\n{\"r\":1}\n", "bad.jsonl:2: key "},
      {kHead + "\n\n{\"r\":0,\"path\":[0,1],\"msgs\":[0]}\n", "bad.jsonl:3: \"r\" is 0"},
      {kHead + "\n{\"r\":1,\"path\":[0,4],\"msgs\":[0]}\n", "bad.jsonl:2: a node of \"path\" is 4"},
      {kHead + "\n{\"r\":1,\"path\":[0],\"msgs\":[0]}\n", "bad.jsonl:2: \"path\""},
      {kHead + "\n{\"r\":1,\"path\":[0,1],\"msgs\":[]}\n", "bad.jsonl:2: \"msgs\""},
      {kHead + "\n{\"r\":1,\"path\":[0,1],\"msgs\":[0],\"x\":1}\n",
       "bad.jsonl:2: unknown key \"x\""},
      {kHead + "\n{\"r\":1,\"path\":[0,1],\"msgs\":[0]\n", "bad.jsonl:2: no JSON"},
  }));
  CAPTURE(bad.input);
  const Scratch scratch;
  const std::string file = scratch.file("bad.jsonl", bad.input);
  require_refused(run_gossamer("check '" + file + "'"), bad.reason);
  require_refused(run_gossamer("run --no-check '" + file + "'"), bad.reason);
}

TEST_CASE("Every malformed suite file is refused with its name and line") {
  const std::string ring = "name = \"a\"\ntopology = \"ring:4\"\n";
  const auto bad = GENERATE_COPY(values<Bad>({
      {"", "bad.toml:1: no cases"},
      {"[[case]\n", "bad.toml:1: no TOML"},
      {"[case]\nname = \"a\"\n", "with two brackets"},
      {"case = [1]\n", "a case is a table"},
      {"speed = 3\n", "bad.toml:1: unknown key 'speed'"},
      {"[[case]]\ntopology = \"ring:4\"\n", "bad.toml:1: a case needs a name"},
      {"[[case]]\nname = \"a b\"\n", "'a b' is no name"},
      {"[[case]]\nname = 3\n", "bad.toml:2: name must be a text"},
      {"[[case]]\nname = \"a\"\n", "case 'a': a case has either a topology or a schedule file"},
      {"[[case]]\n" + ring + "file = \"x\"\n", "either a topology or a schedule file"},
      {"[[case]]\n" + ring + "flit = 4\n",
       "bad.toml:4: unknown key 'flit' in a case: did you mean 'flits'?"},
      {"[[case]]\n" + ring + "flits = 0\n", "bad.toml:4: case 'a': flits: '0' is no"},
      {"[[case]]\n" + ring + "flits = [1, \"x\"]\n", "bad.toml:4: case 'a': flits must be"},
      {"[[case]]\n" + ring + "flits = []\n", "the list of flits is empty"},
      {"[[case]]\n" + ring + "duplex = \"both\"\n", "bad.toml:4: case 'a': duplex: unknown duplex"},
      {"[[case]]\n" + ring + "algorithm = \"rinq\"\n", "bad.toml:4: case 'a': unknown algorithm"},
      {"[[case]]\n" + ring + "engine = \"fast\"\n", "bad.toml:4: case 'a': engine: unknown engine"},
      {"[[case]]\n" + ring + "seed = -1\n", "bad.toml:4: case 'a': seed: '-1' is no"},
      {"[[case]]\n" + ring + "root = 4\n", "bad.toml:1: case 'a': root 4 is no node"},
      {"[[case]]\n" + ring + "algorithm = \"delmas-perennes\"\n", "bad.toml:1: case 'a': "},
      {"[[case]]\nname = \"a\"\ntopology = \"ring:0\"\n",
       "bad.toml:3: case 'a': topology 'ring:0'"},
      {"[[case]]\nname = \"a\"\nfile = \"nowhere.jsonl\"\n", "nowhere.jsonl: cannot open"},
      {"[[case]]\n" + ring + "[[case]]\n" + ring, "bad.toml:4: case 'a' appears twice"},
  }));
  CAPTURE(bad.input);
  const Scratch scratch;
  const std::string file = scratch.file("bad.toml", bad.input);
  const std::string report = scratch.path("report.xml");
  require_refused(run_gossamer("suite '" + file + "' --junit '" + report + "'"), bad.reason);
  CHECK(scratch.files() == 1);
}

TEST_CASE("Every malformed file of edges is refused with its name") {
  const auto bad = GENERATE(values<Bad>({
      {"", "no JSON"},
      {R"({"n":3})", "expected"},
      {R"({"n":3,"edges":[[0,1],[0,3]]})", "edge 1"},
      {R"({"n":3,"edges":[[0,1],[1,1]]})", "self loop"},
      {R"({"n":3,"edges":[[0,1]]})", "not connected"},
      {R"({"n":2,"edges":[[0,1]],"directed":true})", "unknown key \"directed\"; expected {\"n\""},
      {R"({"n":2,"edges":[[0,1]],"weights":[4]})", "unknown key \"weights\""},
  }));
  CAPTURE(bad.input);
  const Scratch scratch;
  const std::string file = scratch.file("bad.json", bad.input);
  require_refused(run_gossamer("plan --topology 'edges:" + file + "'"), bad.reason);
}

TEST_CASE("Bad input leaves no output file behind") {
  const Scratch scratch;
  const std::string output = scratch.path("schedule.jsonl");
  require_refused(run_gossamer("plan --topology ring:x -o '" + output + "'"), "ring:x");
  require_refused(run_gossamer("plan --topology ring:4 --flits 0 -o '" + output + "'"), "--flits");
  require_refused(
      run_gossamer("plan --topology ring:4 -o '" + scratch.path("no/schedule.jsonl") + "'"),
      "-o: there is no folder ");
  require_refused(run_gossamer("plan --topology ring:4 -o /dev/full"), "/dev/full: cannot write");
  CHECK(scratch.files() == 0);
}

TEST_CASE("Quoted line ends in the input do not make a second line") {
  require_refused(run_gossamer("run --topology 'ring:\n8'"), "topology");
  require_refused(run_gossamer("run --topology 'ring:8' --algorithm 'a\nb'"), "unknown algorithm");
}
