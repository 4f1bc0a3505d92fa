#include "import/msccl_program.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "support/job.hpp"
#include "support/refuse.hpp"
#include "support/words.hpp"

namespace gossamer::msccl {
namespace {

/// What all steps move together. Longer programs than MSCCL's runtime takes; but a short file
/// cannot demand much memory.
constexpr std::uint64_t kMostChunks = std::uint64_t{1} << 22;
constexpr std::int64_t kMostChannels = 255;

/// The chunks of a rank's buffers.
struct Sizes {
  std::uint32_t input = 0, output = 0, scratch = 0;

  std::uint32_t of(char buffer) const {
    return buffer == 'i' ? input : buffer == 'o' ? output : scratch;
  }
};

class Attributes {
 public:
  Attributes(const char* element, const char** list, const std::string& file, std::uint64_t line)
      : element_(element), list_(list), file_(file), line_(line) {}

  std::uint64_t line() const { return line_; }

  std::optional<std::string_view> find(std::string_view name) const {
    for (const char** a = list_; *a != nullptr; a += 2) {
      if (name == *a) return a[1];
    }
    return std::nullopt;
  }

  std::string_view text(std::string_view name) const {
    const auto found = find(name);
    if (!found) fail("<{}> has no {}=\"...\"", element_, name);
    return *found;
  }

  /// A number from `least`, which is 0 or -1, up to `most`.
  std::int64_t number(std::string_view name, std::int64_t least, std::int64_t most) const {
    const std::string_view digits = text(name);
    const auto value = number_of<std::int64_t>(digits);
    if (!value || *value < least || *value > most) {
      fail("{}=\"{}\": expected {} to {}", name, shortened(digits), least, most);
    }
    return *value;
  }

  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> why, Args&&... args) const {
    gossamer::fail(file_, line_, why, std::forward<Args>(args)...);
  }

 private:
  const char* element_;
  const char** list_;
  const std::string& file_;
  std::uint64_t line_;
};

/// Makes a program of the elements as they come: algo, in it gpu, in it tb, in it step.
class Builder {
 public:
  Builder(Node nodes, const Meant& meant, const std::string& file)
      : nodes_(nodes), meant_(meant), file_(file) {}

  void begin(std::string_view element, const Attributes& a) {
    static constexpr std::string_view kNested[] = {"algo", "gpu", "tb", "step"};
    if (depth_ == 2 && element == "copy") {
      depth_ = std::size(kNested);  // with nothing in it
      return copy(a);
    }
    if (depth_ >= std::size(kNested) || element != kNested[depth_] || (depth_ == 0 && known_)) {
      a.fail("<{}> does not belong here: expected <algo> with <gpu>, <tb> and <step>",
             shortened(element));
    }
    switch (depth_++) {
      case 0: algo(a); break;
      case 1: gpu(a); break;
      case 2: tb(a); break;
      default: step(a);
    }
  }
  void end(std::string_view element) { depth_ = element == "copy" ? 2 : depth_ - 1; }

  Program finish(std::uint64_t last_line) && {
    for (Node x = 0; x < nodes_; ++x) {
      if (program_.ranks[x].line == 0) fail(file_, last_line, "there is no gpu {}", x);
    }
    if (has_root(program_.collective)) program_.root = root(last_line);
    if (!says_in_place_ && !writes_output_) program_.in_place = true;
    const bool reduction = reduces(program_.collective);
    const bool of_input = reduction || program_.collective == Collective::Gather;
    const Node messages = has_root(program_.collective) ? 1 : nodes_;
    // In place these have one buffer, by two names; the one that no step uses may be missing.
    const bool one_buffer =
        program_.in_place && (reduction || program_.collective == Collective::Broadcast ||
                              program_.collective == Collective::TotalExchange);
    const auto buffer = [&](Node x) {
      const bool input = one_buffer ? sizes_[x].input >= sizes_[x].output : of_input;
      return input ? 'i' : 'o';
    };
    const auto size = [&](Node x) { return sizes_[x].of(buffer(x)); };
    const std::uint32_t chunks = size(messages == 1 && program_.root == 0 ? 1 : 0) / messages;
    for (Node x = 0; x < nodes_; ++x) {
      // The root has its message: its output of a broadcast or scatter may be missing, and in place
      // its input of a gather.
      const bool needs_none = messages == 1 && x == program_.root && size(x) == 0 &&
                              (!of_input || (program_.in_place && !reduction));
      if (chunks == 0 || (size(x) != chunks * messages && !needs_none)) {
        fail(file_, program_.ranks[x].line,
             "{0}_chunks=\"{1}\": expected a multiple of {2}, {2} at least, the same of all gpus",
             buffer(x), size(x), messages);
      }
      if (chunks > kMostChunks) {
        fail(file_, program_.ranks[x].line, "messages have {} chunks: expected at most {}", chunks,
             kMostChunks);
      }
      check_waits(x);
    }
    program_.chunks = chunks;
    return std::move(program_);
  }

 private:
  static constexpr std::int64_t kMost = 1'000'000'000;

  void algo(const Attributes& a) {
    known_ = true;
    const std::string_view collective = a.find("coll").value_or("custom");
    if (collective == "custom") {
      if (!meant_.collective) {
        a.fail("{} does not say which collective it is: name it with --collective",
               a.find("coll") ? "coll=\"custom\"" : "the file");
      }
      program_.collective = *meant_.collective;
    } else {
      program_.collective = known(a, collective);
      if (meant_.collective.value_or(program_.collective) != program_.collective) {
        a.fail("coll=\"{}\", but a {} is asked for", collective, to_string(*meant_.collective));
      }
    }
    if (a.find("ngpus") && a.number("ngpus", 0, kMost) != nodes_) {
      a.fail("ngpus=\"{}\", but the topology has {} nodes", a.text("ngpus"), nodes_);
    }
    program_.ranks.resize(nodes_);
    sizes_.resize(nodes_);
    says_in_place_ = a.find("inplace").has_value();
    program_.in_place = says_in_place_ && a.number("inplace", 0, 1) == 1 &&
                        !(a.find("outofplace") && a.number("outofplace", 0, 1) == 1);
  }

  static Collective known(const Attributes& a, std::string_view name) {
    for (const auto& [word, collective] : kCollectives) {
      if (name == word) return collective;
    }
    a.fail(
        "coll=\"{}\": expected allgather, alltoall, broadcast, scatter, gather, reduce, "
        "reduce_scatter, allreduce or custom",
        shortened(name));
  }

  /// The root that is meant, or else the only gpu that receives nothing; in a gather or reduce,
  /// sends nothing. In an all-reduce it is but a name.
  Node root(std::uint64_t last_line) const {
    if (meant_.root) return *meant_.root;
    if (program_.collective == Collective::AllReduce) return 0;
    const bool to_root = terms_of(program_.collective).receivers == Participants::Root;
    const auto does = to_root ? sends : receives;
    Node found = kNoNode;
    for (Node x = 0; x < nodes_; ++x) {
      const std::vector<Block>& blocks = program_.ranks[x].blocks;
      const bool any = std::ranges::any_of(blocks, [&](const Block& b) {
        return std::ranges::any_of(b.steps, [&](const Step& s) { return does(s.does); });
      });
      if (any) continue;
      if (found != kNoNode) {
        fail(file_, last_line, "the root may be gpu {} or {}: name it with --root", found, x);
      }
      found = x;
    }
    if (found == kNoNode) fail(file_, last_line, "no gpu looks like the root: name it with --root");
    return found;
  }

  void copy(const Attributes& a) {
    Step s;
    s.line = static_cast<std::uint32_t>(a.line());
    s.does.writes = true;
    s.count = a.find("cnt") ? static_cast<std::uint32_t>(a.number("cnt", 1, kMost)) : 1;
    count(a, s.count);
    s.source = place(a, 'i', "i_off", s.count);
    s.destination = place(a, 'o', "o_off", s.count);
    program_.ranks[rank_].copies.push_back(s);
  }

  void count(const Attributes& a, std::uint32_t chunks) {
    chunks_ += chunks;
    if (chunks_ > kMostChunks) {
      a.fail("the steps move more than {} chunks", kMostChunks);
    }
  }

  void gpu(const Attributes& a) {
    rank_ = static_cast<Node>(a.number("id", 0, nodes_ - 1));
    std::uint32_t& line = program_.ranks[rank_].line;
    if (line != 0) a.fail("gpu {} is here twice", rank_);
    line = static_cast<std::uint32_t>(a.line());
    const auto size = [&](const char* name) {
      return static_cast<std::uint32_t>(a.number(name, 0, kMost));
    };
    sizes_[rank_] = {size("i_chunks"), size("o_chunks"), size("s_chunks")};
  }

  void tb(const Attributes& a) {
    std::vector<Block>& blocks = program_.ranks[rank_].blocks;
    in_order(a, "id", blocks.size());
    Block& block = blocks.emplace_back();
    block.line = static_cast<std::uint32_t>(a.line());
    block.to = peer(a, "send");
    block.from = peer(a, "recv");
    block.channel = static_cast<std::uint32_t>(a.number("chan", -1, kMostChannels));
  }

  Node peer(const Attributes& a, const char* name) const {
    const std::int64_t x = a.number(name, -1, nodes_ - 1);
    if (x == rank_) a.fail("{}=\"{}\" is the gpu itself", name, x);
    return x < 0 ? kNoNode : static_cast<Node>(x);
  }

  static void in_order(const Attributes& a, const char* name, std::size_t expected) {
    const std::int64_t number = a.number(name, 0, kMost);
    if (static_cast<std::uint64_t>(number) != expected) {
      a.fail("{}=\"{}\": expected {}, the next in order", name, number, expected);
    }
  }

  void step(const Attributes& a) {
    Block& block = program_.ranks[rank_].blocks.back();
    in_order(a, "s", block.steps.size());
    Step s;
    s.line = static_cast<std::uint32_t>(a.line());
    s.does = what(a);
    if (sends(s.does) && block.to == kNoNode) a.fail("the step sends, but its tb has send=\"-1\"");
    if (receives(s.does) && block.from == kNoNode) {
      a.fail("the step receives, but its tb has recv=\"-1\"");
    }
    if (!s.does.nothing()) {
      s.count = static_cast<std::uint32_t>(a.number("cnt", 1, kMost));
      count(a, s.count);
    }
    if (s.does.reads()) s.source = place(a, "src", s.count);
    if (s.does.writes) s.destination = place(a, "dst", s.count);
    writes_output_ = writes_output_ || (s.does.writes && s.destination.buffer == 'o');
    s.after_block = static_cast<std::uint32_t>(a.number("depid", -1, kMost));
    const std::int64_t least = s.after_block == kNone ? -1 : 0;
    s.after_step = static_cast<std::uint32_t>(a.number("deps", least, kMost));
    s.awaited = a.number("hasdep", 0, 1) == 1;
    block.steps.push_back(s);
  }

  Does what(const Attributes& a) const {
    const std::string_view type = a.text("type");
    for (const auto& [name, does] : kTypes) {
      if (type != name) continue;
      if (does.reduces && !reduces(program_.collective)) {
        a.fail("type=\"{}\": a {} adds nothing up", type, to_string(program_.collective));
      }
      return does;
    }
    a.fail("type=\"{}\": expected s, r, rcs, cpy, nop, re, rrc, rrs or rrcs", shortened(type));
  }

  Place place(const Attributes& a, const std::string& which, std::uint32_t count) const {
    const std::string_view buffer = a.text(which + "buf");
    if (buffer != "i" && buffer != "o" && buffer != "s") {
      a.fail("{}buf=\"{}\": expected i, o or s", which, shortened(buffer));
    }
    return place(a, buffer[0], which + "off", count);
  }
  Place place(const Attributes& a, char buffer, const std::string& name,
              std::uint32_t count) const {
    const auto offset = static_cast<std::uint32_t>(a.number(name, 0, kMost));
    const std::uint32_t size = sizes_[rank_].of(buffer);
    if (std::uint64_t{offset} + count > size) {
      a.fail("chunks {} to {} of buffer {}, which has {}", offset,
             std::uint64_t{offset} + count - 1, buffer, size);
    }
    return {buffer, offset};
  }

  void check_waits(Node x) const {
    const std::vector<Block>& blocks = program_.ranks[x].blocks;
    for (const Block& block : blocks) {
      stop_if_interrupted();
      for (const Step& s : block.steps) {
        if (s.after_block == kNone) continue;
        const std::string which = fmt::format("step {} of tb {}", s.after_step, s.after_block);
        if (s.after_block >= blocks.size() || s.after_step >= blocks[s.after_block].steps.size()) {
          fail(file_, s.line, "it waits for {} of gpu {}, which is not there", which, x);
        }
        const Step& before = blocks[s.after_block].steps[s.after_step];
        if (&before == &s) fail(file_, s.line, "it waits for itself");
        if (!before.awaited) {
          fail(file_, s.line, "it waits for {}, which has hasdep=\"0\"", which);
        }
      }
    }
  }

  Node nodes_;
  const Meant& meant_;
  const std::string& file_;
  Program program_;
  std::vector<Sizes> sizes_;
  std::size_t depth_ = 0;
  bool known_ = false;  ///< <algo> was there
  bool says_in_place_ = false, writes_output_ = false;
  Node rank_ = 0;  ///< of the open <gpu>
  std::uint64_t chunks_ = 0;
};

/// Expat calls back; what goes wrong there ends the parsing, and is thrown when it has returned.
class Parser {
 public:
  Parser(Node nodes, const Meant& meant, const std::string& file)
      : builder_(nodes, meant, file),
        file_(file),
        expat_(XML_ParserCreate(nullptr), &XML_ParserFree) {
    if (!expat_) throw std::bad_alloc();
    XML_SetUserData(expat_.get(), this);
    XML_SetElementHandler(expat_.get(), &Parser::begin, &Parser::end);
    // Without them no file can define entities, and so none is longer than it looks.
    XML_SetStartDoctypeDeclHandler(expat_.get(), &Parser::doctype);
  }

  Program parse(std::string_view text) && {
    constexpr std::size_t kPart = std::size_t{1} << 20;
    for (bool last = false; !last; text.remove_prefix(std::min(kPart, text.size()))) {
      stop_if_interrupted();
      last = text.size() <= kPart;
      const auto size = static_cast<int>(std::min(kPart, text.size()));
      const XML_Status status = XML_Parse(expat_.get(), text.data(), size, last);
      if (thrown_) std::rethrow_exception(thrown_);
      if (status != XML_STATUS_OK) {
        fail(file_, line(), "{}", XML_ErrorString(XML_GetErrorCode(expat_.get())));
      }
    }
    return std::move(builder_).finish(line());
  }

 private:
  std::uint64_t line() const { return XML_GetCurrentLineNumber(expat_.get()); }

  static void begin(void* self, const char* name, const char** attributes) {
    auto& p = *static_cast<Parser*>(self);
    p.guarded([&] { p.builder_.begin(name, Attributes(name, attributes, p.file_, p.line())); });
  }
  static void end(void* self, const char* name) {
    static_cast<Parser*>(self)->guarded([&] { static_cast<Parser*>(self)->builder_.end(name); });
  }
  static void doctype(void* self, const char*, const char*, const char*, int) {
    auto& p = *static_cast<Parser*>(self);
    p.guarded([&] { fail(p.file_, p.line(), "a document type is not read here"); });
  }

  /// No exception may pass through C.
  template <typename Work>
  void guarded(Work work) {
    if (thrown_) return;
    try {
      work();
    } catch (...) {
      thrown_ = std::current_exception();
      XML_StopParser(expat_.get(), XML_FALSE);
    }
  }

  Builder builder_;
  const std::string& file_;
  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> expat_;
  std::exception_ptr thrown_;
};

}  // namespace

Program read_program(std::string_view text, const std::string& file, Node nodes,
                     const Meant& meant) {
  return Parser(nodes, meant, file).parse(text);
}

Order::Order(const Program& program, const std::string& file) : file_(file) {
  for (Node x = 0; x < program.ranks.size(); ++x) {
    first_block_.push_back(static_cast<BlockId>(blocks_.size()));
    for (const Block& block : program.ranks[x].blocks) {
      blocks_.push_back({x, &block, static_cast<StepId>(steps_.size())});
      for (const Step& step : block.steps) steps_.push_back(&step);
      block_.resize(steps_.size(), static_cast<BlockId>(blocks_.size() - 1));
    }
  }
  connect();
  find_chains();
}

void Order::connect() {
  using Connection = std::tuple<Node, Node, std::uint32_t>;
  struct Ends {
    BlockId sender = kNone, receiver = kNone;
  };
  std::map<Connection, Ends> connections;
  const auto take = [&](BlockId& end, BlockId b, Node from, Node to) {
    if (end != kNone) {
      fail(file_, blocks_[b].block->line,
           "another tb has this end of the connection from {} to {} on channel {}", from, to,
           blocks_[b].block->channel);
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
      if (i >= received.size()) wrong(sent[i], "gpu {} does not receive it", to);
      if (i >= sent.size()) wrong(received[i], "gpu {} does not send it", from);
      if (steps_[sent[i]]->count != steps_[received[i]]->count) {
        wrong(received[i], "it receives another cnt than gpu {} sends in line {}", from,
              steps_[sent[i]]->line);
      }
      partner_[sent[i]] = received[i];
    }
    if (ends.sender != kNone) receiver_[ends.sender] = ends.receiver;
  }
}

std::vector<StepId> Order::of(BlockId b, bool (*does)(Does)) const {
  std::vector<StepId> found;
  if (b == kNone) return found;
  for (StepId s = blocks_[b].first; s < blocks_[b].end(); ++s) {
    if (does(steps_[s]->does)) found.push_back(s);
  }
  return found;
}

void Order::find_chains() {
  std::vector<std::vector<StepId>> next(steps_.size());
  std::vector<std::uint32_t> open(steps_.size(), 0);
  before_.assign(steps_.size(), {kNone, kNone, kNone});
  const auto arrow = [&](StepId before, StepId after) {
    next[before].push_back(after);
    before_[after][open[after]++] = before;
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
  place_.resize(steps_.size());
  for (StepId i = 0; i < order.size(); ++i) place_[order[i]] = i;
  chain_.assign(steps_.size(), 0);
  for (auto s = order.rbegin(); s != order.rend(); ++s) {
    for (const StepId after : next[*s]) chain_[*s] = std::max(chain_[*s], chain_[after]);
    if (sends(steps_[*s]->does)) chain_[*s] += steps_[*s]->count;
  }
}

bool Order::precedes(StepId a, StepId b) const {
  std::vector<StepId> open = {b};
  std::set<StepId> seen;
  while (!open.empty()) {
    const StepId s = open.back();
    open.pop_back();
    if (block_[s] == block_[a] && s >= a) return true;
    for (const StepId before : before_[s]) {
      if (before == a) return true;
      if (before != kNone && place_[before] > place_[a] && seen.insert(before).second) {
        open.push_back(before);
      }
    }
  }
  return false;
}

void Order::refuse_cycle(const std::vector<std::vector<StepId>>& next,
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
  wrong(s, "it waits for itself, by way of line {}", steps_[before[s]]->line);
}

}  // namespace gossamer::msccl
