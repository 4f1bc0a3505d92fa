#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include "catch.hpp"
#include "engines/engine_library.hpp"
#include "engines/prepared.hpp"
#include "fabric/torus_shape.hpp"
#include "scratch.hpp"
#include "support/file.hpp"
#include "tables/fit_small_nodes.hpp"

namespace gossamer::test {

/// What tests/icarus/fabric_test.sv prints of one run.
inline std::string expected(const FabricImage& image) {
  const auto fabric = tb::make_tile_fabric(image.kind, false, 5, image.most_stages() != 0);
  fabric->load(image);
  std::string text;
  while (!fabric->done()) {
    fabric->run(1);
    for (Node x = 0; x < image.topology.nodes(); ++x) {
      for (Port p = 0; p < image.topology.ports(); ++p) {
        const Flit f = fabric->link(x, p);
        if (f.valid) {
          text += fmt::format("flit {} {} {} {:d} {:08x}\n", fabric->cycle(), x, p, f.last, f.data);
        }
      }
    }
  }
  // One-cycle nodes report the end of their tables two cycles earlier
  // (docs/hardware/table-format.md).
  text += fmt::format("done {}\n", fabric->cycle() - (image.kind.one_cycle ? 2 : 0));
  const auto errors = fabric->errors();
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    for (const NodeError& e : errors) {
      if (e.node != x) continue;
      text += fmt::format("error {} {:08x} {} {} {}\n", x, e.seen, e.first_code, e.first_slot,
                          e.first_port);
    }
    text += fmt::format("model {} {:08x}\n", x, model_register(image.kind));
    for (unsigned g = 0; g < image.kind.logs() + unsigned{image.kind.reduce}; ++g) {
      const auto words = fabric->log(x, g);
      for (std::size_t i = 0; i < words.size(); ++i) {
        text += fmt::format("word {} {} {} {:08x}\n", x, g, i, words[i]);
      }
    }
  }
  return text;
}

/// What it prints at its end: every node holds as many own words as its image says, then two.
inline std::string own_words(const FabricImage& image) {
  std::string text;
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    text += fmt::format("own {} {} 2 2\n", x, image.own_size(x));
  }
  return text;
}

/// The same nodes before their second run: what they keep of a reduction are own words of the next
/// one.
inline FabricImage after_a_run(FabricImage image) {
  if (!image.kind.reduce) return image;
  const auto fabric = tb::make_tile_fabric(image.kind, false, 5, image.most_stages() != 0);
  fabric->load(image);
  while (!fabric->done()) fabric->run(1);
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    std::ranges::copy(fabric->log(x, image.kind.own_log()),
                      image.own_words.begin() + static_cast<std::ptrdiff_t>(image.own_begin[x]));
  }
  return image;
}

inline void run_command(const std::string& command) {
  INFO(command);
  REQUIRE(std::system(command.c_str()) == 0);
}

/// A testbench of tests/icarus, compiled by Icarus for a fabric and its images.
class IcarusBench {
 public:
  IcarusBench(const FabricImage& image, const std::string& top, const std::string& parameters)
      : IcarusBench(image, depths_for(image), top, parameters) {}
  IcarusBench(const FabricImage& image, const NodeDepths& depths, const std::string& top,
              const std::string& parameters) {
    write_mem_images(image, depths, scratch_.path("images"));
    run_command(fmt::format(
        "iverilog -g2012 -o {0} -I {1} -s {2} -P{2}.NODES={3} -P{2}.PORTS={4} -P{2}.LOGS={5} {6} "
        "-f rtl/files.f tests/icarus/{2}.sv > {7} 2>&1",
        scratch_.path("fabric.vvp"), scratch_.path("images"), top, image.topology.nodes(),
        image.topology.ports(), image.kind.logs(), parameters, scratch_.path("log")));
  }
  /// Replaces a file of the images, which are read when it runs.
  void replace(const std::string& name, const std::string& text) const {
    write_file(scratch_.path("images") + "/" + name, text);
  }
  /// A file for it to read.
  std::string file(const std::string& text) const { return scratch_.file("file", text); }
  /// What it prints.
  std::string run(const std::string& arguments = "") const {
    run_command(fmt::format("vvp -n {} {} > {} 2>&1", scratch_.path("fabric.vvp"), arguments,
                            scratch_.path("out")));
    return read_file(scratch_.path("out"));
  }

 private:
  Scratch scratch_;
};

inline std::string icarus(const FabricImage& image, unsigned tree = 0) {
  return IcarusBench(image, "fabric_test", fmt::format("-Pfabric_test.TREE={}", tree)).run();
}

/// Compares and shows only the first lines that differ, because whole outputs are long.
inline void check_equal(const std::string& found, const std::string& wanted) {
  std::size_t at = 0;
  while (at < found.size() && at < wanted.size() && found[at] == wanted[at]) ++at;
  const std::size_t line = at == 0 ? 0 : wanted.rfind('\n', at - 1) + 1;
  CHECK(found.substr(line, 200) == wanted.substr(line, 200));
  CHECK((found == wanted));
}

}  // namespace gossamer::test
