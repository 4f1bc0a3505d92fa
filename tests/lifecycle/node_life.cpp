#include "node_life.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace gossamer::test {
namespace {

constexpr unsigned kHeld = 3;  ///< cycles of a reset or restart

std::uint32_t field(std::uint32_t word, unsigned lsb, unsigned width) {
  return word >> lsb & ((1u << width) - 1);
}

/// A word that was sent but never written is 0 and may be any.
Known known(std::uint32_t word) { return word == 0 ? Known{} : Known{word}; }

bool in_region(std::uint32_t address, std::uint32_t region) {
  return field(address, rtl::CFG_REGION_LSB, rtl::CFG_REGION_W) == region;
}

}  // namespace

const char* name(Life life) {
  switch (life) {
    case Life::Reset: return "reset";
    case Life::Restart: return "restart";
    case Life::Wait: return "wait";
    case Life::Run: return "run";
    case Life::Ended: return "ended";
  }
  return "";
}

NodeLife::NodeLife(const NodeBuild& build)
    : build_(build),
      address_bits_(static_cast<unsigned>(std::bit_width(build.capacity))),
      store_(build.stored_logs(), std::vector<Known>(build.capacity)),
      lengths_(build.kind.logs()),
      ends_(build.kind.logs()),
      partner_(build.kind.ports),
      nothing_{{}, std::vector<std::vector<Segment>>(build.kind.channels)} {
  const std::vector<std::uint32_t> entry(build.slot_words()),
      segment(encode(Segment{}, build.kind).size());
  for (Bank& bank : banks_) {
    bank.slots.assign(build.slot_depth, entry);
    bank.lists.assign(build.kind.channels, {build.list_depth, segment});
  }
}

// ---- A cycle.

void NodeLife::cycle(const NodeInputs& in) {
  const bool asked = in.transfer && in.transfer->write &&
                     in.transfer->address == rtl::CFG_CONTROL && (in.transfer->data & 1);
  const bool restart = asked && !in.reset;
  if (restart) restarting_ = kHeld;
  const bool held = in.reset || restarting_ > 0;
  const bool starts = !held && in.start && life_ != Life::Run && life_ != Life::Ended;
  const bool running = !held && (starts || life_ == Life::Run);

  answer_.reset();
  if (in.transfer && !in.transfer->write) {
    answer_ = in.reset ? Known{} : read(in.transfer->address);
  }

  step_core(in, held);
  if (answer_ && run_ && run_->read() && in_region(in.transfer->address, rtl::CFG_STORE)) {
    answer_ = Known{};  // the core has priority
  }
  late_ = {LateWrite{}, late_[0]};
  if (in.transfer && in.transfer->write) {
    if (in_region(in.transfer->address, rtl::CFG_STORE)) {
      write_store(in.transfer->address, in.transfer->data,
                  held && std::ranges::any_of(in.links, &Flit::valid));
    } else {
      write(*in.transfer, running);
    }
  }
  if (in.reset) {
    dead_ = dead_after_ = shift_ = initiator_ = bank_ = number_ = restarting_ = 0;
    keep_ = ran_ = false;
    std::ranges::fill(partner_, 0);
    std::ranges::fill(lengths_, Known{});
  } else if (restart) {
    const std::uint32_t data = in.transfer->data;
    bank_ = build_.double_buffered ? data >> 1 & 1 : 0;
    number_ = (data >> rtl::CONTROL_PROGRAM_LSB) % build_.programs;
    keep_ = build_.programs > 1 && (data >> rtl::CONTROL_KEEP & 1);
  }
  // A reset keeps the number of own words, and does not keep it from being written.
  if (asked && (in.transfer->data >> rtl::CONTROL_NO_WORDS & 1)) own_words_ = 0;
  if (restarting_ > 0) --restarting_;
  life_ = in.reset          ? Life::Reset
          : restarting_ > 0 ? Life::Restart
          : !run_           ? Life::Wait
          : run_->done()    ? Life::Ended
                            : Life::Run;
}

void NodeLife::step_core(const NodeInputs& in, bool held) {
  cleared_next_.reset();
  if (held) {
    if (model::NodeModel* core = run_ ? run_.get() : waiting_.get();
        core && !build_.kind.one_cycle) {
      core->cycle(in.links);
      cleared_next_ = core->errors();
    }
    quiet_ = std::min(quiet_ + 1, kHeld);
    for (Port p = 0; p < build_.kind.ports; ++p) {
      if (in.links[p].valid && build_.kind.adaptive) forget(build_.kind.single_port ? 0 : p);
    }
    run_.reset();
    waiting_.reset();
    return;
  }
  if (!run_) {
    quiet_ = kHeld;
    if (!waiting_) {
      model::NodeSetup setup;
      setup.kind = build_.kind;
      setup.program = &nothing_;
      setup.capacity = build_.log_depth();
      setup.stages = build_.stages;
      waiting_ = std::make_unique<model::NodeModel>(setup);
    }
    waiting_->cycle(in.links);
    if (in.start) {
      quiet_ = 0;
      if (!build_.kind.one_cycle) cleared_next_ = waiting_->errors();
      begin_run();
    }
    return;
  }
  quiet_ = 0;
  run_->cycle(in.links);
  keep_arrivals();
}

/// A line of a table as a node finds it that does not see what the last `cycles` cycles wrote.
std::vector<std::uint32_t> NodeLife::before(unsigned cycles,
                                            const std::vector<std::uint32_t>& line) const {
  std::vector<std::uint32_t> words = line;
  for (unsigned age = 0; age < cycles; ++age) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (late_[age].word == &line[i]) words[i] = late_[age].before;
    }
  }
  return words;
}

void NodeLife::begin_run() {
  const Bank& bank = banks_[bank_];
  // The program's first line is followed by the others; behind the last one the memory begins.
  const auto place = [this](std::uint32_t i, std::size_t depth) {
    return (i + number_ * depth / build_.programs) % depth;
  };
  model::NodeSetup setup;
  program_ = {};
  // A one-cycle node reads its entries one cycle later than others.
  const unsigned first = build_.kind.one_cycle ? 1 : 2;
  const auto read = [&](unsigned cycles, unsigned entry) {
    return decode_slot(before(cycles, bank.slots[place(entry, bank.slots.size())]), build_.kind);
  };
  setup.first_reads = {{read(first, 0)}, {read(first - 1, 0), read(first - 1, 1)}};
  for (const auto& list : bank.lists) {
    program_.channels.emplace_back();
    for (unsigned i = 0; i < list.size(); ++i) {
      program_.channels.back().push_back(
          decode_segment(before(i < 2 ? 2 - i : 0, list[place(i, list.size())]), build_.kind));
    }
  }
  for (unsigned i = 0; i < bank.slots.size(); ++i) {
    program_.slots.push_back(decode_slot(bank.slots[place(i, bank.slots.size())], build_.kind));
  }
  if (build_.kind.in_order) {  // one run, of as many words as there are addresses
    program_.channels = {{{.log = build_.kind.own_log(), .run = 0, .count = 1}}};
  }
  own_.clear();
  for (std::uint32_t i = 0; i < own_words_.value(); ++i) {
    own_.push_back(store_[build_.kind.own_log()][i].value_or(0));
  }

  for (unsigned g = 0; keep_ && ran_ && g < build_.kind.logs(); ++g) {
    auto& words = setup.kept.emplace_back();
    for (std::uint32_t i = 0; i < ends_[g]; ++i) words.push_back(store_[g][i].value_or(0));
  }
  ran_ = true;

  setup.kind = build_.kind;
  setup.flit_w = build_.flit_w;
  setup.zeros_unknown = true;
  setup.program = &program_;
  setup.own_words = own_;
  setup.capacity = build_.log_depth();
  setup.shared = build_.shared;
  setup.memory = build_.capacity;
  setup.len_w = build_.len_w;
  setup.repeat_w = build_.repeat_w;
  setup.address_w = address_bits_;
  setup.whole_memories = true;
  setup.stages = build_.stages;
  setup.dead = dead_;
  setup.dead_after = dead_after_;
  setup.shift = shift_;
  setup.partner = partner_;
  if (initiator_ >> 31) setup.initiator = initiator_ & ~(1u << 31);
  setup.messages = build_.messages;
  run_ = std::make_unique<model::NodeModel>(setup);
  run_->start();
  keep_arrivals();
}

/// Flits that arrive while an adaptive node is reset may be stored or not.
void NodeLife::forget(unsigned log) {
  std::ranges::fill(store_[log], Known{});
  lengths_[log].reset();
}

NodeError NodeLife::errors() const {
  if (cleared_next_) return *cleared_next_;
  return run_ ? run_->errors() : waiting_ ? waiting_->errors() : NodeError{};
}

/// Copies the words that the run has stored.
void NodeLife::keep_arrivals() {
  for (unsigned g = 0; g < build_.kind.logs(); ++g) {
    const auto& log = run_->log(g);
    if (build_.kind.adaptive) {
      const auto& arrived = run_->arrived(g);
      for (std::uint32_t i = 0; i < log.size(); ++i) {
        if (arrived[i]) store_[g][i] = known(log[i]);
      }
      continue;
    }
    for (std::uint32_t i = lengths_[g].value_or(0); i < log.size(); ++i)
      store_[g][i] = known(log[i]);
    lengths_[g] = ends_[g] = static_cast<std::uint32_t>(log.size());
  }
}

std::optional<Flit> NodeLife::link(Port p) const {
  if (run_) return run_->sent()[p];
  if (quiet_ >= kHeld) return Flit{};
  return {};
}

// ---- Writes.

NodeLife::Bank* NodeLife::addressed_bank(std::uint32_t address) {
  const unsigned bank = address >> rtl::CFG_BANK_LSB;
  return bank < build_.banks() ? &banks_[bank] : nullptr;
}

std::uint32_t* NodeLife::slot_word(std::uint32_t address) {
  Bank* bank = addressed_bank(address);
  const std::uint32_t rest = address & ((1u << rtl::CFG_REGION_LSB) - 1);
  const std::uint32_t entry = rest >> rtl::CFG_SLOT_LSB;
  const std::uint32_t word = field(rest, 0, rtl::CFG_SLOT_LSB);
  if (bank == nullptr || entry >= build_.slot_depth || word >= build_.slot_words()) return nullptr;
  return &bank->slots[entry][word];
}

std::uint32_t* NodeLife::list_word(std::uint32_t address) {
  Bank* bank = addressed_bank(address);
  const std::uint32_t rest = address & ((1u << rtl::CFG_REGION_LSB) - 1);
  const std::uint32_t channel = rest >> rtl::CFG_CHANNEL_LSB;
  const std::uint32_t segment =
      field(rest, rtl::CFG_SEG_LSB, rtl::CFG_CHANNEL_LSB - rtl::CFG_SEG_LSB);
  const std::uint32_t word = field(rest, 0, rtl::CFG_SEG_LSB);
  if (bank == nullptr || channel >= build_.kind.channels || segment >= build_.list_depth ||
      word >= bank->lists[channel][segment].size()) {
    return nullptr;
  }
  return &bank->lists[channel][segment][word];
}

Known* NodeLife::store_word(std::uint32_t address) {
  const std::uint32_t rest = address & ((1u << rtl::CFG_REGION_LSB) - 1);
  const std::uint32_t log = rest >> rtl::CFG_LOG_LSB;
  const std::uint32_t word = field(rest, 0, rtl::CFG_LOG_LSB);
  if (address >> rtl::CFG_BANK_LSB || log >= store_.size() || word >= build_.capacity) {
    return nullptr;
  }
  return &store_[log][word];
}

void NodeLife::write(const Transfer& t, bool running) {
  const std::uint32_t rest = t.address & ((1u << rtl::CFG_REGION_LSB) - 1);
  switch (field(t.address, rtl::CFG_REGION_LSB, rtl::CFG_REGION_W)) {
    case rtl::CFG_REGISTERS:
      if (t.address >> rtl::CFG_BANK_LSB == 0) write_register(rest, t.data, running);
      break;
    case rtl::CFG_SLOTS:
    case rtl::CFG_LISTS: {
      if (running && addressed_bank(t.address) == &banks_[bank_]) break;
      std::uint32_t* word =
          in_region(t.address, rtl::CFG_SLOTS) ? slot_word(t.address) : list_word(t.address);
      if (word == nullptr) break;
      late_[0] = {word, *word};
      *word = t.data;
      break;
    }
    default: break;
  }
}

void NodeLife::write_register(std::uint32_t address, std::uint32_t data, bool running) {
  const std::uint32_t over = 1u << address_bits_;
  if (address == rtl::CFG_OWN_WORDS && !running && data <= build_.own_depth()) own_words_ = data;
  if (address == rtl::CFG_DEAD && build_.faults) dead_ = data & ports();
  if (address == rtl::CFG_DEAD_AFTER && build_.faults && data >> build_.repeat_w == 0) {
    dead_after_ = data;
  }
  if (run_) run_->set_faults(dead_, dead_after_);
  if (!build_.kind.adaptive || running) return;
  if (address == rtl::CFG_SHIFT && data < 32) shift_ = data;
  if (address == rtl::CFG_INITIATOR && (data & ~(1u << 31)) < over) initiator_ = data;
  const std::uint32_t port = address - rtl::CFG_PARTNER;
  if (address >= rtl::CFG_PARTNER && port < build_.kind.ports && data < over) partner_[port] = data;
  if (run_) run_->set_places(shift_, partner_);
}

/// `disturbed`: flits of this cycle may be stored or not.
void NodeLife::write_store(std::uint32_t address, std::uint32_t data, bool disturbed) {
  Known* word = store_word(address);
  const unsigned log = field(address, rtl::CFG_LOG_LSB, rtl::CFG_PART_W);
  if (word == nullptr || log != build_.kind.own_log()) return;
  if (word - store_[log].data() >= build_.own_depth()) return;
  const bool among_logs = build_.stored_logs() == 1 || !build_.shared.empty();
  if (run_ && among_logs && run_->stored() != 0) return;  // the core has priority
  const std::uint32_t flit = data & build_.flit_mask();
  *word = disturbed && among_logs ? Known{} : flit;
  if (run_) run_->write_own(static_cast<std::uint32_t>(word - store_[log].data()), flit);
}

// ---- Reads.

Known NodeLife::read(std::uint32_t address) {
  const std::uint32_t rest = address & ((1u << rtl::CFG_REGION_LSB) - 1);
  const unsigned region = field(address, rtl::CFG_REGION_LSB, rtl::CFG_REGION_W);
  if (region == rtl::CFG_STORE && address >> rtl::CFG_BANK_LSB == 0) {
    const Known* word = store_word(address);
    return word == nullptr ? Known{} : *word;
  }
  if (address >> rtl::CFG_BANK_LSB) return 0;
  if (region == rtl::CFG_REGISTERS) return read_register(rest);
  if (region == rtl::CFG_ARRIVED && build_.kind.adaptive) return arrived(rest);
  return 0;
}

Known NodeLife::arrived(std::uint32_t rest) const {
  if (!run_) return {};
  if (rest >= build_.messages) return 0;
  return static_cast<std::uint32_t>(run_->arrived_on(rest));
}

Known NodeLife::read_register(std::uint32_t address) const {
  const NodeError errors = this->errors();
  switch (address) {
    case rtl::CFG_STATUS: return std::uint32_t{done()} | std::uint32_t{error()} << 1;
    case rtl::CFG_OWN_WORDS: return own_words_;
    case rtl::CFG_ERRORS: return errors.seen;
    case rtl::CFG_FIRST_CODE: return build_.error_detail ? errors.first_code : 0;
    case rtl::CFG_FIRST_SLOT: return build_.error_detail ? errors.first_slot : 0;
    case rtl::CFG_FIRST_PORT: return build_.error_detail ? errors.first_port : 0;
    case rtl::CFG_FLIT_W: return build_.flit_w;
    case rtl::CFG_PORTS: return build_.kind.ports;
    case rtl::CFG_CHANNELS: return build_.kind.channels;
    case rtl::CFG_MODEL:
      return model_register(build_.kind) |
             (std::bit_width(build_.programs) - 1u) << rtl::MODEL_PROGRAMS |
             std::uint32_t{build_.double_buffered} << rtl::MODEL_DOUBLE_BUFFERED;
    case rtl::CFG_SLOT_DEPTH: return build_.slot_depth;
    case rtl::CFG_LIST_DEPTH: return build_.list_depth;
    case rtl::CFG_CAPACITY: return build_.log_depth();
    case rtl::CFG_OWN_CAPACITY: return build_.own_depth();
    case rtl::CFG_LEN_W: return build_.len_w;
    case rtl::CFG_REPEAT_W: return build_.repeat_w;
    case rtl::CFG_DEAD: return static_cast<std::uint32_t>(dead_);
    case rtl::CFG_DEAD + 1: return static_cast<std::uint32_t>(dead_ >> 32);
    case rtl::CFG_DEAD_AFTER: return dead_after_;
    default: break;
  }
  if (address >= rtl::CFG_LOG_LENGTH && address - rtl::CFG_LOG_LENGTH < build_.kind.logs()) {
    return lengths_[address - rtl::CFG_LOG_LENGTH];
  }
  if (address >= rtl::CFG_SHARED && address - rtl::CFG_SHARED < (build_.shared.size() + 1) / 2) {
    const std::size_t i = 2 * std::size_t{address - rtl::CFG_SHARED};
    return build_.shared[i] | (i + 1 < build_.shared.size() ? build_.shared[i + 1] << 16 : 0);
  }
  const std::uint32_t port = address - rtl::CFG_LINK_STAGES;
  if (address >= rtl::CFG_LINK_STAGES && port < build_.stages.size()) return build_.stages[port];
  return build_.kind.adaptive ? read_adaptive(address) : Known{0};
}

Known NodeLife::read_adaptive(std::uint32_t address) const {
  if (address == rtl::CFG_SHIFT) return shift_;
  if (address == rtl::CFG_INITIATOR) return initiator_;
  if (address == rtl::CFG_MESSAGES) return build_.messages;
  const std::uint32_t port = address - rtl::CFG_PARTNER;
  return address >= rtl::CFG_PARTNER && port < partner_.size() ? partner_[port] : 0;
}

std::string NodeLife::text() const {
  return fmt::format("{}, bank {}, {} own words, dead {:#x} after {}", name(life_), bank_,
                     own_words_ ? fmt::format("{}", *own_words_) : "any", dead_, dead_after_);
}

}  // namespace gossamer::test
