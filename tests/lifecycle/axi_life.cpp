#include "axi_life.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gossamer::test {
namespace {

enum : unsigned { kOkay = 0, kSlverr = 2 };

/// Cycles of a node's restart.
constexpr std::uint32_t kRestart = 3;

/// An answer, or the next word of a stream, comes within so many cycles if nothing holds it back.
constexpr unsigned kSoon = 4, kSendsSoon = 12;

std::uint32_t crc_step(std::uint32_t crc, std::uint32_t word) {
  crc ^= word;
  for (int b = 0; b < 32; ++b) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
  return crc;
}

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
  const std::uint32_t need = this->need(x), most = need == 0 ? build_.node.capacity : need;
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

// ---- AXI4-Lite: requests and answers.

void AxiLife::check_answer(const char* what, Direction& d, bool valid, unsigned response,
                           std::uint32_t data, bool ready) {
  if (!valid) {
    if (d.shown) fail(fmt::format("the answer to a {} is withdrawn", what));
    const unsigned soon = kSoon + (&d == &read_ ? 2 * build_.tree : 0);
    if (!d.answers.empty() && cycle_ > d.done + soon) fail(fmt::format("no answer to a {}", what));
    return;
  }
  if (d.answers.empty()) {
    fail(fmt::format("an answer to no {}", what));
    return;
  }
  const Answer& answer = d.answers.front();
  if (!answer.came) fail(fmt::format("an answer to a {} that no node has given", what));
  if (response != answer.response || !agrees(answer.data, data)) {
    fail(fmt::format("a {} is answered with {}, {:#x}, not {}, {:#x}", what, response, data,
                     answer.response, answer.data.value_or(0)));
  }
  d.shown = !ready;
  if (!ready) return;
  if (d.answers.size() == kMostAnswers) full_until_ = cycle_;
  d.answers.pop_front();
  if (&d == &read_) answered_ = cycle_;
}

void AxiLife::check_ready(const char* what, bool must, bool ready) {
  if (must && !ready) fail(fmt::format("{} waits for nothing", what));
}

/// The request that is done in this cycle, if any.
void AxiLife::do_request(const AxiCycle& c) {
  const bool write = !write_.addresses.empty() && !write_.data.empty();
  const bool read = !read_.addresses.empty();
  const bool free = write_.answers.empty() && read_.answers.empty();
  if (!c.writes && !c.reads) {
    const bool restarts = commands_.back().restart;
    waited_ = (write || read) && free && !restarts ? waited_ + 1 : 0;
    if (waited_ > kSoon) fail("a request is not done");
    return;
  }
  waited_ = 0;
  if (!read_.answers.empty()) fail("a request is done before the last read was answered");
  if (c.writes && write_.answers.size() == kMostAnswers) fail("too many answers wait");
  if (c.writes ? !write : !read) {
    fail(fmt::format("a {} that nobody asked for", c.writes ? "write" : "read"));
    return;
  }
  // If the other kind was not served last, it must not have waited when this one could be chosen.
  Direction& d = c.writes ? write_ : read_;
  const std::uint64_t chosen = std::max(read_.came, answered_);
  const bool other_waits = c.writes ? read && read_.came < write_.came
                                    : write && std::max(write_.came, full_until_) <= chosen &&
                                          write_.answers.size() < kMostAnswers;
  if (wrote_last_ == c.writes && other_waits) fail("reads and writes do not take turns");
  wrote_last_ = c.writes;

  d.state = state();
  d.done = cycle_;
  const std::uint32_t address = d.addresses.front();
  d.addresses.pop_front();
  if (c.writes) {
    const auto [data, strobes] = d.data.front();
    d.data.pop_front();
    d.answers.push_back({this->write(address, data, strobes)});
  } else {
    d.answers.push_back(this->read(address));
  }
  d.came = cycle_;
}

/// What the fabric takes at the clock's edge.
void AxiLife::accept(const AxiCycle& c) {
  const bool address = c.awvalid && c.awready, data = c.wvalid && c.wready;
  if (address) write_.addresses.push_back(c.awaddr);
  if (data) write_.data.emplace_back(c.wdata, c.wstrb);
  if ((address && write_.addresses.size() == 1) || (data && write_.data.size() == 1)) {
    write_.came = cycle_;
  }
  if (!c.arvalid || !c.arready) return;
  read_.addresses.push_back(c.araddr);
  if (read_.addresses.size() == 1) read_.came = cycle_;
}

// ---- Addresses.

AxiLife::Place AxiLife::place(std::uint32_t address) const {
  const auto take = [&address](unsigned bits) {
    const std::uint32_t field = address & ((1u << bits) - 1);
    address >>= bits;
    return field;
  };
  Place p;
  p.aligned = take(2) == 0;
  p.index = take(build_.index_w);
  p.part = take(rtl::AXI_PART_W);
  p.region = take(rtl::AXI_REGION_W);
  p.node = address;
  p.all = p.region == rtl::AXI_ALL_SLOTS || p.region == rtl::AXI_ALL_LISTS ||
          p.region == rtl::AXI_ALL_PACKETS;
  if (p.all) p.region &= 7;
  p.flat = p.part << build_.index_w | p.index;
  return p;
}

/// Can the word in which this address lies be read now?
bool AxiLife::readable(const Place& p) const {
  const NodeBuild& node = build_.node;
  if (p.region == rtl::AXI_CONTROL) return p.node == 0 && p.flat < rtl::AXI_REGISTERS;
  if (p.node >= kAxiNodes) return false;
  if (p.region == rtl::CFG_REGISTERS) {
    return (p.flat >= rtl::CFG_STATUS && p.flat <= rtl::CFG_DEAD_AFTER) ||
           (p.flat >= rtl::CFG_LOG_LENGTH && p.flat - rtl::CFG_LOG_LENGTH < node.kind.logs()) ||
           (p.flat >= rtl::CFG_LINK_STAGES && p.flat - rtl::CFG_LINK_STAGES < node.kind.ports);
  }
  return p.region == rtl::CFG_STORE && !locked_ && p.part < node.stored_logs() &&
         p.index < node.capacity;
}

/// Can something be written here now?
bool AxiLife::writable(const Place& p) const {
  const NodeBuild& node = build_.node;
  if (!p.aligned) return false;
  if (p.region == rtl::AXI_CONTROL) {
    return p.node == 0 &&
           (p.flat == rtl::AXI_RUN || (p.flat >= rtl::AXI_BEGIN && p.flat < rtl::AXI_COMMIT) ||
            (p.flat == rtl::AXI_COMMIT && open_ && !pending_) || p.flat == rtl::AXI_IRQ ||
            p.flat == rtl::AXI_IRQ_ENABLE || p.flat == rtl::AXI_LIMIT ||
            p.flat == rtl::AXI_CANCEL || p.flat == rtl::AXI_PATIENCE || p.flat == rtl::AXI_REFUSE ||
            p.flat == rtl::AXI_PROGRAMS || p.flat == rtl::AXI_LAST_PROGRAM);
  }
  if (p.node >= (p.all ? 1 : kAxiNodes)) return false;
  switch (p.region) {
    case rtl::CFG_REGISTERS:
      return !locked_ && (p.flat == rtl::CFG_OWN_WORDS ||
                          (p.flat >= rtl::CFG_DEAD && p.flat <= rtl::CFG_DEAD_AFTER));
    case rtl::AXI_PACKET: return open_ && !pending_ && p.flat < build_.node.programs;
    case rtl::CFG_STORE:
      return !locked_ && p.part == node.kind.own_log() && p.index < node.capacity;
    case rtl::CFG_SLOTS:
      return open_ && !pending_ && p.flat >> rtl::CFG_SLOT_LSB < node.slot_depth &&
             p.flat % (1u << rtl::CFG_SLOT_LSB) < node.slot_words();
    case rtl::CFG_LISTS:
      return open_ && !pending_ && p.part < node.kind.channels &&
             p.index >> rtl::CFG_SEG_LSB < node.list_depth;
    default: return false;
  }
}

/// Does the register accept the value?
bool AxiLife::fits(const Place& p, std::uint32_t data) const {
  if (p.region == rtl::AXI_PACKET) return data <= build_.node.capacity;
  if (p.region != rtl::CFG_REGISTERS) return true;
  if (p.flat == rtl::CFG_OWN_WORDS) return data <= build_.node.capacity;
  return p.flat != rtl::CFG_DEAD_AFTER || data >> build_.node.repeat_w == 0;
}

/// The same on the node's configuration port.
std::uint32_t AxiLife::node_address(const Place& p) const {
  const std::uint32_t region = p.region << rtl::CFG_REGION_LSB;
  const std::uint32_t parted = region | p.part << rtl::CFG_LOG_LSB | p.index;
  const std::uint32_t other_bank = (bank_ ^ 1) << rtl::CFG_BANK_LSB;
  switch (p.region) {
    case rtl::CFG_SLOTS: return other_bank | region | p.flat;
    case rtl::CFG_LISTS: return other_bank | parted;
    case rtl::CFG_STORE: return parted;
    default: return region | p.flat;
  }
}

// ---- Writes.

unsigned AxiLife::write(std::uint32_t address, std::uint32_t data, unsigned strobes) {
  const Place p = place(address);
  if (!writable(p)) return kSlverr;
  if (strobes == 0) return kOkay;  // writes nothing
  if (strobes != 0xf || !fits(p, data)) return kSlverr;
  if (p.region == rtl::AXI_CONTROL) return write_control(p.flat, data);
  commands_.back().asked = p.node;
  commands_.back().all = p.all;
  commands_.back().transfer = {true, node_address(p), data};
  if (p.region == rtl::CFG_SLOTS || p.region == rtl::CFG_LISTS || p.region == rtl::AXI_PACKET) {
    ++words_;
    crc_ = crc_step(crc_step(crc_, address), data);
  }
  return kOkay;
}

unsigned AxiLife::write_control(std::uint32_t reg, std::uint32_t data) {
  switch (reg) {
    case rtl::AXI_RUN:
      if ((data & 1) != 0 && (data >> rtl::AXI_ABORT & 1) == 0) {
        if (busy()) return kSlverr;
        start_written_ = true;
      }
      repeat_ = data >> 1 & 1;
      abort_written_ = data >> rtl::AXI_ABORT & 1;
      last_written_ = abort_written_ || !repeat_;
      return kOkay;
    case rtl::AXI_BEGIN:
      open_ = true;
      bad_length_ = bad_checksum_ = false;
      words_ = 0;
      crc_ = ~0u;
      return kOkay;
    case rtl::AXI_LENGTH: length_ = data; return kOkay;
    case rtl::AXI_CHECKSUM: checksum_ = data; return kOkay;
    case rtl::AXI_IRQ: irq_cleared_ = data; return kOkay;
    case rtl::AXI_LIMIT: limit_ = data; return kOkay;
    case rtl::AXI_PATIENCE: patience_ = data; return kOkay;
    case rtl::AXI_REFUSE: refuse_ = data & 1; return kOkay;
    case rtl::AXI_PROGRAMS:
    case rtl::AXI_LAST_PROGRAM:
      if (build_.node.programs == 1) return kOkay;
      (reg == rtl::AXI_PROGRAMS ? programs_ : last_program_) =
          reg == rtl::AXI_PROGRAMS ? data : data & 7;
      place_ = 0;
      return kOkay;
    case rtl::AXI_CANCEL:
      if (data >= kAxiNodes) return kSlverr;
      commands_.back().cancels = data;
      return kOkay;
    case rtl::AXI_IRQ_ENABLE: irq_enable_ = data & ((1u << rtl::AXI_IRQS) - 1); return kOkay;
    default:  // AXI_COMMIT
      if (!open_ || pending_) return kSlverr;
      bad_length_ = words_ != length_;
      bad_checksum_ = ~crc_ != checksum_;
      if (bad_length_ || bad_checksum_) return kSlverr;
      open_ = false;
      pending_ = true;
      return kOkay;
  }
}

// ---- Reads.

AxiLife::Answer AxiLife::read(std::uint32_t address) {
  const Place p = place(address);
  if (!readable(p)) return {kSlverr, 0};
  if (p.region == rtl::AXI_CONTROL) return {kOkay, read_control(p.flat)};
  commands_.back().asked = p.node;
  commands_.back().transfer = {false, node_address(p), 0};
  return {kOkay, 0, false};  // the data follow when the node has answered
}

std::uint32_t AxiLife::read_control(std::uint32_t reg) const {
  switch (reg) {
    case rtl::AXI_STATUS: {
      const auto bit = [](unsigned at, bool value) { return std::uint32_t{value} << at; };
      return bit(rtl::AXI_RUNNING, running()) | bit(rtl::AXI_ERROR, known().error) |
             bit(rtl::AXI_PENDING, pending_) | bit(rtl::AXI_BAD_LENGTH, bad_length_) |
             bit(rtl::AXI_BAD_CHECKSUM, bad_checksum_) | bit(rtl::AXI_BANK, bank_ != 0) |
             bit(rtl::AXI_BAD_PACKET, bad_packet_.has_value()) |
             bit(rtl::AXI_LATE, late_.has_value()) |
             (late_ ? late_->bits() : bad_packet_.value_or(0) << rtl::AXI_BAD_NODE);
    }
    case rtl::AXI_PERIODS: return periods_;
    case rtl::AXI_LENGTH: return words_;
    case rtl::AXI_CHECKSUM: return ~crc_;
    case rtl::AXI_NODES: return kAxiNodes;
    case rtl::AXI_IRQ: return irq_;
    case rtl::AXI_IRQ_ENABLE: return irq_enable_;
    case rtl::AXI_CYCLES: return cycles_;
    case rtl::AXI_FLITS: return flits_;
    case rtl::AXI_DIMS: return 1;
    case rtl::AXI_INDEX_BITS: return build_.index_w;
    case rtl::AXI_TREE: return build_.tree;
    case rtl::AXI_LIMIT: return limit_;
    case rtl::AXI_FAILED: return known().fails.value_or(0);
    case rtl::AXI_PATIENCE: return patience_;
    case rtl::AXI_REFUSE: return refuse_;
    case rtl::AXI_HOLDER: return known().holder ? known().holder->bits() : 0;
    case rtl::AXI_MISSED: return missed_;
    case rtl::AXI_PROGRAMS: return programs_;
    case rtl::AXI_LAST_PROGRAM: return last_program_;
    case rtl::AXI_RADIX: return kAxiNodes | 1u << rtl::AXI_RING;
    default: return 0;
  }
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
