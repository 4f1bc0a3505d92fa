#include "checks/link_oracle.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "adaptive/adaptive.hpp"
#include "gossamer_constants.hpp"
#include "schedule/members.hpp"
#include "support/job.hpp"

namespace gossamer::tb {
namespace {

/// Flits that come up to so many cycles early or late come at another time than the constants say.
constexpr std::uint64_t kMostShift = 8;

std::string name_of(const Payload& payload, std::uint32_t word) {
  const auto id = payload.identify(word);
  if (!id && payload.adds()) return fmt::format("{:#010x}", word);
  if (!id) return fmt::format("{:#010x}, which nobody sent", word);
  const std::string to = id->message.destination == kNoNode
                             ? ""
                             : fmt::format(" for node {}", id->message.destination);
  const std::string piece =
      payload.cut().pieces() == 1 ? "" : fmt::format("piece {} of ", id->message.piece);
  return fmt::format("flit {} of {}node {}'s message{}", id->index, piece, id->message.origin, to);
}

std::string name_of(const Payload& payload, const Message& m) {
  const std::string piece = payload.cut().pieces() == 1 ? "" : fmt::format("piece {} of ", m.piece);
  return fmt::format("{}message {}", piece, m.origin);
}

}  // namespace

LinkOracle::LinkOracle(const Schedule& schedule, const Timeline& time,
                       const std::vector<std::uint64_t>& sizes, const Payload& payload, Nodes nodes)
    : schedule_(schedule), payload_(payload) {
  const Topology& topology = schedule.topology();
  const Symmetry& symmetry = schedule.symmetry();
  const bool all = nodes == Nodes::All, trivial = symmetry.order() == 1;
  streams_.resize(std::size_t{all ? topology.nodes() : symmetry.classes()} * topology.ports());
  if (adaptive(schedule)) {
    add_adaptive(time);
    return;
  }
  if (reduces(schedule.collective())) sums_.emplace(schedule, payload);
  const auto transfers = schedule.transfers();
  const std::vector<Node> translations = all ? symmetry.elements() : std::vector<Node>{0};
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    stop_if_interrupted();
    if (sizes[i] == 0) continue;
    const std::uint64_t first = time.first_flit(transfers[i].round);
    std::vector<std::uint64_t> at_next;  // by hop: when the first word is on the links behind it
    const bool join = transfers[i].join;
    for (const TransferHop hop : schedule.hops(transfers[i])) {
      const Port port = port_out(topology, hop);
      std::uint64_t begin = first;
      if (join) {
        begin += hop.depth * time.hop(port);
      } else if (hop.before != TransferHop::kNone) {
        begin = at_next[hop.before];
      }
      at_next.push_back(begin + time.hop(port));
      for (const Node shift : translations) {
        const Node tail = !all      ? symmetry.class_of(hop.from)
                          : trivial ? hop.from
                                    : topology.translate(hop.from, shift);
        // One of the translations of the hop begins at the representative.
        const Node moved = all || trivial ? shift : topology.negate(symmetry.shift(hop.from));
        streams_[std::size_t{tail} * topology.ports() + port].push_back(
            {begin, begin + sizes[i], &transfers[i], moved, kNoNode,
             join ? static_cast<std::uint32_t>(at_next.size() - 1) : 0});
      }
    }
  }
  for (auto& link : streams_) {
    std::ranges::sort(link, {}, &Stream::begin);
  }
}

/// The positions of every slot that are filled, by the model of the rounds with the schedule's
/// faults.
void LinkOracle::add_adaptive(const Timeline& time) {
  const Topology& topology = schedule_.topology();
  const Offers offered = offers(schedule_);
  const AdaptiveRun outcome = play(schedule_, offered, schedule_.faults);
  const auto transfers = schedule_.transfers();
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    const auto path = schedule_.path(transfers[i]);
    const Port port = topology.port_to(path[0], path[1]);
    std::uint64_t begin = time.first_flit(transfers[i].round);
    for (const Node origin : offered.at(transfers[i].round, path[0])) {
      const std::uint64_t end = begin + payload_.flits();
      if (outcome.carries(i, origin)) {
        streams_[std::size_t{path[0]} * topology.ports() + port].push_back(
            {begin, end, &transfers[i], 0, origin});
      }
      begin = end;
    }
  }
}

double oracle_bytes(const Schedule& schedule, const FabricImage& image) {
  constexpr double kBytesOfLink = 48, kBytesOfStream = 80;  // in a vector that doubles
  double hops = 0;
  for (const Transfer& t : schedule.transfers()) hops += t.path_size;
  double sums = 0;
  if (reduces(schedule.collective())) sums = PartialSums::bytes(schedule, image.own_words.size());
  return sums + kBytesOfLink * image.topology.nodes() * image.topology.ports() +
         kBytesOfStream * hops * schedule.symmetry().order() / image.copies();
}

const LinkOracle::Stream* LinkOracle::at(Node i, Port p, std::uint64_t cycle) const {
  const auto& link = streams_[std::size_t{i} * schedule_.topology().ports() + p];
  const auto next = std::ranges::upper_bound(link, cycle, {}, &Stream::begin);
  if (next == link.begin() || cycle >= std::prev(next)->end) return nullptr;
  return &*std::prev(next);
}

std::optional<std::uint32_t> LinkOracle::word_at(Node x, Port p, std::uint64_t cycle) const {
  if (p >= schedule_.topology().ports()) return {};
  const Stream* const stream = at(x, p, cycle);
  return stream == nullptr ? std::nullopt : word(*stream, cycle);
}

std::optional<FlitId> LinkOracle::flit_of_sum(Node x, Port p, std::uint64_t cycle,
                                              std::uint32_t word) const {
  const Stream* const stream = at(x, p, cycle);
  if (stream == nullptr) return {};
  const Part there = part(*stream, cycle);
  if (there.sums == nullptr || there.word(cycle) != word) return {};
  return FlitId{there.message, static_cast<std::uint32_t>(cycle - there.begin)};
}

LinkOracle::SumStory LinkOracle::story(Node x, const Stream& stream, std::uint64_t cycle,
                                       std::optional<std::uint32_t> word) const {
  const Part sum = part(stream, cycle);
  const auto flit = static_cast<std::uint32_t>(cycle - sum.begin);
  const std::vector<Node> parts =
      parts_carried(schedule_, *stream.transfer, stream.hop, sum.message);
  SumStory story{fmt::format("flit {} of {}'s sum of {} ({:#010x})", flit, nodes_text(parts),
                             name_of(payload_, sum.message), *sum.word(cycle)),
                 "", sum.begin};
  if (word) story.because = wrong_parts(schedule_, payload_, sum.message, parts, flit, *word);
  const Topology& topology = schedule_.topology();
  for (std::size_t l = 0; l < streams_.size(); ++l) {
    const auto tail = static_cast<Node>(l / topology.ports());
    if (topology.peer(tail, static_cast<Port>(l % topology.ports())).node != x) continue;
    for (const Stream& came : streams_[l]) {
      const MessageList messages = schedule_.messages(*came.transfer);
      if (std::ranges::find(messages, sum.message) != messages.end()) {
        story.since = std::min(story.since, came.begin);
      }
    }
  }
  return story;
}

LinkOracle::Part LinkOracle::part(const Stream& stream, std::uint64_t cycle) const {
  if (stream.transfer->carry == Carry::Everything) return {stream.begin, stream.end};
  if (stream.origin != kNoNode) {
    return {stream.begin, stream.end, payload_.first({stream.origin, kNoNode})};
  }
  const MessageList messages = schedule_.messages(*stream.transfer);
  const ChunkFlits& chunks = payload_.cut();
  std::uint64_t flit = cycle - stream.begin, number = 0;
  if (chunks.equal()) {
    number = flit / chunks.longest().of(0);
    flit %= chunks.longest().of(0);
  } else {
    for (; flit >= payload_.flits(messages[number]); ++number)
      flit -= payload_.flits(messages[number]);
  }
  Message m = messages[number];
  const std::uint64_t begin = cycle - flit, end = begin + payload_.flits(m);
  if (sums_) {
    const std::size_t t = static_cast<std::size_t>(stream.transfer - schedule_.transfers().data());
    const std::uint64_t words = stream.end - stream.begin;
    const std::uint32_t* const sums = sums_->of(t, stream.hop * words + begin - stream.begin);
    return {begin, end, std::nullopt, sums, sums == nullptr, m};
  }
  if (stream.shift != 0) {
    const Topology& topology = schedule_.topology();
    m.origin = topology.translate(m.origin, stream.shift);
    if (m.destination != kNoNode) m.destination = topology.translate(m.destination, stream.shift);
  }
  if (payload_.is_parity(m)) return {begin, end, std::nullopt, payload_.parity().data(), false, m};
  return {begin, end, payload_.first(m)};
}

LinkWatch::LinkWatch(const FabricImage& image, const LinkOracle& oracle, const Payload& payload)
    : image_(image), oracle_(oracle), payload_(payload) {
  const Node nodes = image.topology.nodes();
  const Port ports = image.topology.ports();
  for (Node i = 0; i < nodes; ++i) {
    for (Port p = 0; p < ports; ++p) links_.push_back({oracle.streams(i, p)});
  }
  wanted_.resize(nodes);
  found_.resize(nodes);
  for (auto* by_link : {&number_, &known_, &words_}) by_link->resize(links_.size());
  until_.resize(links_.size());
}

bool LinkWatch::waits(const Fabric& fabric) {
  LinkDifference& d = *result_.difference;
  if (!late_ || fabric.cycle() > d.cycle + kMostShift) return false;
  const Flit flit = fabric.link(late_->node, d.port);
  if (!flit.valid || flit.data != late_->word) return true;
  d.stale = true;
  d.text += fmt::format("; it comes in cycle {}: timing constants stale", fabric.cycle());
  late_.reset();
  return false;
}

void LinkWatch::expect(std::size_t l, std::uint64_t cycle) {
  Link& link = links_[l];
  while (link.begun < link.streams.size() && link.streams[link.begun].begin <= cycle) ++link.begun;
  const auto stream = link.begun == 0 || cycle >= link.streams[link.begun - 1].end
                          ? nullptr
                          : &link.streams[link.begun - 1];
  const std::uint64_t next =
      link.begun < link.streams.size() ? link.streams[link.begun].begin : ~std::uint64_t{0};
  const Port ports = image_.topology.ports();
  const std::uint64_t bit = std::uint64_t{1} << l % ports;
  std::uint64_t& wanted = wanted_[l / ports];
  known_[l] = 0;
  until_[l] = next;
  if (stream == nullptr) {
    wanted &= ~bit;
    return;
  }
  wanted |= bit;
  link.part = oracle_.part(*stream, cycle);
  until_[l] = std::min(next, link.part.end);
  if (link.part.nothing) {
    wanted &= ~bit;
  } else if (link.part.sums != nullptr) {  // each word is one by itself
    known_[l] = ~std::uint32_t{0};
    number_[l] = Payload::number(*link.part.word(cycle)) - static_cast<std::uint32_t>(cycle);
    until_[l] = cycle + 1;
  } else if (link.part.first) {
    known_[l] = ~std::uint32_t{0};
    number_[l] = *link.part.first - static_cast<std::uint32_t>(link.part.begin);
  }
}

/// Most of the time of a comparison is spent here: several links at once, if the processor can.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
[[gnu::target_clones("avx2", "default"), gnu::optimize("O3")]]
#endif
static std::uint32_t
unlike(const std::uint32_t* words, const std::uint32_t* numbers, const std::uint32_t* known,
       std::size_t links, std::uint32_t cycle) {
  std::uint32_t differ = 0;
  for (std::size_t l = 0; l < links; ++l) {
    differ |= (words[l] ^ Payload::word(numbers[l] + cycle)) & known[l];
  }
  return differ;
}

bool LinkWatch::same_words(std::uint64_t cycle) const {
  return unlike(words_.data(), number_.data(), known_.data(), words_.size(),
                static_cast<std::uint32_t>(cycle)) == 0;
}

bool LinkWatch::look(const Fabric& fabric) {
  if (result_.difference) return waits(fabric);
  const std::uint64_t cycle = fabric.cycle();
  const Port ports = image_.topology.ports();
  if (cycle >= next_) {
    next_ = ~std::uint64_t{0};
    for (std::size_t l = 0; l < links_.size(); ++l) {
      if (cycle >= until_[l]) expect(l, cycle);
      next_ = std::min(next_, until_[l]);
    }
  }
  fabric.links(ports, found_, words_);
  if (found_ == wanted_ && same_words(cycle)) {
    result_.compared += links_.size();
    ++result_.cycles;
    return true;
  }
  for (std::size_t l = 0; l < links_.size(); ++l) {  // the first one that differs
    const Node i = static_cast<Node>(l / ports);
    const Port p = static_cast<Port>(l % ports);
    const bool found = (found_[i] >> p & 1) != 0, wanted = (wanted_[i] >> p & 1) != 0;
    const std::uint32_t word = Payload::word(number_[l] + static_cast<std::uint32_t>(cycle));
    ++result_.compared;
    if (found == wanted && ((words_[l] ^ word) & known_[l]) == 0) continue;
    if (!found && oracle_.may_lack()) continue;
    differ(cycle, i, p, found, wanted);
    return late_.has_value();
  }
  ++result_.cycles;
  return true;
}

void LinkWatch::differ(std::uint64_t cycle, Node i, Port p, bool found_one, bool scheduled) {
  const std::size_t l = std::size_t{i} * image_.topology.ports() + p;
  const Flit flit{.valid = found_one, .data = words_[l]};
  std::optional<std::uint32_t> word;
  if (known_[l] != 0) word = Payload::word(number_[l] + static_cast<std::uint32_t>(cycle));
  const Node x = image_.node_of(i);
  const Topology& all = image_.quotient ? image_.quotient->all() : image_.topology;
  const Endpoint to = all.peer(x, p);
  const LinkOracle::Stream* const stream = oracle_.at(i, p, cycle);
  const bool unheld = stream != nullptr && oracle_.part(*stream, cycle).nothing;
  LinkOracle::SumStory sum{"", "", cycle};
  if (scheduled && word && payload_.adds()) {
    sum = oracle_.story(x, *stream, cycle, found_one ? std::optional(words_[l]) : std::nullopt);
  }
  const std::string wanted = unheld                   ? "a part of the sum"
                             : !sum.should_be.empty() ? sum.should_be
                             : !scheduled             ? "nothing"
                             : word                   ? name_of(payload_, *word)
                                                      : "a flit";
  std::string found = flit.valid ? name_of(payload_, flit.data) : "nothing";
  if (unheld) found += ", which nobody sent";
  result_.difference = LinkDifference{
      cycle,
      x,
      p,
      fmt::format("first difference: cycle {}, link {}-{}: {} where {} should be{}", cycle, x,
                  to.connected() ? std::to_string(to.node) : "nowhere", found, wanted, sum.because),
      false,
      sum.since};
  if (word && !flit.valid) late_ = {i, *word};
  for (std::uint64_t early = 1; flit.valid && !scheduled && early <= kMostShift; ++early) {
    const LinkOracle::Stream* const next = oracle_.at(i, p, cycle + early);
    if (next == nullptr || oracle_.word(*next, cycle + early) != flit.data) continue;
    result_.difference->stale = true;
    result_.difference->text +=
        fmt::format("; it should come in cycle {}: timing constants stale", cycle + early);
  }
}

LinkComparison compare_links(Fabric& fabric, const FabricImage& image, const LinkOracle& oracle,
                             const Payload& payload, std::uint64_t limit) {
  LinkWatch watch(image, oracle, payload);
  if (fabric.cycle() <= limit && watch.look(fabric)) {
    fabric.run_and_look(limit - fabric.cycle(), [&] {
      stop_if_interrupted();
      return watch.look(fabric);
    });
  }
  return watch.result();
}

}  // namespace gossamer::tb
