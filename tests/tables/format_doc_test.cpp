// docs/hardware/table-format.md and docs/hardware/timing.md against the RTL package and the
// compiler.

#include <map>
#include <regex>
#include <span>
#include <sstream>

#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "scratch.hpp"
#include "support/file.hpp"
#include "tables/compiler.hpp"
#include "tables/mem_image.hpp"

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
  const Constants rtl = constants_in("rtl/node/gossamer_pkg.sv", definition);
  REQUIRE(rtl.at("SLOT_RECEIVE_LSB") == "96");
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
  write_mem_images(image, depths_for(image), scratch.folder());

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
