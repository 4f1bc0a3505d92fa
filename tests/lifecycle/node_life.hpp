#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engines/node_model/node_model.hpp"

namespace gossamer::test {

/// A word that the documents determine; without a value any word is right.
using Known = std::optional<std::uint32_t>;
inline bool agrees(const Known& known, std::uint32_t word) { return !known || *known == word; }

/// The parameters of a switch_node.
struct NodeBuild {
  NodeKind kind = {};
  std::uint32_t slot_depth = 8, list_depth = 8, capacity = 16;
  std::uint32_t own = 0;                   ///< own words that it can hold; 0: as many as a log
  std::vector<std::uint16_t> shared = {};  ///< SHARED, by log and channel; empty: zeros
  bool double_buffered = false;
  std::uint32_t programs = 1;
  std::uint32_t messages = rtl::ADAPTIVE_MESSAGES;
  unsigned len_w = rtl::SLOT_LEN_W, repeat_w = rtl::SLOT_REPEAT_W;
  unsigned flit_w = 32;  ///< at most 32
  bool faults = true, error_detail = true;
  std::vector<std::uint32_t> stages = {};  ///< of the link at each port; empty: none

  std::uint32_t flit_mask() const { return ~0u >> (32 - flit_w); }
  std::uint32_t own_depth() const { return own == 0 ? capacity : own; }
  bool own_behind() const {
    const std::size_t first = std::size_t{kind.own_log()} * kind.channels;
    for (std::size_t i = first; i < shared.size(); ++i) {
      if (shared[i] != 0 && shared[i] <= first) return true;
    }
    return false;
  }
  std::uint32_t log_depth() const { return capacity - (own_behind() ? own : 0); }
  unsigned banks() const { return double_buffered ? 2 : 1; }
  /// Number of logs, including a separate one for own words.
  unsigned stored_logs() const { return kind.own_log() + 1; }
  std::uint32_t slot_words() const { return (slot_bits(kind) + 31) / 32; }
};

/// A transfer on the configuration port.
struct Transfer {
  bool write = false;
  std::uint32_t address = 0, data = 0;
};

/// The inputs of a node in a cycle.
struct NodeInputs {
  bool reset = false, start = false;
  std::optional<Transfer> transfer;
  std::span<const Flit> links;  ///< flits on the inputs
};

/// Where a node is in its life (docs/hardware/table-format.md, "The life of a node").
enum class Life { Reset, Restart, Wait, Run, Ended };
inline constexpr std::array kLives{Life::Reset, Life::Restart, Life::Wait, Life::Run, Life::Ended};
const char* name(Life life);

/// A node from its first reset on, as its pins show it, written from docs/hardware/table-format.md.
/// Within a run, model::NodeModel computes its state.
class NodeLife {
 public:
  explicit NodeLife(const NodeBuild& build);

  /// The next cycle.
  void cycle(const NodeInputs& in);

  // The node's outputs in the next cycle.
  Life life() const { return life_; }
  bool done() const { return run_ && run_->done(); }
  bool error() const { return errors().seen != 0; }
  NodeError errors() const;
  /// The flit on an output; without a value, any.
  std::optional<Flit> link(Port p) const;
  /// The answer, if the last cycle's transfer was a read.
  const std::optional<Known>& answer() const { return answer_; }

  /// The result of a read now.
  Known read(std::uint32_t address);

  /// As text, for failures.
  std::string text() const;

 private:
  struct Bank {
    std::vector<std::vector<std::uint32_t>> slots;               ///< entries, words
    std::vector<std::vector<std::vector<std::uint32_t>>> lists;  ///< channels, segments, words
  };
  /// A place in one of the memories, or none if the address has none.
  std::uint32_t* slot_word(std::uint32_t address);
  std::uint32_t* list_word(std::uint32_t address);
  Known* store_word(std::uint32_t address);
  Bank* addressed_bank(std::uint32_t address);

  void step_core(const NodeInputs& in, bool held);
  void begin_run();
  void keep_arrivals();
  void forget(unsigned log);
  void write(const Transfer& t, bool running);
  void write_register(std::uint32_t address, std::uint32_t data, bool running);
  void write_store(std::uint32_t address, std::uint32_t data, bool disturbed);
  Known read_register(std::uint32_t address) const;
  Known read_adaptive(std::uint32_t address) const;
  Known arrived(std::uint32_t rest) const;
  std::uint64_t ports() const { return (std::uint64_t{1} << build_.kind.ports) - 1; }

  const NodeBuild build_;
  const unsigned address_bits_;  ///< of a word in a log
  std::array<Bank, 2> banks_;
  std::vector<std::vector<Known>> store_;  ///< logs, words
  std::vector<Known> lengths_;             ///< of the logs of arrivals
  std::vector<std::uint32_t> ends_;        ///< lengths when the last run ended
  Known own_words_;
  std::uint64_t dead_ = 0;
  std::uint32_t dead_after_ = 0, shift_ = 0, initiator_ = 0;
  std::vector<std::uint32_t> partner_;
  unsigned bank_ = 0, number_ = 0;   ///< of the program
  bool keep_ = false, ran_ = false;  ///< the logs go on; since a reset there was a run

  Life life_ = Life::Reset;
  unsigned restarting_ = 0;  ///< cycles of the restart that are still to come
  unsigned quiet_ = 0;       ///< cycles since the last one that was held
  std::optional<Known> answer_;

  /// A word of a table that was written, and its earlier value.
  struct LateWrite {
    std::uint32_t* word = nullptr;
    std::uint32_t before = 0;
  };
  /// In the last cycle and in the one before: a node that is started now has read its first entry
  /// and its first segments two cycles after such a write, and is reading the second ones.
  std::array<LateWrite, 2> late_;
  std::vector<std::uint32_t> before(unsigned cycles, const std::vector<std::uint32_t>& line) const;

  /// The tables and settings of the current or last run.
  NodeProgram program_;
  const NodeProgram nothing_;
  std::vector<std::uint32_t> own_;
  std::unique_ptr<model::NodeModel> run_;      ///< none before the first start after a reset
  std::unique_ptr<model::NodeModel> waiting_;  ///< used instead before that start; never starts
  /// Errors of before a start, reset or restart, in the one cycle in which they are still shown.
  std::optional<NodeError> cleared_next_;
};

}  // namespace gossamer::test
