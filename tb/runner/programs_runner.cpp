#include <algorithm>
#include <memory>
#include <utility>

#include "runner/fabric_runner.hpp"
#include "tables/programs.hpp"

namespace gossamer::tb {
namespace {

/// A fabric of several programs, as one of them sees it: as if it alone had run, on its nodes.
class OfProgram final : public Fabric {
 public:
  OfProgram(std::shared_ptr<Fabric> fabric, const Programs& programs, const Program& program,
            std::size_t k)
      : fabric_(std::move(fabric)), all_(programs), program_(program), k_(k) {}

  void trace(const TraceOptions& options) override { fabric_->trace(options); }
  void use_threads(unsigned) override {}  // once it is loaded it has its threads
  /// It is loaded already. What another program has brought has been judged; from now on it is what
  /// this one starts with alone. So own words may have to be written again.
  void load(const FabricImage&) override {
    last_arrival_ = flits_moved_ = ended_ = 0;
    over_ = false;
    for (const std::size_t k : all_.starts[number()]) {
      const FabricImage& its = all_.alone[k].image;
      for (Node x = 0; x < its.topology.nodes(); ++x) {
        for (std::uint32_t i = 0; i < all_.places[k][x].own_words; ++i) {
          const LogPlace at = all_.places[k][x].of(its.kind, its.kind.own_log(), i);
          fabric_->set_word(x, at.log, at.index, its.own_words[its.own_begin[x] + i]);
        }
      }
    }
    fabric_->restart(static_cast<unsigned>(number()), program_.after.has_value());
  }
  void run(std::uint64_t cycles) override {
    run_and_look(cycles, [] { return true; });
  }
  void run_and_look(std::uint64_t cycles, const std::function<bool()>& look) override {
    fabric_->run_and_look(cycles, [&] {
      count();
      return look();
    });
    over_ = fabric_->done();
  }
  /// In the end that in which its own nodes were at rest.
  std::uint64_t cycle() const override { return over_ ? ended_ : fabric_->cycle(); }
  bool done() const override { return fabric_->done(); }
  std::vector<Node> running(std::size_t most) const override { return fabric_->running(most); }
  std::uint64_t last_arrival() const override { return last_arrival_; }
  std::uint64_t flits_moved() const override { return flits_moved_; }
  Flit link(Node x, Port p) const override { return mine(x) ? fabric_->link(x, p) : Flit{}; }
  std::vector<NodeError> errors() const override {
    std::vector<NodeError> errors = fabric_->errors();
    std::erase_if(errors, [&](const NodeError& e) { return !mine(e.node); });
    return errors;
  }

  std::vector<std::uint32_t> log(Node x, unsigned g) const override {
    const NodeKind& kind = all_.image.kind;
    const Programs::Place& here = place(x);
    std::vector<std::uint32_t> words;
    if (!mine(x)) return words;
    const auto add = [&](unsigned log, std::uint32_t first, std::uint32_t most) {
      const auto some = fabric_->part_of_log(x, log, first, most);
      words.insert(words.end(), some.begin(), some.end());
    };
    for (std::uint32_t i = 0; g == kind.own_log() && i < here.own_words; ++i) {
      const LogPlace at = here.of(kind, g, i);
      add(at.log, at.index, 1);
    }
    if (g < here.logs.size()) add(g, here.logs[g], all_.image.capacity);
    return words;
  }

 private:
  const Programs::Place& place(Node x) const { return all_.places[k_][x]; }
  std::size_t number() const { return all_.numbers[k_]; }
  bool mine(Node x) const { return all_.runs[number()][x] == k_; }
  /// What its nodes do in a cycle.
  void count() {
    const FabricImage& image = all_.image;
    for (Node x = 0; x < image.topology.nodes(); ++x) {
      for (Port p = 0; p < image.topology.ports(); ++p) {
        if (!link(x, p).valid) continue;
        ++flits_moved_;
        last_arrival_ =
            std::max(last_arrival_, cycle() + (image.stages.empty() ? 0 : image.stages[p]));
      }
    }
    const bool runs = std::ranges::any_of(fabric_->running(image.topology.nodes()),
                                          [&](Node x) { return mine(x); });
    if (runs || cycle() <= last_arrival_ + image.settling()) {
      ended_ = cycle() + 1;
    }
  }

  std::shared_ptr<Fabric> fabric_;
  const Programs& all_;
  const Program& program_;
  std::size_t k_;
  std::uint64_t last_arrival_ = 0, flits_moved_ = 0, ended_ = 0;
  bool over_ = false;
};

}  // namespace

std::vector<RunResult> FabricRunner::run_programs(std::span<const Program> programs,
                                                  std::span<const std::size_t> starts,
                                                  const RunOptions& options) {
  RunOptions all = options;
  all.symmetric = false;
  all.compressed = false;
  const Programs image = programs_of(programs, node_ports(all, *programs[0].schedule));
  const std::shared_ptr<Fabric> fabric = make_(all, image.image);
  fabric->load(image.image);
  std::vector<RunResult> results;
  for (const std::size_t k : starts) {
    all.flits = programs[k].flits;
    all.timed = programs[k].timed;
    all.seed = programs[k].seed;
    std::uint64_t longest = 0;
    for (const std::size_t other : image.starts[image.numbers[k]])
      longest = std::max(longest, last_cycle(image.alone[other].time));
    const auto make = [&](const RunOptions&, const FabricImage&) {
      return std::make_unique<OfProgram>(fabric, image, programs[k], k);
    };
    FabricRunner runner(nullptr, make, longest);
    results.push_back(runner.run(*programs[k].schedule, all));
  }
  return results;
}

}  // namespace gossamer::tb
