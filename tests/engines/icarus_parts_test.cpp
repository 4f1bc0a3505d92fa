// Tori whose parts have clocks of their own, under Icarus, against the tile engine: each flit in its
// part's predicted cycle, every word, and what is reported if a part does not start.
#include "engines/icarus_bench.hpp"

namespace gossamer::test {
namespace {

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

/// What a run of parts_test says: the part before its second run, and that.
std::array<std::string, 2> both_runs(const std::string& text) {
  const std::size_t again = text.find("again\n");
  REQUIRE(again != std::string::npos);
  return {text.substr(0, again), text.substr(again)};
}

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
  check_parts(plan_any("torus:3x2", "reversed", Collective::AllReduce, PortModel::All, 2), 2, {3, 1},
              "0");
  check_parts(plan("torus:3x2", "hamiltonian", Duplex::Full), 1, {3, 1}, "2");
  check_parts(plan("torus:2x3", "hamiltonian", Duplex::Full), 1, {1, 1}, "1");
}

}  // namespace gossamer::test
