#include "tables/read_clashes.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace gossamer {
namespace {

/// Reads the list of a channel, word by word.
class ListReader {
 public:
  struct Word {
    unsigned log;
    std::uint32_t address;
    bool operator==(const Word&) const = default;
  };

  explicit ListReader(const std::vector<Segment>& list) : list_(list) {}

  void begin_slot() { stopped_ = false; }
  /// The next word of the slot's stream, if there is one.
  std::optional<Word> next() {
    if (stopped_ || at_ == list_.size()) return {};
    const Segment& s = list_[at_];
    const Word word{s.log, s.base + run_ * s.stride + word_};
    if (++word_ < s.run) return word;
    word_ = 0;
    if (++run_ < s.count) return word;
    run_ = 0;
    stopped_ = s.stop;
    ++at_;
    return word;
  }

 private:
  const std::vector<Segment>& list_;
  std::size_t at_ = 0;
  std::uint32_t run_ = 0, word_ = 0;
  bool stopped_ = false;
};

}  // namespace

ReadClashes::ReadClashes(const NodeKind& kind)
    : kind_(kind),
      pairs_((kind.own_log() + 1) * kind.channels),
      reads_(pairs_),
      clashes_(std::size_t{pairs_} * pairs_) {}

void ReadClashes::add(const NodeProgram& program) {
  if (kind_.channels == 1) return;
  std::vector<ListReader> readers(program.channels.begin(), program.channels.end());
  struct Read {
    unsigned pair;
    ListReader::Word word;
  };
  std::vector<Read> now;
  const auto run_slot = [&](const SlotEntry& e) {
    for (ListReader& r : readers) r.begin_slot();
    for (std::uint32_t cycle = 0; cycle < e.stream; ++cycle) {
      now.clear();
      for (unsigned c = 0; c < kind_.channels; ++c) {
        const Port select = e.select[c];
        if (kind_.join ? !(select >> c & 1) : select != select_local(c)) continue;
        if (const auto word = readers[c].next()) {
          now.push_back({word->log * kind_.channels + c, *word});
        }
      }
      if (now.empty()) return;
      for (const Read& a : now) {
        reads_[a.pair] = true;
        for (const Read& b : now) {
          if (a.word != b.word) clashes_[a.pair * pairs_ + b.pair] = true;
        }
      }
    }
  };
  std::size_t loop = 0;
  std::uint32_t passes = 0;  // of the loop, before this one
  for (std::size_t at = 0; at < program.slots.size(); ++at) {
    const SlotEntry& e = program.slots[at];
    if (e.begins) loop = at;
    for (std::uint32_t i = 0; i < e.repeat && e.stream != 0; ++i) run_slot(e);
    if (!e.loop) continue;
    passes = (passes + 1) % e.loops;
    if (passes != 0) at = loop - 1;
  }
}

std::vector<std::uint16_t> ReadClashes::shared(bool own_behind) const {
  std::vector<std::vector<unsigned>> memories;  // pairs
  const auto fits = [&](const std::vector<unsigned>& memory, unsigned pair) {
    return std::ranges::none_of(memory, [&](unsigned other) { return clash(pair, other); });
  };
  const unsigned channels = kind_.channels;
  for (unsigned log = 0; log <= kind_.own_log(); ++log) {
    const bool own = log == kind_.own_log();
    const std::size_t first = own && own_behind ? 0 : memories.size();
    std::vector<unsigned> order(channels);
    std::iota(order.begin(), order.end(), log * channels);
    // Those that clash with many come first, those that read nothing last.
    std::ranges::stable_sort(order, std::greater{}, [&](unsigned pair) {
      unsigned with = 0;
      for (unsigned c = 0; c < channels; ++c) with += clash(pair, log * channels + c);
      return reads_[pair] ? with + 1 : 0;
    });
    std::optional<std::size_t> has_own;
    for (const unsigned pair : order) {
      std::size_t m = has_own && !reads_[pair] ? *has_own : first;
      while (m < memories.size() && !fits(memories[m], pair)) ++m;
      if (m == memories.size()) memories.emplace_back();
      memories[m].push_back(pair);
      has_own = m;
    }
  }
  std::vector<std::uint16_t> homes(pairs_);
  for (const std::vector<unsigned>& memory : memories) {
    const unsigned home = std::ranges::min(memory);
    for (const unsigned pair : memory) {
      homes[pair] = static_cast<std::uint16_t>(pair == home ? 0 : home + 1);
    }
  }
  return homes;
}

std::optional<std::pair<unsigned, unsigned>> ReadClashes::within(
    const std::vector<std::uint16_t>& shared) const {
  const auto home = [&](unsigned pair) {
    return pair < shared.size() && shared[pair] != 0 ? shared[pair] - 1u : pair;
  };
  for (unsigned a = 0; a < pairs_; ++a) {
    for (unsigned b = a + 1; b < pairs_; ++b) {
      if (home(a) == home(b) && clash(a, b)) return std::pair(a, b);
    }
  }
  return {};
}

}  // namespace gossamer
