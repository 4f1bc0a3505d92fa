#include "tables/mem_image.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <regex>
#include <span>
#include <sstream>

#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "expand_program.hpp"
#include "mem_reader.hpp"
#include "refusal.hpp"
#include "scratch.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "tables/compiler.hpp"

namespace gossamer {
namespace {

namespace fs = std::filesystem;

/// The image of a gossip; node x has x+1 own words, so that nodes differ.
FabricImage gossip_image(const std::string& topology, const std::string& name) {
  Request request{.topology = Topology::parse(topology), .cycle = {}};
  request.duplex = Duplex::Half;
  const Schedule schedule = algorithm(name).plan(request);
  FabricImage image = compile(schedule, 3, schedule.topology().ports()).image;
  image.own_begin.assign(1, 0);
  for (Node x = 0; x < schedule.topology().nodes(); ++x) {
    for (Node i = 0; i <= x; ++i) image.own_words.push_back(0xfedc0000 + 256 * x + i);
    image.own_begin.push_back(image.own_words.size());
  }
  return image;
}

std::string error_of(const std::string& folder, Node node, const NodeKind& kind) {
  return ::refusal([&] { read_mem_program(folder, node, kind); });
}

}  // namespace

TEST_CASE("what is written as .mem images can be read back") {
  const auto [topology, name] = GENERATE(table<std::string, std::string>(
      {{"ring:5", "ring"}, {"torus:4x4", "product"}, {"torus:3x3x3", "hamiltonian"}}));
  const Scratch scratch;
  const FabricImage image = gossip_image(topology, name);
  write_mem_images(image, build_for(image), scratch.folder());
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    CHECK(read_mem_program(scratch.folder(), x, image.kind) == image.programs[image.program_of[x]]);
    const auto words = image.own_words.begin() + static_cast<std::ptrdiff_t>(image.own_begin[x]);
    CHECK(read_mem_own_words(scratch.folder(), x) ==
          std::vector<std::uint32_t>(words, words + image.own_size(x)));
  }
}

TEST_CASE("memories are as deep as the image asks, with an end mark, or it is refused") {
  FabricImage image = gossip_image("ring:4", "ring");
  image.capacity = 12;
  image.programs.assign(1, NodeProgram{});
  image.programs[0].slots.resize(4);
  image.programs[0].channels.assign(1, std::vector<Segment>(7));
  CHECK(depths_for(image) == NodeDepths{8, 8, 16});
  CHECK(depths_for(image, {64, 2, 16}) == NodeDepths{64, 8, 16});
  image.capacity = (1u << 20) + 1;
  CHECK_THROWS_WITH(depths_for(image),
                    "a node needs 1048577 words in a log; switch_node has at most 1048576");
}

TEST_CASE("images that cannot be written leave nothing behind") {
  const Scratch scratch;
  const FabricImage image = gossip_image("ring:4", "ring");
  fs::create_directories(scratch.folder() / "node_0002_own.mem");  // a folder in the way
  CHECK_THROWS_AS(write_mem_images(image, build_for(image), scratch.folder()), InputError);
  CHECK_FALSE(fs::exists(scratch.folder() / "node_0000_slots.mem"));
  CHECK_FALSE(fs::exists(scratch.folder() / "fabric.vh"));
  // Nor do they change existing files.
  const Scratch full;
  write_mem_images(image, build_for(image), full.folder());
  const std::string before = read_file(full.folder() / "node_0000_own.mem");
  const FabricImage larger = gossip_image("ring:8", "ring");
  fs::create_directories(full.folder() / "node_0007_own.mem");
  CHECK_THROWS_WITH(write_mem_images(larger, build_for(larger), full.folder()),
                    Catch::Matchers::Contains("node_0007_own.mem: cannot write"));
  CHECK(read_file(full.folder() / "node_0000_own.mem") == before);
  CHECK_FALSE(fs::exists(full.folder() / "node_0004_own.mem"));
  for (const auto& entry : fs::directory_iterator(full.folder())) {
    CHECK(entry.path().extension() != ".new");
  }
  const FabricImage butterfly = gossip_image("butterfly:3", "hamiltonian");
  CHECK_THROWS_AS(
      write_mem_images(butterfly, build_for(butterfly, {64, 64, 128}), scratch.folder()),
      InputError);
  CHECK_FALSE(fs::exists(scratch.folder() / "node_0000_slots.mem"));
}

TEST_CASE("images that cannot be read are refused by file and line") {
  const Scratch scratch;
  const FabricImage image = gossip_image("ring:4", "ring");
  write_mem_images(image, build_for(image, {4, 4, 16}), scratch.folder());
  const std::string file = scratch.folder() / "node_0001_slots.mem";
  std::string text = read_file(file);
  text[text.find('\n') + 3] = 'g';
  write_file(file, text);
  CHECK(error_of(scratch.folder(), 1, image.kind) == file + ":2: expected 32 hex digits");
  CHECK(error_of(scratch.folder(), 9, image.kind) ==
        (scratch.folder() / "node_0009_slots.mem").string() +
            ": cannot open: No such file or directory");
}

}  // namespace gossamer

// docs/hardware/table-format.md and docs/hardware/timing.md against the RTL package and the
// compiler.

namespace gossamer {
namespace {

using Constants = std::map<std::string, std::string>;

/// Name and value wherever a line matches; a name that comes twice must have one value.
Constants constants_in(const std::string& file, const std::regex& pattern) {
  Constants found;
  std::istringstream in(read_file(file));
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (!std::regex_search(line, match, pattern)) continue;
    const auto [it, fresh] = found.try_emplace(match[1], match[2]);
    INFO(file << ": " << line);
    CHECK((fresh || it->second == match[2]));
  }
  return found;
}

}  // namespace

TEST_CASE("the documented constants are those of the RTL package, all of them") {
  const std::regex definition(R"(^ *(?:localparam int )?([A-Z][A-Z0-9_]*) = (?:4'd)?(\d+))");
  Constants rtl = constants_in("rtl/node/gossamer_pkg.sv", definition);
  REQUIRE(rtl.at("SLOT_RECEIVE_LSB") == "96");
  std::erase_if(rtl, [](const auto& one) { return one.first.starts_with("OP_"); });  // said there
  const std::regex row(R"(^\| `([A-Z][A-Z0-9_]*)` \| (\d+) \|)");
  Constants documented = constants_in("docs/hardware/table-format.md", row);
  documented.merge(constants_in("docs/hardware/timing.md", row));
  CHECK(documented == rtl);
}

TEST_CASE(
    "the documented fields of entries and segments are those of the RTL package, all of them") {
  Constants of_rtl;
  const auto add = [&](const char* structure, std::span<const rtl::BitField> fields) {
    for (const rtl::BitField& f : fields) {
      const std::string low = std::to_string(f.lsb), high = std::to_string(f.lsb + f.width - 1);
      of_rtl[structure + std::string(".") + f.name] = f.width == 1 ? low : high + ":" + low;
    }
  };
  add("slot_t", rtl::slot_t::fields);
  add("slot_high_t", rtl::slot_high_t::fields);
  add("segment_t", rtl::segment_t::fields);
  REQUIRE(of_rtl.at("segment_t.log") == "29:24");
  CHECK(constants_in("docs/hardware/table-format.md",
                     std::regex(R"(^\| `(\w+_t\.\w+)` \| ([0-9:]+) \|)")) == of_rtl);
}

TEST_CASE("the documented memory images are what the compiler makes of their schedule") {
  Request request{.topology = Topology::parse("ring:8"), .cycle = {}};
  request.duplex = Duplex::Half;
  FabricImage image = compile(algorithm("ring").plan(request), 4, 2).image;
  image.own_begin.assign(9, 0);
  const Scratch scratch;
  write_mem_images(image, build_for(image), scratch.folder());

  std::istringstream doc(read_file("docs/hardware/table-format.md"));
  const std::regex shown(R"(^(node_\d{4}_\w+\.mem):(\d+)  ([0-9a-f]+)$)");
  int lines = 0;
  for (std::string line; std::getline(doc, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, shown)) continue;
    ++lines;
    std::istringstream file(read_file(scratch.path(match[1].str())));
    std::string found;
    for (int i = 0; i < std::stoi(match[2]); ++i) std::getline(file, found);
    INFO(line);
    CHECK(found == match[3]);
  }
  CHECK(lines == 5);
}

}  // namespace gossamer
