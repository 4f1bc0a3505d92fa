// Tori whose nodes or parts have clocks of their own, under Icarus, against the tile engine: each
// flit in its sender's predicted cycle, every word, and what is reported if one starts late or a
// bit changes.
#include "engines/icarus_bench.hpp"

namespace gossamer::test {
namespace {

/// A torus whose nodes have clocks of their own. `parity`: a parity bit with each flit.
IcarusBench elastic_torus(const FabricImage& image, bool parity) {
  return {image, "elastic_test",
          fmt::format("-Pelastic_test.K={} \"-Pelastic_test.PARITY=1'b{:d}\"",
                      image.most_stages() - 5, parity)};
}

/// The lines about flits and words, sorted.
std::vector<std::string> flits_and_words(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("flit ") || line.starts_with("word ")) lines.push_back(line);
  }
  std::ranges::sort(lines);
  return lines;
}

/// What a run of elastic_test says: the part before its second run, and that.
std::array<std::string, 2> both_runs(const std::string& text) {
  const std::size_t again = text.find("again\n");
  REQUIRE(again != std::string::npos);
  return {text.substr(0, again), text.substr(again)};
}

/// Runs with phases and skews drawn from seeds 1 to `seeds`: each flit in its sender's own cycle,
/// and each word, are those of nodes with one clock, in both runs of every seed; no link complains.
void check_elastic(const Schedule& schedule, unsigned flits, unsigned seeds, bool parity) {
  INFO(schedule.topology().spec() << ", " << to_string(schedule.collective()));
  const Port ports = schedule.topology().ports();
  const PortStages stages = LinkStages::parse("8").on(schedule);
  const auto once =
      flits_and_words(expected(prepare(schedule, flits, tb::tile_ports(ports), nullptr, stages)));
  std::size_t flits_on_links = 0;
  for (const Transfer& t : schedule.transfers()) {
    flits_on_links += std::size_t{t.path_size - 1} * t.messages_size * flits;
  }
  REQUIRE(once.size() > flits_on_links * schedule.symmetry().order());
  const IcarusBench torus = elastic_torus(prepare(schedule, flits, ports, nullptr, stages), parity);
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    INFO("seed " << seed);
    const std::string text = torus.run(fmt::format("+seed={}", seed));
    for (const std::string& said : both_runs(text)) CHECK((flits_and_words(said) == once));
    CHECK(text.find("skew ") == std::string::npos);
    CHECK(text.find("parity ") == std::string::npos);
    CHECK(text.find("error ") == std::string::npos);
    CHECK(text.find("stalled") == std::string::npos);
  }
}

/// The numbers behind a word that lines begin with, as far as asked for, sorted.
std::vector<std::vector<unsigned>> numbers_of(const std::string& text, const std::string& word,
                                              std::size_t count) {
  std::vector<std::vector<unsigned>> rows;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(word + " ")) continue;
    std::istringstream rest(line.substr(word.size()));
    std::vector<unsigned> row(count);
    for (unsigned& n : row) rest >> n;
    rows.push_back(row);
  }
  std::ranges::sort(rows);
  return rows;
}

/// Runs of a gossip with parity on its links, in which bits change on the wires.
class FlipRuns {
 public:
  struct Flips {
    unsigned bits;   ///< of each place
    bool idle;       ///< of places without a flit
    unsigned seeds;  ///< runs, each twice
  };

  /// An odd number of bits of a place is reported by the link's receiver, and no other link reports
  /// anything; if it was a flit, the node misses it. A run in which no node missed anything is
  /// right. An even number is reported by no link, and by the node at most if a flit came or went,
  /// or a stream's end: a stream without its first flit looks like a shorter one. Returns the
  /// number of places that changed.
  std::size_t check(const Flips& flips) const {
    std::size_t changed = 0;
    for (unsigned seed = 1; seed <= flips.seeds; ++seed) {
      const std::string arguments =
          fmt::format("+seed={} +flips={} +bits={} {}", seed, 1 + (seed + 2) % 5, flips.bits,
                      flips.idle ? "+idle" : "");
      INFO(arguments);
      for (const std::string& said : both_runs(torus_.run(arguments))) {
        changed += check_run(said, flips);
      }
    }
    return changed;
  }

 private:
  std::size_t check_run(const std::string& said, const Flips& flips) const {
    const bool odd = flips.bits % 2 != 0;
    std::vector<std::vector<unsigned>> receivers;
    std::set<unsigned> hurt;  // nodes that miss a flit, or see a stream of another length
    for (const Flip& flip : flips_of(said)) {
      const Endpoint to = schedule_.topology().peer(flip.node, flip.port);
      receivers.push_back({to.node, to.port});
      CHECK(flip.valid != flips.idle);
      if (flip.valid && (odd || flip.marks)) hurt.insert(to.node);
    }
    std::ranges::sort(receivers);
    CHECK(numbers_of(said, "parity", 2) == (odd ? receivers : decltype(receivers){}));
    CHECK(said.find("skew ") == std::string::npos);
    const auto errors = numbers_of(said, "error", 1);
    if (odd && errors.empty()) CHECK((flits_and_words(said) == once_));
    if (flips.idle || receivers.empty()) return receivers.size();
    for (const auto& to : receivers) {
      CAPTURE(to[0]);
      const auto raised = std::ranges::count(errors, std::vector{to[0]});
      if (odd) CHECK(raised == 1);
      if (!hurt.contains(to[0])) CHECK(raised == 0);
    }
    if (!odd) CHECK((flits_and_words(said) != once_));
    return receivers.size();
  }

  struct Flip {
    Node node;
    Port port;
    bool valid;  ///< there was a flit
    bool marks;  ///< its marks of a flit or of a stream's end changed, not only word and parity
  };

  static std::vector<Flip> flips_of(const std::string& text) {
    std::vector<Flip> all;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      if (!line.starts_with("flip ")) continue;
      std::istringstream rest(line.substr(5));
      unsigned cycle = 0, node = 0, port = 0, valid = 0;
      std::uint64_t bits = 0;
      rest >> cycle >> node >> port >> valid >> std::hex >> bits;
      REQUIRE((rest && bits != 0));
      all.push_back({node, static_cast<Port>(port), valid == 1, (bits >> 32 & 3) != 0});
    }
    return all;
  }

  const Schedule schedule_ = plan("torus:3x3", "product", Duplex::Full);
  const PortStages stages_ = LinkStages::parse("8").on(schedule_);
  const std::vector<std::string> once_ =
      flits_and_words(expected(prepare(schedule_, 2, tb::tile_ports(4), nullptr, stages_)));
  const IcarusBench torus_ = elastic_torus(prepare(schedule_, 2, 4, nullptr, stages_), true);
};

/// A torus of several torus_part, each with its own images and, unless all have one, its own clock
/// (parts_test.sv).
class TorusInParts {
 public:
  TorusInParts(const FabricImage& image, const std::vector<Node>& sizes, bool common_clock) {
    const TorusShape shape = torus_shape(image.topology);
    const std::string size = fmt::format("{}", fmt::join(sizes, "x"));
    std::vector<Node> corner(sizes.size());
    // The parts count as nodes do, dimension 0 fastest.
    for (unsigned part = 0;; ++part) {
      write_mem_images(image, depths_for(image), scratch_.path(fmt::format("part_{}", part)),
                       torus_part(shape, fmt::format("{}@{}", size, fmt::join(corner, ","))));
      std::size_t d = 0;
      while (d < sizes.size() && (corner[d] += sizes[d]) == shape.dimensions[d].radix)
        corner[d++] = 0;
      if (d == sizes.size()) break;
    }
    const std::string text = read_file(scratch_.path("part_0/fabric.vh"));
    const std::regex parameter(R"rx(\.([A-Z_]+)\(([^()]*)\))rx");
    std::string chosen;
    for (std::sregex_iterator it(text.begin(), text.end(), parameter), end; it != end; ++it) {
      if ((*it)[1] == "WRAP") continue;
      const std::string value =
          (*it)[1] == "IMAGES" ? fmt::format("\"{}\"", scratch_.path("part_")) : (*it)[2].str();
      chosen += fmt::format(" \"-Pparts_test.{}={}\"", (*it)[1].str(),
                            std::regex_replace(value, std::regex("\""), "\\\""));
    }
    run_command(fmt::format(
        "iverilog -g2012 -o {0}/vvp -s parts_test {1} \"-Pparts_test.COMMON=1'b{2:d}\" "
        "-Pparts_test.K={3} -f rtl/files.f tests/icarus/parts_test.sv > {0}/log 2>&1",
        scratch_.path(""), chosen, common_clock, common_clock ? 1 : image.most_stages() - 5));
  }
  std::string run(const std::string& arguments = "") const {
    run_command(fmt::format("vvp -n {0}/vvp {1} > {0}/out 2>&1", scratch_.path(""), arguments));
    return read_file(scratch_.path("out"));
  }

 private:
  Scratch scratch_;
};

/// Every flit in its part's own cycle, every word and the last cycle are those of the whole torus,
/// in both runs; if parts have clocks of their own, links say so when the start of part 1 is lost,
/// and no other word arrives.
void check_parts(const Schedule& schedule, unsigned flits, const std::vector<Node>& sizes,
                 const std::string& stages) {
  INFO(schedule.topology().spec() << ", " << to_string(schedule.collective()) << ", parts of "
                                  << fmt::format("{}", fmt::join(sizes, "x")));
  const Port ports = schedule.topology().ports();
  const PortStages registers = LinkStages::parse(stages).on(schedule);
  const FabricImage for_tiles =
      prepare(schedule, flits, reduces(schedule.collective()) ? ports : tb::tile_ports(ports),
              nullptr, registers);
  const std::string whole = expected(for_tiles);
  const std::array once{flits_and_words(whole), flits_and_words(expected(after_a_run(for_tiles)))};
  const std::string done = whole.substr(
      whole.find("done "), whole.find('\n', whole.find("done ")) - whole.find("done ") + 1);
  REQUIRE(whole.find("word ") != std::string::npos);
  const bool common_clock = stages.size() == 1 && stages[0] < '6';
  const TorusInParts parts(prepare(schedule, flits, ports, nullptr, registers), sizes,
                           common_clock);
  const std::string text = parts.run();
  const auto said = both_runs(text);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK((flits_and_words(said[i]) == once[i]));
    CHECK(said[i].find(done) != std::string::npos);
  }
  CHECK(text.find("skew ") == std::string::npos);
  CHECK(text.find("error ") == std::string::npos);
  if (common_clock) return;
  const auto [first, second] = both_runs(parts.run("+lost=1 +seed=2"));
  CHECK((flits_and_words(first) == once[0]));
  CHECK(second.find("skew 0\n") != std::string::npos);
  CHECK(second.find("stalled\n") != std::string::npos);
  const bool sums =
      for_tiles.kind.reduce;  // of what never came they are any words, and their node has said so
  if (sums) CHECK(second.find("error ") != std::string::npos);
  for (const std::string& line : flits_and_words(second)) {
    if (line.starts_with("word ") && !sums) CHECK(std::ranges::binary_search(once[1], line));
  }
}

}  // namespace

TEST_CASE("two parts with clocks of their own are a torus: each flit in its predicted cycle") {
  check_parts(plan("torus:4x2", "product", Duplex::Full), 1, {2, 2}, "8");
}

TEST_CASE("two parts with clocks of their own add up: each sum and each flit as of one torus",
          "[.icarus]") {
  check_parts(plan_any("torus:4x2", "reversed", Collective::AllReduce, PortModel::All, 4), 4,
              {2, 2}, "8");
}

TEST_CASE(
    "two and four parts with clocks of their own are a torus of 8x4: gossip, total exchange, sums",
    "[.long]") {
  for (const std::vector<Node>& sizes : {std::vector<Node>{4, 4}, std::vector<Node>{4, 2}}) {
    check_parts(plan("torus:8x4", "product", Duplex::Full), 1, sizes, "8");
    check_parts(plan_any("torus:8x4", "edge-colouring", Collective::TotalExchange, PortModel::All),
                1, sizes, "6");
    for (const char* how : {"reversed", "tree-reduce", "ring-reduce"}) {
      check_parts(plan_any("torus:8x4", how, Collective::AllReduce, PortModel::All, 8), 8, sizes,
                  "8");
    }
  }
}

TEST_CASE("parts with one clock are a torus, whichever dimensions are split") {
  check_parts(plan("torus:4x3", "product", Duplex::Half), 2, {2, 1}, "0");
  check_parts(plan("torus:3x2", "hamiltonian", Duplex::Full), 1, {3, 1}, "2");
  check_parts(plan("torus:2x3", "hamiltonian", Duplex::Full), 1, {1, 1}, "1");
}

TEST_CASE("nodes with clocks of their own do in their cycles what nodes with one clock do") {
  check_elastic(plan("torus:3x3", "product", Duplex::Full), 3, 1, false);
}

TEST_CASE("60 sets of phases and skews: gossip, total exchange, pipelined", "[.long]") {
  check_elastic(plan("torus:3x3", "product", Duplex::Full), 3, 15, false);
  check_elastic(plan("torus:4x4", "product", Duplex::Full), 2, 15, true);
  check_elastic(plan_any("torus:4x4", "edge-colouring", Collective::TotalExchange, PortModel::All),
                2, 15, true);
  check_elastic(plan_any("torus:3x3", "tdm-search", Collective::TotalExchange, PortModel::Single),
                2, 15, true);
}

TEST_CASE(
    "links with parity notice an odd number of bits that change in a place, and nothing else") {
  const FlipRuns runs;
  CHECK(runs.check({.bits = 1, .idle = false, .seeds = 2}) >= 4);
  CHECK(runs.check({.bits = 1, .idle = true, .seeds = 1}) >= 2);
  CHECK(runs.check({.bits = 2, .idle = false, .seeds = 1}) >= 1);
}

TEST_CASE("100 runs, twice each, with bits that change on the wires of links with parity",
          "[.long]") {
  const FlipRuns runs;
  CHECK(runs.check({.bits = 1, .idle = false, .seeds = 40}) >= 80);
  CHECK(runs.check({.bits = 1, .idle = true, .seeds = 20}) >= 30);
  CHECK(runs.check({.bits = 3, .idle = false, .seeds = 20}) >= 40);
  CHECK(runs.check({.bits = 2, .idle = false, .seeds = 20}) >= 40);
}

TEST_CASE("a node that starts too late is reported by its elastic links",
          "[.icarus]") {
  const Schedule schedule = plan("torus:3x3", "product", Duplex::Full);
  const PortStages stages = LinkStages::parse("8").on(schedule);
  const IcarusBench torus = elastic_torus(prepare(schedule, 1, 4, nullptr, stages), false);
  const std::string text = torus.run("+seed=2 +late=4 +by=20");
  for (const char* link : {"skew 4 0\n", "skew 4 1\n", "skew 4 2\n", "skew 4 3\n"}) {
    CHECK(text.find(link) != std::string::npos);
  }
  CHECK(text.find("error 4 ") != std::string::npos);
}

TEST_CASE(
    "a node whose second start is lost is reported by all its elastic links, whatever the run "
    "before left there") {
  const std::string length =
      GENERATE("8", "17");  // 17: 64 places, and a token counts for 28 cycles
  INFO(length << " stages");
  const Schedule schedule = plan("ring:4", "ring", Duplex::Full);
  const PortStages stages = LinkStages::parse(length).on(schedule);
  const auto [first, second] =
      both_runs(elastic_torus(prepare(schedule, 1, 2, nullptr, stages), false).run("+lost=2"));
  CHECK(first.find("skew ") == std::string::npos);
  CHECK(first.find("error ") == std::string::npos);
  CHECK(second.find("error ") != std::string::npos);
  for (Port p = 0; p < 2; ++p) {
    const Node peer = schedule.topology().peer(2, p).node;
    CHECK(second.find(fmt::format("skew 2 {}\n", p)) != std::string::npos);
    CHECK(second.find(fmt::format("skew {} {}\n", peer, schedule.topology().port_to(peer, 2))) !=
          std::string::npos);
  }
}

}  // namespace gossamer::test
