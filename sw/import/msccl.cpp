#include "import/msccl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
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
  /// How many chunks are sent one after the other from this step to the last that needs it.
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

/// A part of a message, by its number.
struct Chunk {
  Message message;
  std::uint32_t part = 0;
  auto operator<=>(const Chunk&) const = default;
};

/// What a model lets nodes do at once in a round, with each part of a message: the parts of one
/// message go together, and if the model combines, so do all messages of a link.
class Round {
 public:
  explicit Round(const Model& model) : model_(model) {}

  bool claim(Node from, Node to, std::uint32_t part) {
    std::uint64_t a = 0, b = 0;
    const bool half = model_.duplex == Duplex::Half;
    if (model_.ports == PortModel::All) {
      const auto [least, most] = std::minmax(from, to);
      a = b = half ? pair(least, most) : pair(from, to);
    } else {
      a = pair(0, from);
      b = pair(half ? 0 : 1, to);
    }
    if (model_.combining) part = 0;
    const std::uint64_t link = pair(from, to);
    if (!is_free({a, part}, link) || !is_free({b, part}, link)) return false;
    busy_[{a, part}] = busy_[{b, part}] = link;
    return true;
  }
  void clear() { busy_.clear(); }

 private:
  using Resource = std::pair<std::uint64_t, std::uint32_t>;

  bool is_free(const Resource& resource, std::uint64_t link) const {
    const auto used = busy_.find(resource);
    return used == busy_.end() || (model_.combining && used->second == link);
  }
  static std::uint64_t pair(Node a, Node b) { return std::uint64_t{a} << 32 | b; }

  Model model_;
  std::map<Resource, std::uint64_t> busy_;  ///< by which link
};

/// First in, first out.
class Queue {
 public:
  void push(const Chunk& c) { all_.push_back(c); }
  void pop() { ++taken_; }
  const Chunk& front() const { return all_[taken_]; }
  std::size_t size() const { return all_.size() - taken_; }

 private:
  std::vector<Chunk> all_;
  std::size_t taken_ = 0;
};

/// Chunks of a message went different ways, or in different rounds.
struct Apart {};

/// Plays a program round by round. Chunks are pieces of messages if the schedule has pieces; else
/// those of a message must go together, or Apart is thrown.
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
    for (Node x = 0; x < program_.ranks.size(); ++x) {
      for (const Step& step : program_.ranks[x].copies) copy(x, step);
    }
    for (std::uint32_t round = 1;;) {
      stop_if_interrupted();
      while (!ready_.empty()) {
        const BlockId b = ready_.back();
        ready_.pop_back();
        if (!wants_to_send_[b] && go_on(b)) {
          wants_to_send_[b] = true;
          sending_.push_back(b);
        }
      }
      if (sending_.empty()) break;
      if (send(round)) ++round;
    }
    check_outputs();
  }

 private:
  struct Content {
    Chunk chunk;
    std::uint32_t line = 0;  ///< of the step that put it there
  };

  /// A place by its number; in place, the smaller buffer is a part of the larger one, or both are
  /// the same.
  std::uint64_t key(Node x, Place p) const {
    const bool of_all = !has_root(program_.collective), at_root = x == program_.root;
    if (program_.in_place && program_.collective == Collective::Scatter) {
      if (p.buffer == 'o' && at_root) p = {'i', p.offset + x * program_.chunks};
    } else if (program_.in_place && p.buffer == 'i') {
      if (program_.collective == Collective::Gossip ||
          (program_.collective == Collective::Gather && at_root)) {
        p.offset += x * program_.chunks;
      }
      if (of_all || at_root || program_.collective == Collective::Broadcast) p.buffer = 'o';
    }
    const std::uint64_t buffer = p.buffer == 'i' ? 0 : p.buffer == 'o' ? 1 : 2;
    return std::uint64_t{x} << 34 | buffer << 32 | p.offset;
  }

  /// The messages that a rank starts with, one behind the other in its input; those of a scatter's
  /// root and of a total exchange are one for each node.
  std::optional<Chunk> input(Node x, std::uint64_t k) const {
    const CollectiveTerms& terms = terms_of(program_.collective);
    if (terms.origins == Who::Root && x != program_.root) return std::nullopt;
    const bool each = !terms.same_to_all && terms.wanting == Who::All;
    const std::uint64_t begin = key(x, {'i', 0}), messages = each ? program_.ranks.size() : 1;
    if (k < begin || k - begin >= messages * program_.chunks) return std::nullopt;
    const auto message = static_cast<Node>((k - begin) / program_.chunks);
    const auto part = static_cast<std::uint32_t>((k - begin) % program_.chunks);
    return Chunk{{x, terms.same_to_all ? kNoNode : each ? message : program_.root}, part};
  }

  std::optional<Chunk> find(Node x, std::uint64_t k) const {
    const auto found = places_.find(k);
    return found != places_.end() ? found->second.chunk : input(x, k);
  }

  Chunk read(Node x, Place p, std::uint32_t i, const Step& step) const {
    p.offset += i;
    if (const auto chunk = find(x, key(x, p))) return *chunk;
    fail(file_, step.line,
         fmt::format("nothing is there when the step may take place: gpu {} reads chunk {} of "
                     "buffer {}",
                     x, p.offset, p.buffer));
  }

  void write(Node x, Place p, std::uint32_t i, const Chunk& chunk, const Step& step) {
    p.offset += i;
    places_[key(x, p)] = {chunk, step.line};
  }

  /// Does what takes no time, until the threadblock waits, or has something to send: then true.
  bool go_on(BlockId b) {
    const BlockInfo& info = order_.blocks()[b];
    for (; next_[b] < info.end(); end_step(b)) {
      const Step& step = order_.step(next_[b]);
      if (const auto before = order_.awaited(b, next_[b]); before && !ended_[*before]) {
        waiting_[order_.block_of_awaited(b, next_[b])].push_back(b);
        return false;
      }
      if (receives(step.does)) {
        if (arrived_[b].size() < step.count) return false;
        receive(b, step);
      }
      if (sends(step.does)) return true;
      if (step.does == Does::Copy) copy(info.rank, step);
    }
    return false;
  }
  void receive(BlockId b, const Step& step) {
    for (std::uint32_t i = 0; i < step.count; ++i) {
      write(order_.blocks()[b].rank, step.destination, i, arrived_[b].front(), step);
      arrived_[b].pop();
    }
  }
  void copy(Node x, const Step& step) {
    std::vector<Chunk> all;
    for (std::uint32_t i = 0; i < step.count; ++i) all.push_back(read(x, step.source, i, step));
    for (std::uint32_t i = 0; i < step.count; ++i) write(x, step.destination, i, all[i], step);
  }
  void end_step(BlockId b) {
    ended_[next_[b]++] = true;
    ready_.insert(ready_.end(), waiting_[b].begin(), waiting_[b].end());
    waiting_[b].clear();
  }

  /// Returns false if nothing crosses a link that its node does not have.
  bool send(std::uint32_t round) {
    free_.clear();
    std::ranges::sort(sending_, [&](BlockId a, BlockId b) {
      const auto left = [&](BlockId c) { return order_.chain(next_[c]) - moved_[c]; };
      return left(a) != left(b) ? left(a) > left(b) : a < b;
    });
    std::vector<BlockId> later;
    std::vector<Sent> all_sent;
    for (const BlockId b : sending_) {
      do {
        send_chunks(b, all_sent);
        wants_to_send_[b] = moved_[b] < order_.step(next_[b]).count;
        if (wants_to_send_[b]) break;
        moved_[b] = 0;
        end_step(b);
        wants_to_send_[b] = go_on(b);  // a message's next part may be a step of its own
      } while (wants_to_send_[b]);
      if (wants_to_send_[b]) later.push_back(b);
    }
    sending_ = std::move(later);
    for (const Sent& sent : all_sent) {
      arrived_[sent.receiver].push(sent.chunk);
      ready_.push_back(sent.receiver);
    }
    return add_messages(round, all_sent);
  }

  /// A chunk that crosses a link.
  struct Sent {
    BlockId receiver = kNone;
    Node from = 0, to = 0;
    Chunk chunk;
    std::uint32_t line = 0;
  };

  /// What the open step of a threadblock can send in this round.
  void send_chunks(BlockId b, std::vector<Sent>& all_sent) {
    const BlockInfo& info = order_.blocks()[b];
    const Step& step = order_.step(next_[b]);
    for (; moved_[b] < step.count; ++moved_[b]) {
      Place from = step.does == Does::Send ? step.source : step.destination;
      from.offset += moved_[b];
      const auto found = find(info.rank, key(info.rank, from));
      const Node to = info.block->to;
      const std::uint32_t part = found && !cut() ? found->part : 0;
      if (found && !is_own(found->message, to) && !free_.claim(info.rank, to, part)) return;
      all_sent.push_back({order_.receiver(b), info.rank, info.block->to,
                          read(info.rank, from, 0, step), step.line});
    }
  }

  bool cut() const { return schedule_.pieces() > 1; }
  /// What the schedule sends: the chunk's message, or the piece that it is.
  Message named(const Chunk& c) const {
    Message m = c.message;
    if (cut()) m.piece = c.part;
    return m;
  }

  /// A message that a node has from the start, or that nobody needs.
  static bool is_own(const Message& m, Node to) {
    return m.origin == (m.destination == kNoNode ? to : m.destination);
  }

  /// Makes a transfer for each link of all parts of a message, or of a piece, or of several of
  /// them, that cross it together. False: there is none.
  bool add_messages(std::uint32_t round, const std::vector<Sent>& all_sent) {
    std::map<std::tuple<Node, Node, Message>, std::uint32_t> parts;
    std::map<std::pair<Node, Node>, std::pair<std::uint32_t, std::vector<Message>>> transfers;
    for (const Sent& sent : all_sent) ++parts[{sent.from, sent.to, named(sent.chunk)}];
    for (const Sent& sent : all_sent) {
      const Message message = named(sent.chunk);
      std::uint32_t& count = parts[{sent.from, sent.to, message}];
      if (is_own(message, sent.to) || count == 0) continue;  // 0: added with its first part
      if (!cut() && count < program_.chunks) throw Apart{};
      count = 0;
      auto& [line, messages] = transfers[{sent.from, sent.to}];
      if (messages.empty()) line = sent.line;
      messages.push_back(message);
    }
    for (const auto& [link, transfer] : transfers) {
      const Node path[] = {link.first, link.second};
      schedule_.add(round, path, transfer.second, transfer.first);
    }
    return !transfers.empty();
  }

  /// Every message must be in its place; that it is there at all is the checker's business, too,
  /// but a rank's own is not.
  void check_outputs() const {
    const CollectiveTerms& terms = terms_of(program_.collective);
    for (Node x = 0; x < program_.ranks.size(); ++x) {
      if (terms.wanting == Who::Root && x != program_.root) continue;
      const Node messages = terms.origins == Who::Root ? 1 : program_.ranks.size();
      for (Node i = 0; i < messages; ++i) {
        const Message m{terms.origins == Who::Root ? program_.root : i,
                        terms.same_to_all ? kNoNode : x};
        for (std::uint32_t part = 0; part < program_.chunks; ++part) {
          check_output(x, i * program_.chunks + part, {m, part});
        }
      }
    }
  }
  void check_output(Node x, std::uint32_t offset, const Chunk& right) const {
    const std::uint64_t k = key(x, {'o', offset});
    const auto is = find(x, k);
    if (!is) {
      if (has_root(program_.collective) && right.message.origin == x) return;
      fail(file_, program_.ranks[x].line,
           fmt::format("output chunk {} of gpu {} is never written", offset, x));
    }
    if (*is == right) return;
    const auto found = places_.find(k);
    fail(file_, found != places_.end() ? found->second.line : program_.ranks[x].line,
         fmt::format("it puts {} into output chunk {} of gpu {}, where {} belongs", name(*is),
                     offset, x, name(right)));
  }
  std::string name(const Chunk& c) const {
    const std::string message = name(c.message);
    return program_.chunks == 1 ? message : fmt::format("chunk {} of {}", c.part, message);
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
  std::vector<std::uint32_t> moved_;           ///< chunks that its open step has sent
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
                        const Meant& meant) {
  const Program program = read_program(text, file, topology.nodes(), meant);
  const Order order(program, file);
  const auto played = [&](std::uint32_t pieces) {
    Schedule schedule(topology, program.collective, meant.model);
    schedule.root = program.root;
    schedule.cut(pieces);
    Player(program, order, file, schedule).play();
    return schedule;
  };
  try {
    return played(1);
  } catch (const Apart&) {
    return played(program.chunks);
  }
}

}  // namespace gossamer
