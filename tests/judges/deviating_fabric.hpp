#pragma once

#include <functional>
#include <memory>

#include "fake_fabric.hpp"

namespace gossamer::tb {

/// A planted difference in a fabric, or in what it shows, to test whether the judges notice it.
/// Empty members change nothing.
struct Deviation {
  std::function<void(FabricImage&)> image;  ///< changes what is loaded
  std::function<void(Node, unsigned log, std::vector<std::uint32_t>&)> log;
  std::function<void(Node, unsigned log, std::vector<bool>&)> arrived;
  std::function<void(std::uint64_t cycle, Node, Port, Flit&)> link;
  std::function<void(std::vector<NodeError>&)> errors;
  std::function<void(std::uint64_t&)> last_arrival, flits_moved;
  std::function<void(std::vector<Node>&)> running;
  bool never_done = false;  ///< the fabric never comes to rest
};

/// Another fabric with one deviation.
class DeviatingFabric final : public WrappedFabric {
 public:
  DeviatingFabric(std::unique_ptr<Fabric> f, const Deviation& deviation)
      : WrappedFabric(std::move(f)), deviation_(deviation) {}

  void load(const FabricImage& image) override {
    FabricImage other = image;
    change(deviation_.image, other);
    fabric->load(other);
    late_ = 0;
  }
  void run(std::uint64_t cycles) override {
    const std::uint64_t begin = fabric->cycle();
    fabric->run(cycles);
    if (deviation_.never_done) late_ += begin + cycles - fabric->cycle();
  }
  std::uint64_t cycle() const override { return fabric->cycle() + late_; }
  bool done() const override { return fabric->done() && !deviation_.never_done; }

  std::vector<Node> running(std::size_t most) const override {
    return changed(deviation_.running, fabric->running(most));
  }
  std::uint64_t last_arrival() const override {
    return changed(deviation_.last_arrival, fabric->last_arrival());
  }
  std::uint64_t flits_moved() const override {
    return changed(deviation_.flits_moved, fabric->flits_moved());
  }
  Flit link(Node x, Port p) const override {
    Flit flit = fabric->link(x, p);
    if (deviation_.link) deviation_.link(cycle(), x, p, flit);
    return flit;
  }
  std::vector<std::uint32_t> log(Node x, unsigned log) const override {
    std::vector<std::uint32_t> words = fabric->log(x, log);
    if (deviation_.log) deviation_.log(x, log, words);
    return words;
  }
  std::vector<bool> arrived(Node x, unsigned log) const override {
    std::vector<bool> words = fabric->arrived(x, log);
    if (deviation_.arrived) deviation_.arrived(x, log, words);
    return words;
  }
  std::vector<NodeError> errors() const override {
    return changed(deviation_.errors, fabric->errors());
  }

 private:
  template <typename Change, typename Value>
  static void change(const Change& by, Value& value) {
    if (by) by(value);
  }
  template <typename Change, typename Value>
  static Value changed(const Change& by, Value value) {
    change(by, value);
    return value;
  }

  const Deviation& deviation_;
  std::uint64_t late_ = 0;  ///< cycles after the fabric itself was done
};

}  // namespace gossamer::tb
