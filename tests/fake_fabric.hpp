#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "fabric/fabric.hpp"

namespace gossamer {

/// A fabric without nodes: nothing is on its links, in its logs, or wrong, and it is done in cycle
/// `end`. A test says otherwise where it must.
struct FakeFabric : Fabric {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  void trace(const TraceOptions&) override {}
  void load(const FabricImage&) override {}
  void run(std::uint64_t cycles) override { now = std::min(now + cycles, end); }
  std::uint64_t cycle() const override { return now; }
  bool done() const override { return now >= end; }
  std::vector<Node> running(std::size_t) const override { return {}; }
  std::uint64_t last_arrival() const override { return 0; }
  std::uint64_t flits_moved() const override { return 0; }
  Flit link(Node, Port) const override { return {}; }
  std::vector<std::uint32_t> log(Node, unsigned) const override { return {}; }
  std::vector<NodeError> errors() const override { return {}; }

  std::uint64_t now = 0, end = kNever;
};

/// Another fabric, of which a test changes something.
struct WrappedFabric : Fabric {
  explicit WrappedFabric(std::unique_ptr<Fabric> f) : fabric(std::move(f)) {}

  void trace(const TraceOptions& options) override { fabric->trace(options); }
  void use_threads(unsigned threads) override { fabric->use_threads(threads); }
  void skip_idle(bool skips) override { fabric->skip_idle(skips); }
  void join(Ranks& ranks) override { fabric->join(ranks); }
  bool holds(Node x) const override { return fabric->holds(x); }
  void load(const FabricImage& image) override { fabric->load(image); }
  void run(std::uint64_t cycles) override { fabric->run(cycles); }
  std::uint64_t cycle() const override { return fabric->cycle(); }
  bool done() const override { return fabric->done(); }
  std::vector<Node> running(std::size_t most) const override { return fabric->running(most); }
  std::uint64_t last_arrival() const override { return fabric->last_arrival(); }
  std::uint64_t flits_moved() const override { return fabric->flits_moved(); }
  Flit link(Node x, Port p) const override { return fabric->link(x, p); }
  std::vector<std::uint32_t> log(Node x, unsigned g) const override { return fabric->log(x, g); }
  std::vector<bool> arrived(Node x, unsigned g) const override { return fabric->arrived(x, g); }
  bool as_expected(Node x) const override { return fabric->as_expected(x); }
  Compared compared() const override { return fabric->compared(); }
  std::vector<NodeError> errors() const override { return fabric->errors(); }

  std::unique_ptr<Fabric> fabric;
};

}  // namespace gossamer
