#include "import/msccl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "import/msccl_program.hpp"
#include "support/interrupt.hpp"

namespace gossamer {
namespace {

using namespace msccl;

/// A step by its number among all, in the order of ranks and threadblocks.
using StepId = std::uint32_t;
using BlockId = std::uint32_t;

struct BlockInfo {
  Node rank = 0;
  const Block* block = nullptr;
  StepId first = 0;
  StepId end() const { return first + static_cast<StepId>(block->steps.size()); }
};

/// The steps of a program, and which of them must come before which others.
class Order {
 public:
  Order(const Program& program, const std::string& file) : file_(file) {
    for (Node x = 0; x < program.ranks.size(); ++x) {
      first_block_.push_back(static_cast<BlockId>(blocks_.size()));
      for (const Block& block : program.ranks[x].blocks) {
        blocks_.push_back({x, &block, static_cast<StepId>(steps_.size())});
        for (const Step& step : block.steps) steps_.push_back(&step);
      }
    }
    connect();
    find_chains();
  }

  const std::vector<BlockInfo>& blocks() const { return blocks_; }
  std::size_t steps() const { return steps_.size(); }
  const Step& step(StepId s) const { return *steps_[s]; }
  /// The threadblock at the other end of the connection on which a block sends.
  BlockId receiver(BlockId b) const { return receiver_[b]; }
  /// The step for which `s` of block `b` waits.
  std::optional<StepId> awaited(BlockId b, StepId s) const {
    if (steps_[s]->after_block == kNone) return std::nullopt;
    return blocks_[first_block_[blocks_[b].rank] + steps_[s]->after_block].first +
           steps_[s]->after_step;
  }
  BlockId block_of_awaited(BlockId b, StepId s) const {
    return first_block_[blocks_[b].rank] + steps_[s]->after_block;
  }
  /// How many messages are sent one after the other from this step to the last that needs it.
  std::uint64_t chain(StepId s) const { return chain_[s]; }

 private:
  [[noreturn]] void wrong(StepId s, const std::string& why) const {
    fail(file_, steps_[s]->line, why);
  }

  /// Pairs the ends of connections, and what is sent with what is received.
  void connect() {
    using Connection = std::tuple<Node, Node, std::uint32_t>;
    struct Ends {
      BlockId sender = kNone, receiver = kNone;
    };
    std::map<Connection, Ends> connections;
    const auto take = [&](BlockId& end, BlockId b, Node from, Node to) {
      if (end != kNone) {
        fail(file_, blocks_[b].block->line,
             fmt::format("another tb has this end of the connection from {} to {} on channel {}",
                         from, to, blocks_[b].block->channel));
      }
      end = b;
    };
    receiver_.assign(blocks_.size(), kNone);
    for (BlockId b = 0; b < blocks_.size(); ++b) {
      const Node rank = blocks_[b].rank;
      const Block& block = *blocks_[b].block;
      if (!of(b, sends).empty()) {
        take(connections[{rank, block.to, block.channel}].sender, b, rank, block.to);
      }
      if (!of(b, receives).empty()) {
        take(connections[{block.from, rank, block.channel}].receiver, b, block.from, rank);
      }
    }
    partner_.assign(steps_.size(), kNone);
    for (const auto& [connection, ends] : connections) {
      const auto sent = of(ends.sender, sends), received = of(ends.receiver, receives);
      const auto& [from, to, channel] = connection;
      for (std::size_t i = 0; i < std::max(sent.size(), received.size()); ++i) {
        if (i >= received.size()) wrong(sent[i], fmt::format("gpu {} does not receive it", to));
        if (i >= sent.size()) wrong(received[i], fmt::format("gpu {} does not send it", from));
        if (steps_[sent[i]]->count != steps_[received[i]]->count) {
          wrong(received[i], fmt::format("it receives another cnt than gpu {} sends in line {}",
                                         from, steps_[sent[i]]->line));
        }
        partner_[sent[i]] = received[i];
      }
      if (ends.sender != kNone) receiver_[ends.sender] = ends.receiver;
    }
  }

  std::vector<StepId> of(BlockId b, bool (*does)(Does)) const {
    std::vector<StepId> found;
    if (b == kNone) return found;
    for (StepId s = blocks_[b].first; s < blocks_[b].end(); ++s) {
      if (does(steps_[s]->does)) found.push_back(s);
    }
    return found;
  }

  void find_chains() {
    std::vector<std::vector<StepId>> next(steps_.size());
    std::vector<std::uint32_t> open(steps_.size(), 0);
    const auto arrow = [&](StepId before, StepId after) {
      next[before].push_back(after);
      ++open[after];
    };
    for (BlockId b = 0; b < blocks_.size(); ++b) {
      for (StepId s = blocks_[b].first; s < blocks_[b].end(); ++s) {
        if (s > blocks_[b].first) arrow(s - 1, s);
        if (const auto before = awaited(b, s)) arrow(*before, s);
        if (partner_[s] != kNone) arrow(s, partner_[s]);
      }
    }
    std::vector<StepId> order;
    for (StepId s = 0; s < steps_.size(); ++s) {
      if (open[s] == 0) order.push_back(s);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (const StepId after : next[order[i]]) {
        if (--open[after] == 0) order.push_back(after);
      }
    }
    if (order.size() < steps_.size()) refuse_cycle(next, open);
    chain_.assign(steps_.size(), 0);
    for (auto s = order.rbegin(); s != order.rend(); ++s) {
      for (const StepId after : next[*s]) chain_[*s] = std::max(chain_[*s], chain_[after]);
      if (sends(steps_[*s]->does)) chain_[*s] += steps_[*s]->count;
    }
  }

  /// Names a step that waits for itself: back from one that waits, until one comes again.
  [[noreturn]] void refuse_cycle(const std::vector<std::vector<StepId>>& next,
                                 const std::vector<std::uint32_t>& open) const {
    std::vector<StepId> before(steps_.size(), kNone);
    StepId s = kNone;
    for (StepId a = 0; a < steps_.size(); ++a) {
      if (open[a] == 0) continue;
      s = std::min(s, a);
      for (const StepId after : next[a]) before[after] = a;
    }
    std::vector<bool> seen(steps_.size(), false);
    for (; !seen[s]; s = before[s]) seen[s] = true;
    wrong(s, fmt::format("it waits for itself, by way of line {}", steps_[before[s]]->line));
  }

  const std::string& file_;
  std::vector<BlockInfo> blocks_;
  std::vector<const Step*> steps_;
  std::vector<BlockId> first_block_;  ///< of each rank
  std::vector<BlockId> receiver_;
  std::vector<StepId> partner_;  ///< of a step that sends: the one that receives it
  std::vector<std::uint64_t> chain_;
};

/// What a model lets nodes do at once in a round.
class Round {
 public:
  explicit Round(const Model& model) : model_(model) {}

  bool claim(Node from, Node to) {
    std::uint64_t a = 0, b = 0;
    const bool half = model_.duplex == Duplex::Half;
    if (model_.ports == PortModel::All) {
      const auto [least, most] = std::minmax(from, to);
      a = b = half ? pair(least, most) : pair(from, to);
    } else {
      a = pair(0, from);
      b = pair(half ? 0 : 1, to);
    }
    if (busy_.contains(a) || busy_.contains(b)) return false;
    busy_.insert({a, b});
    return true;
  }
  void clear() { busy_.clear(); }

 private:
  static std::uint64_t pair(Node a, Node b) { return std::uint64_t{a} << 32 | b; }

  Model model_;
  std::unordered_set<std::uint64_t> busy_;
};

/// First in, first out.
class Queue {
 public:
  void push(const Message& m) { all_.push_back(m); }
  void pop() { ++taken_; }
  const Message& front() const { return all_[taken_]; }
  std::size_t size() const { return all_.size() - taken_; }

 private:
  std::vector<Message> all_;
  std::size_t taken_ = 0;
};

/// Plays a program round by round.
class Player {
 public:
  Player(const Program& program, const Order& order, const std::string& file, Schedule& schedule)
      : program_(program),
        order_(order),
        file_(file),
        schedule_(schedule),
        free_(schedule.model()),
        next_(order.blocks().size()),
        moved_(order.blocks().size(), 0),
        arrived_(order.blocks().size()),
        waiting_(order.blocks().size()),
        wants_to_send_(order.blocks().size(), false),
        ended_(order.steps(), false) {
    for (BlockId b = 0; b < next_.size(); ++b) {
      next_[b] = order.blocks()[b].first;
      ready_.push_back(b);
    }
  }

  void play() {
    for (std::uint32_t round = 1;; ++round) {
      stop_if_interrupted();
      while (!ready_.empty()) {
        const BlockId b = ready_.back();
        ready_.pop_back();
        go_on(b);
      }
      if (sending_.empty()) break;
      send(round);
    }
    check_outputs();
  }

 private:
  struct Content {
    Message message;
    std::uint32_t line = 0;  ///< of the step that put it there
  };

  std::uint64_t key(Node x, Place p) const {
    if (program_.in_place && p.buffer == 'i') {
      p.buffer = 'o';
      if (program_.collective == Collective::Gossip) p.offset += x;
    }
    const std::uint64_t buffer = p.buffer == 'i' ? 0 : p.buffer == 'o' ? 1 : 2;
    return std::uint64_t{x} << 34 | buffer << 32 | p.offset;
  }

  /// What a rank starts with.
  std::optional<Message> input(Node x, std::uint64_t k) const {
    const bool gossip = program_.collective == Collective::Gossip;
    const std::uint64_t begin = key(x, {'i', 0});
    if (k < begin || k - begin >= (gossip ? 1 : program_.ranks.size())) return std::nullopt;
    return Message{x, gossip ? kNoNode : static_cast<Node>(k - begin)};
  }

  Message read(Node x, Place p, std::uint32_t i, const Step& step) const {
    p.offset += i;
    const std::uint64_t k = key(x, p);
    if (const auto found = places_.find(k); found != places_.end()) return found->second.message;
    if (const auto message = input(x, k)) return *message;
    fail(file_, step.line,
         fmt::format("nothing is there when the step may take place: gpu {} reads chunk {} of "
                     "buffer {}",
                     x, p.offset, p.buffer));
  }

  void write(Node x, Place p, std::uint32_t i, const Message& message, const Step& step) {
    p.offset += i;
    places_[key(x, p)] = {message, step.line};
  }

  /// Does what takes no time, until the threadblock waits, or has something to send.
  void go_on(BlockId b) {
    const BlockInfo& info = order_.blocks()[b];
    if (wants_to_send_[b]) return;
    for (; next_[b] < info.end(); end_step(b)) {
      const Step& step = order_.step(next_[b]);
      if (const auto before = order_.awaited(b, next_[b]); before && !ended_[*before]) {
        waiting_[order_.block_of_awaited(b, next_[b])].push_back(b);
        return;
      }
      if (receives(step.does)) {
        if (arrived_[b].size() < step.count) return;
        receive(b, step);
      }
      if (sends(step.does)) {
        wants_to_send_[b] = true;
        sending_.push_back(b);
        return;
      }
      if (step.does == Does::Copy) copy(info.rank, step);
    }
  }
  void receive(BlockId b, const Step& step) {
    for (std::uint32_t i = 0; i < step.count; ++i) {
      write(order_.blocks()[b].rank, step.destination, i, arrived_[b].front(), step);
      arrived_[b].pop();
    }
  }
  void copy(Node x, const Step& step) {
    std::vector<Message> all;
    for (std::uint32_t i = 0; i < step.count; ++i) all.push_back(read(x, step.source, i, step));
    for (std::uint32_t i = 0; i < step.count; ++i) write(x, step.destination, i, all[i], step);
  }
  void end_step(BlockId b) {
    ended_[next_[b]++] = true;
    ready_.insert(ready_.end(), waiting_[b].begin(), waiting_[b].end());
    waiting_[b].clear();
  }

  void send(std::uint32_t round) {
    free_.clear();
    std::ranges::sort(sending_, [&](BlockId a, BlockId b) {
      const auto left = [&](BlockId c) { return order_.chain(next_[c]) - moved_[c]; };
      return left(a) != left(b) ? left(a) > left(b) : a < b;
    });
    std::vector<BlockId> later;
    std::vector<std::pair<BlockId, Message>> arrivals;
    std::vector<BlockId> ended;
    for (const BlockId b : sending_) {
      const BlockInfo& info = order_.blocks()[b];
      if (!free_.claim(info.rank, info.block->to)) {
        later.push_back(b);
        continue;
      }
      const Step& step = order_.step(next_[b]);
      const Place from = step.does == Does::Send ? step.source : step.destination;
      const Message message = read(info.rank, from, moved_[b], step);
      const Node path[] = {info.rank, info.block->to};
      schedule_.add(round, path, {&message, 1}, step.line);
      arrivals.emplace_back(order_.receiver(b), message);
      if (++moved_[b] < step.count) {
        later.push_back(b);
      } else {
        ended.push_back(b);
      }
    }
    sending_ = std::move(later);
    for (const auto& [b, message] : arrivals) {
      arrived_[b].push(message);
      ready_.push_back(b);
    }
    for (const BlockId b : ended) {
      moved_[b] = 0;
      wants_to_send_[b] = false;
      end_step(b);
      ready_.push_back(b);
    }
  }

  /// Every message must be in its place; that it is there at all is the checker's business, too,
  /// but a rank's own is not.
  void check_outputs() const {
    const bool gossip = program_.collective == Collective::Gossip;
    for (Node x = 0; x < program_.ranks.size(); ++x) {
      for (Node m = 0; m < program_.ranks.size(); ++m) {
        const std::uint64_t k = key(x, {'o', m});
        const Message right{m, gossip ? kNoNode : x};
        const auto found = places_.find(k);
        if (found == places_.end()) {
          if (input(x, k) == right) continue;
          fail(file_, program_.ranks[x].line,
               fmt::format("output chunk {} of gpu {} is never written", m, x));
        }
        const Message& is = found->second.message;
        if (is == right) continue;
        fail(file_, found->second.line,
             fmt::format("it puts {} into output chunk {} of gpu {}, where {} belongs", name(is), m,
                         x, name(right)));
      }
    }
  }
  static std::string name(const Message& m) {
    if (m.destination == kNoNode) return fmt::format("the message of {}", m.origin);
    return fmt::format("the message from {} to {}", m.origin, m.destination);
  }

  const Program& program_;
  const Order& order_;
  const std::string& file_;
  Schedule& schedule_;
  Round free_;
  std::vector<StepId> next_;                   ///< of each threadblock
  std::vector<std::uint32_t> moved_;           ///< messages that its open step has sent
  std::vector<Queue> arrived_;                 ///< at its end of a connection
  std::vector<std::vector<BlockId>> waiting_;  ///< for steps of each threadblock
  std::vector<bool> wants_to_send_;
  std::vector<bool> ended_;       ///< of each step
  std::vector<BlockId> ready_;    ///< may go on
  std::vector<BlockId> sending_;  ///< want to send in the next round
  std::unordered_map<std::uint64_t, Content> places_;
};

}  // namespace

Schedule read_msccl_xml(const std::string& text, const std::string& file, const Topology& topology,
                        const Model& model) {
  const Program program = read_program(text, file, topology.nodes());
  const Order order(program, file);
  Schedule schedule(topology, program.collective, model);
  Player(program, order, file, schedule).play();
  return schedule;
}

}  // namespace gossamer
