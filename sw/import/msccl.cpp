#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "import/import.hpp"
#include "import/msccl_program.hpp"
#include "schedule/members.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"
#include "support/refuse.hpp"
#include "topology/node_sets.hpp"

namespace gossamer {
namespace {

using namespace msccl;

/// Sets of nodes whose parts are in a sum, as numbers. Equal sets have equal numbers; 0 is the
/// empty one.
class PartSets {
 public:
  explicit PartSets(Node nodes) : nodes_(nodes), words_(set_words(nodes)) {
    Bits bits(words_);
    number(bits);
    for (Node x = 0; x < nodes; ++x) put(bits, x);
    all_ = number(bits);
  }
  std::uint32_t of(Node x) {
    Bits bits(words_);
    put(bits, x);
    return number(bits);
  }
  std::uint32_t all() const { return all_; }
  /// Throws InputError if there is not enough memory.
  std::uint32_t both(std::uint32_t a, std::uint32_t b) {
    Bits bits = set(a);
    unite(bits, set(b));
    return number(bits);
  }
  bool contains(std::uint32_t a, std::uint32_t part) const {
    for (std::size_t i = 0; i < words_; ++i) {
      if ((set(part)[i] & ~set(a)[i]) != 0) return false;
    }
    return true;
  }
  /// A node that is in both, if there is one.
  std::optional<Node> common(std::uint32_t a, std::uint32_t b) const {
    for (std::size_t i = 0; i < words_; ++i) {
      const std::uint64_t bits = set(a)[i] & set(b)[i];
      if (bits != 0) return static_cast<Node>(64 * i + std::countr_zero(bits));
    }
    return std::nullopt;
  }
  std::vector<Node> nodes(std::uint32_t a) const {
    std::vector<Node> all;
    for (Node x = 0; x < nodes_; ++x) {
      if (has(set(a), x)) all.push_back(x);
    }
    return all;
  }

 private:
  using Bits = std::vector<std::uint64_t>;
  const Bits& set(std::uint32_t a) const { return sets_[a]->first; }
  std::uint32_t number(const Bits& bits) {
    const auto [found, is_new] =
        numbers_.try_emplace(bits, static_cast<std::uint32_t>(sets_.size()));
    if (!is_new) return found->second;
    sets_.push_back(found);
    if (std::has_single_bit(sets_.size())) {  // there will be as many again
      require_memory(2.0 * static_cast<double>(sets_.size() * (words_ + 8) * sizeof(bits[0])),
                     "the sets of nodes whose parts are in the sums of the import");
    }
    return found->second;
  }

  Node nodes_;
  std::size_t words_;
  std::uint32_t all_ = 0;
  std::map<Bits, std::uint32_t> numbers_;
  std::vector<std::map<Bits, std::uint32_t>::const_iterator> sets_;
};

/// A part of a message, by its number; of a reduction, a sum of nodes' parts of it.
struct Chunk {
  Message message;
  std::uint32_t part = 0;
  std::uint32_t parts = 0;  ///< a number of PartSets
  auto operator<=>(const Chunk&) const = default;
};

/// A chunk that a step sends, by its place among those of the step.
using SendId = std::pair<StepId, std::uint32_t>;

/// What must not be sent before other chunks are; in the same round it may. A node of a schedule
/// keeps one sum of a message, to which it adds what comes; so a sum that is sent without it must
/// go before.
using Waits = std::map<SendId, std::set<SendId>>;

/// What came too early to a node, each with what the node sent without it afterwards.
struct TooEarly {
  std::vector<std::pair<SendId, SendId>> found;
};

/// What a model lets nodes do at once in a round, with each part of a message: the parts of one
/// message go together, and if the model combines, so do all messages of a link.
class Round {
 public:
  Round(const Model& model, const Topology& topology) : model_(model), topology_(&topology) {}

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
    std::uint32_t& taken = lanes_[{pair(from, to), part}];
    const std::uint32_t there = lanes_between(from, to);
    if (busy_[{a, part}] >= there || busy_[{b, part}] >= there) {
      return model_.combining && taken != 0;
    }
    ++busy_[{a, part}];
    if (a != b) ++busy_[{b, part}];
    ++taken;
    return true;
  }
  /// The links between two nodes that messages take in this round.
  std::uint32_t taken(Node from, Node to) const {
    const auto found = lanes_.find({pair(from, to), 0});
    return found == lanes_.end() ? 0 : found->second;
  }
  void clear() {
    busy_.clear();
    lanes_.clear();
  }

 private:
  using Resource = std::pair<std::uint64_t, std::uint32_t>;

  std::uint32_t lanes_between(Node from, Node to) const {
    std::uint32_t lanes = 1;
    if (model_.ports == PortModel::Single || !topology_->parallel()) return lanes;
    while (topology_->port_to(from, to, lanes) != kNoPort) ++lanes;
    return lanes;
  }
  static std::uint64_t pair(Node a, Node b) { return std::uint64_t{a} << 32 | b; }

  Model model_;
  const Topology* topology_;
  std::map<Resource, std::uint32_t> busy_;   ///< by how many messages, or combined ones
  std::map<Resource, std::uint32_t> lanes_;  ///< by nodes and part: the links that are taken
};

/// Where chunks stand in their messages, by message and number: neighbours are a piece. Without an
/// entry it is the number itself.
using Positions = std::map<std::pair<Message, std::uint32_t>, std::uint32_t>;

/// Plays a program round by round. The chunks of a piece must go together.
class Player {
 public:
  Player(const Program& program, const Order& order, const std::string& file, const Waits& waits,
         const Positions& positions, Schedule& schedule)
      : program_(program),
        order_(order),
        file_(file),
        waits_(waits),
        positions_(positions),
        schedule_(schedule),
        each_(program.chunks / schedule.pieces()),
        sets_(schedule.topology().nodes()),
        free_(schedule.model(), schedule.topology()),
        next_(order.blocks().size()),
        moved_(order.steps(), 0),
        values_(order.blocks().size()),
        arrived_(order.blocks().size()),
        waiting_(order.blocks().size()),
        wants_to_send_(order.blocks().size(), false),
        released_(order.steps(), false) {
    for (BlockId b = 0; b < next_.size(); ++b) {
      next_[b] = order.blocks()[b].first;
      ready_.push_back(b);
    }
  }

  /// False: chunks of a piece went different ways, or in different rounds. Whole messages are
  /// played to the end, so that all ways are known.
  bool play() {
    for (Node x = 0; x < program_.ranks.size(); ++x) {
      for (const Step& step : program_.ranks[x].copies) take(x, step, kNone, nullptr);
    }
    for (std::uint32_t round = 1; together_ || schedule_.pieces() == 1;) {
      stop_if_interrupted();
      while (!ready_.empty()) {
        const BlockId b = ready_.back();
        ready_.pop_back();
        if (!wants_to_send_[b] && go_on(b)) {
          wants_to_send_[b] = true;
          sending_.push_back(b);
        }
      }
      if (sending_.empty()) {
        check_outputs();
        break;
      }
      if (send(round)) ++round;
    }
    return together_;
  }

  /// After whole messages were played: chunks that go the same way are neighbours.
  Positions by_way() const {
    std::map<std::pair<Message, Way>, std::uint32_t> first;  // chunk that goes it
    std::set<std::tuple<Message, std::uint32_t, std::uint32_t>> in_order;
    for (auto [chunk, way] : ways_) {
      const auto [message, part] = chunk;
      std::ranges::sort(way);
      const auto same = first.try_emplace({message, std::move(way)}, part).first;
      in_order.emplace(message, same->second, part);
    }
    Positions positions;
    std::map<Message, std::uint32_t> next;
    for (const auto& [message, same, part] : in_order) positions[{message, part}] = next[message]++;
    return positions;
  }

 private:
  struct Content {
    Chunk chunk;
    std::uint32_t line = 0;  ///< of the step that put it there
    std::vector<StepId> by;  ///< and all that did; kNone: it is there from the start
  };

  /// A place by its number; in place, the smaller buffer is a part of the larger one, or both are
  /// the same.
  std::uint64_t key(Node x, Place p) const {
    const bool of_all = !has_root(program_.collective), at_root = x == program_.root;
    if (program_.in_place && (program_.collective == Collective::Scatter ||
                              program_.collective == Collective::ReduceScatter)) {
      if (p.buffer == 'o' && (of_all || at_root)) p = {'i', p.offset + x * program_.chunks};
    } else if (program_.in_place && p.buffer == 'i') {
      if (program_.collective == Collective::Gossip ||
          (program_.collective == Collective::Gather && at_root)) {
        p.offset += x * program_.chunks;
      }
      if (of_all || at_root || same_to_all(program_.collective)) p.buffer = 'o';
    }
    const std::uint64_t buffer = p.buffer == 'i' ? 0 : p.buffer == 'o' ? 1 : 2;
    return std::uint64_t{x} << 34 | buffer << 32 | p.offset;
  }

  /// The messages that a rank starts with, one behind the other in its input; those of a scatter's
  /// root, of a total exchange and of a reduce-scatter are one for each node.
  std::optional<Chunk> input(Node x, std::uint64_t k) const {
    const CollectiveTerms& terms = terms_of(program_.collective);
    if (terms.origins == Participants::Root && x != program_.root && !terms.reduces)
      return std::nullopt;
    const bool each = terms.reduces ? terms.origins == Participants::All
                                    : !terms.same_to_all && terms.receivers == Participants::All;
    const std::uint64_t begin = key(x, {'i', 0}), messages = each ? program_.ranks.size() : 1;
    if (k < begin || k - begin >= messages * program_.chunks) return std::nullopt;
    const auto message = static_cast<Node>((k - begin) / program_.chunks);
    const auto part = static_cast<std::uint32_t>((k - begin) % program_.chunks);
    if (terms.reduces) return Chunk{{each ? message : program_.root}, part, sets_.of(x)};
    return Chunk{{x, terms.same_to_all ? kNoNode : each ? message : program_.root}, part};
  }

  std::optional<Chunk> find(Node x, std::uint64_t k) const {
    const auto found = places_.find(k);
    return found != places_.end() ? found->second.chunk : input(x, k);
  }

  Chunk read(Node x, Place p, std::uint32_t i, const Step& step, StepId id) const {
    p.offset += i;
    const std::uint64_t k = key(x, p);
    if (const auto found = places_.find(k); found != places_.end()) {
      const Content& content = found->second;
      const bool waits = std::ranges::any_of(
          content.by, [&](StepId s) { return s == kNone || order_.precedes(s, id); });
      if (waits) return content.chunk;
      fail(file_, step.line,
           "gpu {} reads chunk {} of buffer {}, but does not wait for line {}, which writes it", x,
           p.offset, p.buffer, content.line);
    }
    if (const auto chunk = input(x, k)) return *chunk;
    fail(file_, step.line,
         "nothing is there when the step may take place: gpu {} reads chunk {} of buffer {}", x,
         p.offset, p.buffer);
  }

  void write(Node x, Place p, std::uint32_t i, const Chunk& chunk, const Step& step, StepId id) {
    p.offset += i;
    const std::uint64_t k = key(x, p);
    const bool same = find(x, k) == chunk;
    const auto [found, is_new] = places_.try_emplace(k);
    Content& content = found->second;
    if (!same) content.by.clear();
    if (same && is_new) content.by.push_back(kNone);
    content.by.push_back(id);
    content.chunk = chunk;
    content.line = step.line;
  }

  /// Does what takes no time, until the threadblock waits, or has something to send: then true.
  bool go_on(BlockId b) {
    const BlockInfo& info = order_.blocks()[b];
    for (; next_[b] < info.end(); end_step(b)) {
      const Step& step = order_.step(next_[b]);
      if (const auto before = order_.awaited(b, next_[b]); before && !released_[*before]) {
        waiting_[order_.block_of_awaited(b, next_[b])].push_back(b);
        return false;
      }
      if (step.does.receives && arrived_[b].size() < step.count) return false;
      values_[b] = take(info.rank, step, next_[b], &arrived_[b]);
      if (step.does.sends) {
        if (step.does.receives) release(b);  // what others wait for has come
        return true;
      }
    }
    return false;
  }
  /// What the step makes of its chunks; that it sends them is still to be done.
  std::vector<Chunk> take(Node x, const Step& step, StepId id, std::deque<Chunk>* arrived) {
    std::vector<Chunk> all;
    for (std::uint32_t i = 0; i < step.count; ++i) {
      if (step.does.receives) {
        all.push_back(arrived->front());
        arrived->pop_front();
      } else {
        all.push_back(read(x, step.source, i, step, id));
      }
      if (!step.does.reduces) continue;
      const Place other = step.does.receives ? step.source : step.destination;
      all.back() = sum(x, all.back(), read(x, other, i, step, id), step);
    }
    for (std::uint32_t i = 0; step.does.writes && i < step.count; ++i) {
      write(x, step.destination, i, all[i], step, id);
    }
    return all;
  }
  Chunk sum(Node x, const Chunk& a, const Chunk& b, const Step& step) const {
    if (a.message != b.message || a.part != b.part) {
      fail(file_, step.line, "gpu {} adds {} to {}", x, name(a), name(b));
    }
    refuse_twice(a, b.parts, x, step.line);
    return {a.message, a.part, sets_.both(a.parts, b.parts)};
  }
  void refuse_twice(const Chunk& came, std::uint32_t to, Node x, std::uint32_t line) const {
    if (const auto twice = sets_.common(came.parts, to)) {
      fail(file_, line, "gpu {} adds gpu {}'s part of {} a second time", x, *twice, place(came));
    }
  }
  void end_step(BlockId b) {
    release(b);
    ++next_[b];
  }
  /// Lets go on who waits for the open step of a threadblock.
  void release(BlockId b) {
    released_[next_[b]] = true;
    ready_.insert(ready_.end(), waiting_[b].begin(), waiting_[b].end());
    waiting_[b].clear();
  }

  /// Returns false if nothing crosses a link that its node does not have.
  bool send(std::uint32_t round) {
    free_.clear();
    std::ranges::sort(sending_, [&](BlockId a, BlockId b) {
      const auto left = [&](BlockId c) { return order_.chain(next_[c]) - moved_[next_[c]]; };
      return left(a) != left(b) ? left(a) > left(b) : a < b;
    });
    std::vector<Sent> all_sent;
    for (bool again = true; again;) {
      again = false;
      for (const BlockId b : sending_) {
        while (wants_to_send_[b] && may_go(b) && send_chunk(b, all_sent)) again = !waits_.empty();
      }
      again = again || send_together(all_sent);
    }
    if (all_sent.empty()) refuse_stuck();
    std::erase_if(sending_, [&](BlockId b) { return !wants_to_send_[b]; });
    for (const Sent& sent : all_sent) {
      arrived_[sent.receiver].push_back(sent.chunk);
      ready_.push_back(sent.receiver);
    }
    if (reduces(program_.collective)) add_up(all_sent);
    return add_messages(round, all_sent);
  }

  /// A chunk that crosses a link.
  struct Sent {
    BlockId receiver = kNone;
    Node from = 0, to = 0;
    Chunk chunk;
    std::uint32_t line = 0;
    SendId id;
  };

  /// Sends the next chunk of a threadblock's open step, if there is room in this round; a message's
  /// next part may be a step of its own.
  bool send_chunk(BlockId b, std::vector<Sent>& all_sent) {
    const BlockInfo& info = order_.blocks()[b];
    const SendId id = front(b);
    const Step& step = order_.step(id.first);
    const Chunk& chunk = values_[b][id.second];
    if (!claim(free_, b)) return false;
    all_sent.push_back({order_.receiver(b), info.rank, info.block->to, chunk, step.line, id});
    if (++moved_[id.first] == step.count) {
      end_step(b);
      wants_to_send_[b] = go_on(b);
    }
    return true;
  }
  bool claim(Round& round, BlockId b) const {
    const BlockInfo& info = order_.blocks()[b];
    const Chunk& chunk = values_[b][front(b).second];
    return is_own(chunk.message, info.block->to) ||
           round.claim(info.rank, info.block->to, position(chunk) % each_);
  }
  SendId front(BlockId b) const { return {next_[b], moved_[next_[b]]}; }

  bool is_sent(const SendId& s) const { return moved_[s.first] > s.second; }
  /// Has all for which the next chunk of a threadblock waits been sent?
  bool may_go(BlockId b) const {
    const auto waits = waits_.find(front(b));
    return waits == waits_.end() ||
           std::ranges::all_of(waits->second, [&](const SendId& s) { return is_sent(s); });
  }
  /// Sends chunks that wait for each other: both ends of a link send what they have, and then add
  /// what comes. False: there are none.
  bool send_together(std::vector<Sent>& all_sent) {
    std::map<SendId, BlockId> fronts;
    for (const BlockId b : sending_) {
      if (wants_to_send_[b]) fronts.emplace(front(b), b);
    }
    bool any = false;
    for (const BlockId b : sending_) {
      if (!wants_to_send_[b] || !waits_.contains(front(b))) continue;
      const std::vector<BlockId> group = with_awaited(b, fronts);
      Round round = free_;
      if (!std::ranges::all_of(group, [&](BlockId g) { return claim(round, g); })) continue;
      for (const BlockId g : group) send_chunk(g, all_sent);
      any = any || !group.empty();
    }
    return any;
  }
  /// A threadblock, and those for whose next chunks it waits, and so on; none if one of them is not
  /// ready.
  std::vector<BlockId> with_awaited(BlockId b, const std::map<SendId, BlockId>& fronts) const {
    std::vector<BlockId> group = {b};
    for (std::size_t i = 0; i < group.size(); ++i) {
      const auto waits = waits_.find(front(group[i]));
      if (waits == waits_.end()) continue;
      for (const SendId& s : waits->second) {
        if (is_sent(s)) continue;
        const auto ready = fronts.find(s);
        if (ready == fronts.end()) return {};
        if (std::ranges::find(group, ready->second) == group.end()) group.push_back(ready->second);
      }
    }
    return group;
  }
  [[noreturn]] void refuse_stuck() const {
    const BlockId b = sending_.front();
    const auto& waits = waits_.at(front(b));
    const auto first = std::ranges::find_if(waits, [&](const SendId& s) { return !is_sent(s); });
    fail(file_, order_.step(first->first).line,
         "gpu {} sends a sum without what comes in line {}, and not before it comes: a node here "
         "keeps one sum of a message, to which it adds what comes",
         order_.blocks()[b].block->to, order_.step(front(b).first).line);
  }

  /// What a node of the schedule holds of a message's part.
  struct Held {
    std::uint32_t parts = 0;
    std::vector<std::pair<SendId, std::uint32_t>> came;
  };
  Held& held(Node x, const Chunk& c) {
    const auto [found, is_new] = held_.try_emplace({x, c.message.origin, c.part});
    if (is_new) found->second.parts = sets_.of(x);
    return found->second;
  }
  /// Compares the sums that were sent with those that the nodes of the schedule hold; to them is
  /// added what has come. What nobody needs is sent no more.
  void add_up(std::vector<Sent>& all_sent) {
    TooEarly early;
    for (const Sent& sent : all_sent) {
      const Held& has = held(sent.from, sent.chunk);
      if (has.parts == sent.chunk.parts) continue;
      if (!sets_.contains(sent.chunk.parts, sets_.of(sent.from))) {
        fail(file_, sent.line,
             "gpu {} passes on {} without its own part, which a node here always adds", sent.from,
             name(sent.chunk));
      }
      for (const auto& [id, parts] : has.came) {
        if (!sets_.contains(sent.chunk.parts, parts)) early.found.emplace_back(id, sent.id);
      }
    }
    if (!early.found.empty()) throw early;
    std::erase_if(all_sent, [&](const Sent& sent) { return !add(sent); });
  }
  /// False: the node has the whole sum already, and in the program it is still to take its place.
  bool add(const Sent& sent) {
    Held& to = held(sent.to, sent.chunk);
    const bool whole = sent.chunk.parts == sets_.all();
    const Step& receiving = order_.step(order_.partner(sent.id.first));
    if (!whole && to.parts == sets_.all()) return false;
    if (!whole && !receiving.does.reduces && sets_.common(sent.chunk.parts, to.parts)) {
      fail(file_, receiving.line,
           "gpu {} is given {}, and has {}: a node here adds what comes, and only a sum of all "
           "gpus takes the place of what it has",
           sent.to, name(sent.chunk), name({sent.chunk.message, sent.chunk.part, to.parts}));
    }
    if (!whole) refuse_twice(sent.chunk, to.parts, sent.to, sent.line);
    to.parts = whole ? sets_.all() : sets_.both(to.parts, sent.chunk.parts);
    to.came.emplace_back(sent.id, sent.chunk.parts);
    return true;
  }

  std::uint32_t position(const Chunk& c) const {
    const auto found = positions_.find({c.message, c.part});
    return found == positions_.end() ? c.part : found->second;
  }
  /// What the schedule sends: the chunk's message, or the piece that it is.
  Message named(const Chunk& c) const {
    return {c.message.origin, c.message.destination, position(c) / each_};
  }

  /// A message that a node has from the start, or that nobody needs.
  bool is_own(const Message& m, Node to) const {
    return !reduces(program_.collective) &&
           m.origin == (m.destination == kNoNode ? to : m.destination);
  }

  /// Makes a transfer for each link of all parts of a message, or of a piece, or of several of
  /// them, that cross it together. False: there is none.
  bool add_messages(std::uint32_t round, const std::vector<Sent>& all_sent) {
    std::map<std::tuple<Node, Node, Message, std::uint32_t>, std::uint32_t> parts;
    struct Load {
      std::uint32_t line;
      std::vector<Message> messages;
    };
    struct Link {
      std::uint32_t messages = 0;
      std::vector<Load> loads;  ///< of each of the links between two nodes
    };
    std::map<std::pair<Node, Node>, Link> links;
    const bool combining = schedule_.model().combining;
    const auto key = [&](const Sent& s) {
      return std::tuple{s.from, s.to, named(s.chunk), s.chunk.parts};
    };
    for (const Sent& sent : all_sent) {
      ++parts[key(sent)];
      note_way(sent);
    }
    for (const Sent& sent : all_sent) {
      const Message message = named(sent.chunk);
      std::uint32_t& count = parts[key(sent)];
      if (is_own(message, sent.to) || count == 0) continue;  // 0: added with its first part
      if (count < each_) together_ = false;
      count = 0;
      auto& [number, loads] = links[{sent.from, sent.to}];
      if (!combining || number < free_.taken(sent.from, sent.to)) loads.push_back({sent.line, {}});
      loads[number++ % loads.size()].messages.push_back(message);
    }
    for (const auto& [nodes, link] : links) {
      const Node path[] = {nodes.first, nodes.second};
      for (const Load& load : link.loads) schedule_.add(round, path, load.messages, load.line);
    }
    return !links.empty();
  }

  /// The links that a chunk crosses, each with the parts that are in its sum; in any order.
  using Way = std::vector<std::tuple<Node, Node, std::uint32_t>>;
  void note_way(const Sent& sent) {
    if (each_ == 1 || schedule_.pieces() > 1 || is_own(sent.chunk.message, sent.to)) return;
    ways_[{sent.chunk.message, sent.chunk.part}].emplace_back(sent.from, sent.to, sent.chunk.parts);
  }

  /// Every message must be in its place; that it is there at all is the checker's business, too,
  /// but a rank's own is not.
  void check_outputs() const {
    const CollectiveTerms& terms = terms_of(program_.collective);
    for (Node x = 0; x < program_.ranks.size(); ++x) {
      if (terms.receivers == Participants::Root && x != program_.root) continue;
      const Node messages = terms.origins == Participants::Root || terms.reduces
                                ? 1
                                : static_cast<Node>(program_.ranks.size());
      for (Node i = 0; i < messages; ++i) {
        const Message m{terms.origins == Participants::Root ? program_.root
                        : terms.reduces                     ? x
                                                            : i,
                        terms.same_to_all ? kNoNode : x};
        for (std::uint32_t part = 0; part < program_.chunks; ++part) {
          check_output(x, i * program_.chunks + part, {m, part, terms.reduces ? sets_.all() : 0});
        }
      }
    }
  }
  void check_output(Node x, std::uint32_t offset, const Chunk& right) const {
    const std::uint64_t k = key(x, {'o', offset});
    const auto is = find(x, k);
    if (!is) {
      if (has_root(program_.collective) && right.message.origin == x && right.parts == 0) return;
      fail(file_, program_.ranks[x].line, "output chunk {} of gpu {} is never written", offset, x);
    }
    if (*is == right) return;
    const auto found = places_.find(k);
    fail(file_, found != places_.end() ? found->second.line : program_.ranks[x].line,
         "it puts {} into output chunk {} of gpu {}, where {} belongs", name(*is), offset, x,
         name(right));
  }
  /// A part of a reduction's vector.
  std::string place(const Chunk& c) const {
    const bool blocks = program_.collective == Collective::ReduceScatter;
    return fmt::format("chunk {}", (blocks ? c.message.origin * program_.chunks : 0) + c.part);
  }
  std::string name(const Chunk& c) const {
    if (reduces(program_.collective)) {
      const std::vector<Node> nodes = sets_.nodes(c.parts);
      return fmt::format("{} of gpu{} {}", place(c), nodes.size() == 1 ? "" : "s",
                         runs_text(nodes, nodes.size()));
    }
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
  const Waits& waits_;
  const Positions& positions_;
  Schedule& schedule_;
  std::uint32_t each_;  ///< chunks of a piece
  mutable PartSets sets_;
  Round free_;
  std::vector<StepId> next_;                   ///< of each threadblock
  std::vector<std::uint32_t> moved_;           ///< chunks that each step has sent
  std::vector<std::vector<Chunk>> values_;     ///< what each threadblock's open step sends
  std::vector<std::deque<Chunk>> arrived_;     ///< at its end of a connection
  std::vector<std::vector<BlockId>> waiting_;  ///< for steps of each threadblock
  std::vector<bool> wants_to_send_;
  std::vector<bool> released_;    ///< of each step: who waits for it may go on
  std::vector<BlockId> ready_;    ///< may go on
  std::vector<BlockId> sending_;  ///< want to send in the next round
  std::unordered_map<std::uint64_t, Content> places_;
  std::map<std::tuple<Node, Node, std::uint32_t>, Held> held_;  ///< by node, origin and part
  std::map<std::pair<Message, std::uint32_t>, Way> ways_;  ///< of each chunk, by message and number
  bool together_ = true;                                   ///< so far, the chunks of each piece
};

}  // namespace

Schedule read_msccl_xml(std::string_view text, const std::string& file, const Topology& topology,
                        const Meant& meant) {
  const Program program = read_program(text, file, topology.nodes(), meant);
  const Order order(program, file);
  Positions positions;  // by their numbers, until the ways of the chunks are known
  for (std::uint32_t pieces = 1;; ++pieces) {
    if (program.chunks % pieces != 0) continue;
    for (Waits waits;;) {
      Schedule schedule(topology, program.collective, meant.model);
      schedule.root = program.root;
      schedule.cut(pieces);
      Player player(program, order, file, waits, positions, schedule);
      try {
        if (player.play()) return schedule;  // pieces of one chunk are always together
        if (pieces == 1) positions = player.by_way();
        break;
      } catch (const TooEarly& early) {
        for (const auto& [came, sent] : early.found) waits[came].insert(sent);
      }
    }
  }
}

}  // namespace gossamer
