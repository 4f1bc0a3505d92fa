#include "axi_life.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gossamer::test {
namespace {

/// Cycles of a node's restart.
constexpr std::uint32_t kRestart = 3;

/// The next word of a stream comes within so many cycles if nothing holds it back.
constexpr unsigned kSendsSoon = 12;

std::string text(const Flit& f) {
  return f.valid ? fmt::format("{:08x}{}", f.data, f.last ? " last" : "") : "nothing";
}

}  // namespace

AxiLife::AxiLife(const AxiBuild& build) : build_(build) {
  for (Node x = 0; x < kAxiNodes; ++x) nodes_.emplace_back(build.node);
  reset();
}

void AxiLife::fail(const std::string& what) {
  if (failure_.empty()) failure_ = fmt::format("cycle {}: {}\n  {}", cycle_, what, text());
}

// ---- A cycle.

std::string AxiLife::cycle(const AxiCycle& c) {
  transfers_ = {};
  start_written_ = abort_written_ = last_written_ = false;
  irq_cleared_ = 0;
  if (c.irq != irq_pin_) fail(c.irq ? "an interrupt" : "no interrupt");
  irq_pin_ = (irq_ & irq_enable_) != 0;
  const bool runs = running();

  // The effects of this cycle that do not depend on its requests.
  const bool starts = phase_ == Phase::Restart && in_phase_ == kRestart;
  const bool restarts = (phase_ == Phase::Restart && in_phase_ == 0) || phase_ == Phase::Abort;
  Command& command = commands_.emplace_back();
  command.phase = phase_;
  command.in_phase = in_phase_;
  command.restart = restarts;
  command.start = starts;
  command.bank = bank_;
  command.program = programs_ >> 4 * place_ & 15;
  if (starts) place_ = place_ == last_program_ ? 0 : place_ + 1;
  if (phase_ == Phase::Abort) place_ = 0;
  reports_.emplace_back();
  if (told().phase == Phase::Send && told().in_phase == 0) send_arrivals();
  observe(c);
  const bool ends = phase_ == Phase::Run && settled() && known().done;
  const bool swaps = pending_ && (ends || !(under_way(phase_) || phase_ == Phase::Shut));
  command.swap = swaps;
  const bool blocks = blocked(), wanted = wanted_, waiting = pending_;
  const std::uint32_t limit = limit_, patience = patience_;
  const bool refuse = refuse_;
  const bool waits =
      (phase_ == Phase::Rest && wanted) || phase_ == Phase::Shut || phase_ == Phase::Send;
  locked_ = under_way(phase_) || phase_ == Phase::Shut || (phase_ == Phase::Send && !settled()) ||
            known().sends;

  if (c.starts != starts) fail(starts ? "no start pulse" : "a start pulse");
  if (c.ends != ends) fail(ends ? "the period does not end" : "a period ends");
  check_links(c);
  check_ready("a write's address", write_.addresses.empty(), c.awready);
  check_ready("a write's data", write_.data.empty(), c.wready);
  check_ready("a read's address", read_.addresses.empty() && read_.answers.empty(), c.arready);
  check_answer("write", write_, c.bvalid, c.bresp, 0, c.bready);
  check_answer("read", read_, c.rvalid, c.rresp, c.rdata, c.rready);
  do_request(c);
  observe(c);  // AXI4-Lite may have asked a node
  const bool pin = c.start && !was_pin_,
             pinned = pin && !runs && !blocks && !(refuse && known().missing) && !start_written_;
  const bool taken = pinned || start_written_;
  if (pin && !pinned) ++missed_;
  was_pin_ = c.start;
  if (restarts && commands_.back().asked) fail("AXI4-Lite asks a node while nodes are restarted");
  move_nodes(c);
  accept(c);

  const bool error = known().error, held = known().holds, missing = known().missing;
  const bool late =
      (phase_ == Phase::Run && settled() && !ends && limit != 0 && cycles_ >= limit) ||
      (waits && known().holder && patience != 0 && held_ >= patience);
  const bool begins = phase_ == Phase::Rest && wanted && !waiting && !blocks && !held && !missing &&
                      !abort_written_;
  const bool sent = phase_ == Phase::Send && settled() && !held;
  const bool opens = phase_ == Phase::Shut && wanted && settled() && !held && !missing;
  const bool shuts = phase_ == Phase::Shut && (!wanted || (settled() && missing));
  const bool aborts = late || (abort_written_ && phase_ != Phase::Rest && phase_ != Phase::Abort);
  const auto& stages = build_.node.stages;
  const bool drained =
      phase_ == Phase::Abort && in_phase_ == 2 * build_.tree + std::ranges::max(stages);
  held_ = waits ? held_ + 1 : 0;
  if (last_written_) wanted_ = false;
  if (taken) {
    wanted_ = true;
    bad_packet_.reset();
    late_.reset();
  }
  if (blocks) wanted_ = false;
  if (sent) wanted_ = repeat_ && !error && !abort_written_ && !blocks;
  if (late) late_ = known().holder;
  if (known().drops && !bad_packet_) bad_packet_ = known().drops;
  if (swaps) {
    bank_ ^= 1;
    pending_ = false;
  }
  raise(ends, error, late, runs);
  count_flits(c, starts);
  if (starts) {
    cycles_ = 1;
  } else if (phase_ == Phase::Run && settled() && !ends) {
    ++cycles_;
  }
  ++in_phase_;
  const auto enter = [this](Phase phase) {
    phase_ = phase;
    in_phase_ = 0;
  };
  if (starts) enter(Phase::Run);
  if (ends) {
    ++periods_;
    enter(Phase::Send);
  }
  if (sent || drained || shuts) enter(Phase::Rest);
  if (begins || opens) {
    enter(begins && build_.tree > 0 ? Phase::Shut : Phase::Restart);
    if (phase_ == Phase::Restart) wanted_ = false;
  }
  if (aborts) enter(Phase::Abort);
  commands_.pop_front();
  reports_.pop_front();
  if (c.reset) reset();
  ++cycle_;
  return failure_;
}

/// What the nodes report now.
void AxiLife::observe(const AxiCycle& c) {
  Report& report = reports_.back();
  report = {.done = true};
  for (Node x = 0; x < kAxiNodes; ++x) {
    const bool sends = sending(c, x), begins = begun(c, x), misses = missing(x);
    report.sends = report.sends || sends;
    report.holds = report.holds || sends || begins;
    report.missing = report.missing || misses;
    report.done = report.done && nodes_[x].done();
    report.error = report.error || nodes_[x].error();
    if (!report.fails && nodes_[x].error()) report.fails = x;
    const bool runs = under_way(told().phase), lacks = misses && told().phase != Phase::Send;
    if (report.holder || !(runs ? !nodes_[x].done() : sends || begins || lacks)) continue;
    report.holder = {x, runs     ? rtl::AXI_UNENDED
                        : sends  ? rtl::AXI_SENDING
                        : begins ? rtl::AXI_BEGUN
                                 : rtl::AXI_NO_PACKET};
  }
}

/// The nodes and their streams do what they have been told.
void AxiLife::move_nodes(const AxiCycle& c) {
  for (Node x = 0; x < kAxiNodes; ++x) {
    if (told().asks(x)) transfers_[x] = told().transfer;
  }
  for (Node x = 0; x < kAxiNodes; ++x) {
    const Streams& s = streams_[x];
    const bool keeps = told().program >> 3 & 1;
    const bool others = build_.node.programs > 1 ? !keeps : s.fresh;
    const bool unset = need(x) == 0 && s.in != In::Full && others;
    stream_in(c, x);
    stream_out(c, x);
    if (!told().restart) continue;
    transfers_[x] = Transfer{true, rtl::CFG_CONTROL,
                             (told().program & 7) << rtl::CONTROL_PROGRAM_LSB |
                                 unsigned{unset} << rtl::CONTROL_NO_WORDS |
                                 unsigned{keeps} << rtl::CONTROL_KEEP | told().bank << 1 | 1};
  }
  for (Node x = 0; x < kAxiNodes; ++x) {
    for (Port p = 0; p < 2; ++p) on_links_[x][p].push_back(c.links[x][p]);
  }
  for (Node x = 0; x < kAxiNodes; ++x) {
    const std::array<Flit, 2> links{on_links_[(x + 1) % kAxiNodes][1].front(),
                                    on_links_[(x + kAxiNodes - 1) % kAxiNodes][0].front()};
    nodes_[x].cycle(
        {.reset = c.reset, .start = told().start, .transfer = transfers_[x], .links = links});
  }
  for (auto& outputs : on_links_) {
    for (auto& link : outputs) link.pop_front();
  }
  if (told().asked && !told().transfer.write && !read_.answers.empty()) {
    read_.answers.front().data = *nodes_[*told().asked].answer();
    read_.answers.front().came = true;
  }
}

/// An interrupt that is raised and cleared in the same cycle stays raised.
void AxiLife::raise(bool ended, bool error, bool late, bool runs) {
  irq_ &= ~irq_cleared_;
  if (ended) irq_ |= 1u << rtl::AXI_IRQ_ENDED;
  if (was_running_ && !runs) irq_ |= 1u << rtl::AXI_IRQ_REST;
  if ((error && !was_error_) || late) irq_ |= 1u << rtl::AXI_IRQ_ERROR;
  was_running_ = runs;
  was_error_ = error;
}

void AxiLife::count_flits(const AxiCycle& c, bool starts) {
  for (const auto& ports : c.links) {
    for (const Flit& flit : ports) reports_.back().flits += flit.valid ? 1 : 0;
  }
  flits_ = starts ? 0 : flits_ + new_flits_[1];
  new_flits_ = {known().flits, new_flits_[0]};
}

void AxiLife::check_links(const AxiCycle& c) {
  for (Node x = 0; x < kAxiNodes; ++x) {
    for (Port p = 0; p < 2; ++p) {
      const auto expected = nodes_[x].link(p);
      Flit seen = c.links[x][p];
      if (!expected) continue;
      if (expected->data == 0) seen.data = 0;  // any
      if (seen == *expected) continue;
      fail(fmt::format("on link {} of node {}: {}, not {}", p, x, test::text(seen),
                       test::text(*expected)));
    }
  }
}

/// Memories keep their contents; the models of the nodes take care of that.
void AxiLife::reset() {
  write_ = read_ = {};
  wrote_last_.reset();
  waited_ = 0;
  open_ = pending_ = bad_length_ = bad_checksum_ = false;
  words_ = length_ = checksum_ = 0;
  crc_ = ~0u;
  phase_ = Phase::Rest;
  in_phase_ = 0;
  wanted_ = repeat_ = false;
  bank_ = periods_ = cycles_ = limit_ = patience_ = held_ = missed_ = 0;
  programs_ = last_program_ = place_ = 0;
  refuse_ = false;
  irq_ = irq_enable_ = 0;
  irq_pin_ = was_running_ = was_error_ = false;
  flits_ = 0;
  new_flits_ = {};
  streams_ = {};
  bad_packet_.reset();
  late_.reset();
  commands_.assign(build_.tree, {});
  reports_.assign(build_.tree, {});
  for (auto& outputs : on_links_) {
    for (Port p = 0; p < 2; ++p) {
      outputs[p].assign(build_.node.stages.empty() ? 0 : build_.node.stages[p], {});
    }
  }
}

// ---- Streams.

/// From the end of a period until everything that arrived has left.
bool AxiLife::sending(const AxiCycle& c, Node x) const {
  return told().phase == Phase::Send && (told().in_phase == 0 || c.sending[x]);
}

/// A packet has begun, or its first word could be taken: the next period waits for its end.
bool AxiLife::begun(const AxiCycle& c, Node x) const {
  const Streams& s = streams_[x];
  const bool takes = s.in == In::Packet && !under_way(told().phase) && !sending(c, x) &&
                     told().phase != Phase::Shut && (any(x) || need(x) != 0);
  return (s.in == In::Packet && s.words > 0) || s.in == In::Number || s.in == In::Dropping ||
         (takes && c.in_valid[x]);
}

/// The tables take words of this node that have not come since the last period.
bool AxiLife::missing(Node x) const {
  const Streams& s = streams_[x];
  const bool came = s.in == In::Full && s.words == need(x) && !told().writes(x, rtl::CFG_OWN_WORDS);
  return need(x) != 0 && !came;
}

void AxiLife::stream_in(const AxiCycle& c, Node x) {
  Streams& s = streams_[x];
  const std::uint32_t need = this->need(x), most = need == 0 ? build_.node.own_depth() : need;
  const bool fits = any(x) || s.words == need;
  const bool asked = told().asks(x) || told().restart,
             free = !under_way(told().phase) && !sending(c, x);
  const bool none = !any(x) && need == 0;
  const bool open = free && ((told().phase != Phase::Shut && !none) || s.words > 0);
  const bool ready =
      s.in == In::Dropping || (s.in == In::Packet && open && (!asked || s.words >= most));
  if (c.in_ready[x] != ready)
    fail(fmt::format("node {} {} a word", x, ready ? "takes no" : "takes"));
  const bool taken = c.in_valid[x] && ready;
  const bool begun = s.in == In::Packet && s.words > 0, dropping = s.in == In::Dropping;
  const bool takes_number = s.in == In::Full || (s.in == In::Packet && !begun && need != 0);
  const auto drop = [this, x] {
    if (!reports_.back().drops) reports_.back().drops = x;
  };
  switch (s.in) {
    case In::Packet:
      if (!taken) break;
      if (s.words >= most) {
        drop();
        s.in = c.in[x].last ? In::Packet : In::Dropping;
        s.words = 0;
        break;
      }
      transfers_[x] = Transfer{true,
                               rtl::CFG_STORE << rtl::CFG_REGION_LSB |
                                   build_.node.kind.own_log() << rtl::CFG_LOG_LSB | s.words,
                               c.in[x].data};
      ++s.words;
      if (!c.in[x].last) break;
      s.in = In::Number;
      if (any(x) || s.words == need) break;
      drop();
      s.in = In::Packet;
      s.words = 0;
      break;
    case In::Number:
      if (asked) break;
      transfers_[x] = Transfer{true, rtl::CFG_OWN_WORDS, s.words};
      s.in = In::Full;
      break;
    case In::Full:
      if (free && fits) break;
      if (free) drop();  // it came for other tables
      s.in = In::Packet;
      s.words = 0;
      break;
    case In::Dropping:
      if (taken && c.in[x].last) s.in = In::Packet;
      break;
  }
  for (std::uint32_t k = 0; k < build_.node.programs; ++k) {
    if (told().writes(x, rtl::AXI_PACKET << rtl::CFG_REGION_LSB | k))
      s.next[k] = told().transfer.data;
  }
  if (told().swap) s.needs = std::exchange(s.next, {});
  const bool begins = told().restart && told().phase != Phase::Abort;
  if (told().swap || begins) s.fresh = told().swap;
  if (takes_number && told().writes(x, rtl::CFG_OWN_WORDS)) {
    s.in = In::Full;
    s.words = told().transfer.data;
  }
  if (told().cancels != x || !(begun || dropping)) return;
  if (begun) drop();
  s.in = In::Packet;
  s.words = 0;
}

/// The nodes are told that the period has ended: collects the words that each is to send.
void AxiLife::send_arrivals() {
  const NodeKind& kind = build_.node.kind;
  for (Node x = 0; x < kAxiNodes; ++x) {
    const std::uint32_t own = *nodes_[x].read(rtl::CFG_OWN_WORDS);
    const std::uint32_t first = kind.own_log() == 0 ? own : 0;
    for (unsigned g = 0; g < kind.logs(); ++g) {
      const std::uint32_t length = *nodes_[x].read(rtl::CFG_LOG_LENGTH + g);
      for (std::uint32_t i = first; i < length; ++i) {
        const std::uint32_t word =
            rtl::CFG_STORE << rtl::CFG_REGION_LSB | g << rtl::CFG_LOG_LSB | i;
        streams_[x].out.push_back({nodes_[x].read(word), g, i + 1 == length});
      }
    }
  }
}

void AxiLife::stream_out(const AxiCycle& c, Node x) {
  Streams& s = streams_[x];
  take_out(c, x);
  if (told().phase != Phase::Abort) return;
  // A word that is offered stays; a word of any value ends its packet.
  const bool cut = s.stands ? !s.stands->last : s.within;
  s.out.resize(s.stands ? 1 : 0);
  if (cut) s.out.push_back({{}, s.port, true});
  s.left = s.out.size();
}

void AxiLife::take_out(const AxiCycle& c, Node x) {
  Streams& s = streams_[x];
  const StreamWord& word = c.out[x];
  const bool may_pause = !s.within || s.unasked < 3;
  const bool asked = told().asks(x);
  s.unasked = asked ? 0 : s.unasked + 1;
  s.silent = asked || c.out_valid[x] || !sending(c, x) ? 0 : s.silent + 1;
  if (s.silent > kSendsSoon) fail(fmt::format("node {} does not send on", x));
  if (c.sending[x] && told().phase != Phase::Send) {
    fail(fmt::format("node {} is about to send", x));
  }
  if (told().phase == Phase::Send && told().in_phase <= 1 && !c.sending[x]) {
    fail(fmt::format("node {} does not begin to send", x));
  }
  if (s.left > 0 && !c.out_valid[x]) fail(fmt::format("node {} does not end its packet", x));
  if (s.out.size() > s.left && !sending(c, x) && told().phase != Phase::Abort) {
    fail(fmt::format("node {} has not sent {} words", x, s.out.size()));
  }
  if (s.stands && (!c.out_valid[x] || !(word == *s.stands))) {
    fail(fmt::format("node {} takes back what it offered", x));
  }
  s.stands.reset();
  if (!c.out_valid[x]) {
    if (!may_pause) fail(fmt::format("node {} pauses within a packet", x));
    return;
  }
  const auto show = [](std::uint32_t data, unsigned port, bool last) {
    return fmt::format("{:08x} of port {}{}", data, port, last ? ", last" : "");
  };
  const std::string shown = show(word.data, word.port, word.last);
  if (s.out.empty()) {
    fail(fmt::format("node {} sends {}, and has nothing to send", x, shown));
    return;
  }
  const auto& next = s.out.front();
  if (!agrees(next.data, word.data) || next.port != word.port || next.last != word.last) {
    fail(fmt::format("node {} sends {}, not {}", x, shown,
                     show(next.data.value_or(0), next.port, next.last)));
  }
  s.port = word.port;
  if (!c.out_ready[x]) {
    s.stands = word;
    return;
  }
  s.within = !next.last;
  s.left -= s.left > 0 ? 1 : 0;
  s.out.pop_front();
}

// ---- As text.

const std::vector<std::string>& AxiLife::states() {
  static const std::vector<std::string> names{"rest",    "asked",  "restart",  "run",  "send",
                                              "rest+",   "asked+", "restart+", "run+", "send+",
                                              "pending", "shut",   "shut+",    "abort"};
  return names;
}

/// The phase, and whether a transaction is open (+), or tables wait while a period runs.
std::size_t AxiLife::state() const {
  if (phase_ == Phase::Run && pending_) return 10;
  if (phase_ == Phase::Shut) return open_ ? 12 : 11;
  if (phase_ == Phase::Abort) return 13;
  const std::size_t phase = phase_ == Phase::Rest ? std::size_t{wanted_} : std::size_t(phase_) + 1;
  return phase + (open_ ? 5 : 0);
}

std::string AxiLife::text() const {
  std::string all = fmt::format("{} for {} cycles, bank {}{}{}, {} words, {} periods",
                                states()[state()], in_phase_, bank_, pending_ ? ", pending" : "",
                                repeat_ ? ", repeat" : "", words_, periods_);
  for (Node x = 0; x < kAxiNodes; ++x) {
    const Streams& s = streams_[x];
    all += fmt::format("\n  node {}: {}; packet of {} words{}, {} words to send", x,
                       nodes_[x].text(), s.words,
                       s.in == In::Number     ? ", its number"
                       : s.in == In::Full     ? ", taken"
                       : s.in == In::Dropping ? ", dropped"
                                              : "",
                       s.out.size());
  }
  return all;
}

}  // namespace gossamer::test
