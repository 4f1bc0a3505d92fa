#pragma once

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "engines/tile/log_store.hpp"

namespace gossamer::tb {

/// Nodes that are evaluated at once.
inline constexpr unsigned kLanes = 8;

/// A condition holds in some lanes only, so that they do not take the same way.
struct Diverged {};
[[noreturn, gnu::cold, gnu::noinline]] inline void diverge() { throw Diverged{}; }

/// The same number of eight nodes, a lane for each. It has the operators of a number, so that a
/// model that Verilator wrote for one node is compiled for eight: its types are these then
/// (lane_model.hpp). Every lane is computed by itself. Only where the model asks `if` must all of
/// them agree. What a model needs and is not here does not compile.
class Lanes {
 public:
  using Numbers [[gnu::vector_size(kLanes * 4)]] = std::uint32_t;

  Lanes() = default;
  [[gnu::always_inline]] Lanes(std::uint32_t all) : v(Numbers{} + all) {}
  [[gnu::always_inline]] explicit Lanes(Numbers numbers) : v(numbers) {}

  /// Which lanes are not 0, a bit each.
  [[gnu::always_inline]] unsigned which() const {
    return ~static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(
               _mm256_cmpeq_epi32(reinterpret_cast<__m256i>(v), _mm256_setzero_si256())))) &
           kAll;
  }
  [[gnu::always_inline]] explicit operator bool() const { return agreed(which()); }

  [[gnu::always_inline]] bool any() const { return _mm256_testz_si256(bits(), bits()) == 0; }

  [[gnu::always_inline]] static Lanes load(const std::array<std::uint32_t, kLanes>& from) {
    Lanes numbers;
    __builtin_memcpy(&numbers.v, from.data(), sizeof numbers.v);
    return numbers;
  }
  [[gnu::always_inline]] std::array<std::uint32_t, kLanes> store() const {
    std::array<std::uint32_t, kLanes> to;
    __builtin_memcpy(to.data(), &v, sizeof v);
    return to;
  }
  [[gnu::always_inline]] std::uint32_t operator[](unsigned lane) const { return v[lane]; }
  [[gnu::always_inline]] void set(unsigned lane, std::uint32_t number) { v[lane] = number; }
  [[gnu::always_inline]] __m256i bits() const { return reinterpret_cast<__m256i>(v); }

  /// Of a condition's lanes, if they agree.
  [[gnu::always_inline]] static bool agreed(unsigned which) {
    if (which == 0) return false;
    if (which != kAll) diverge();
    return true;
  }
  static constexpr unsigned kAll = (1u << kLanes) - 1;

  /// Each lane's element of an array.
  [[gnu::always_inline]] static Lanes of(const std::uint32_t* array, Lanes index) {
    return Lanes(reinterpret_cast<Numbers>(
        _mm256_i32gather_epi32(reinterpret_cast<const int*>(array), index.bits(), 4)));
  }
  /// Is it the same number in all lanes?
  [[gnu::always_inline]] bool all_same() const {
    return _mm256_movemask_epi8(_mm256_cmpeq_epi32(
               bits(), _mm256_broadcastd_epi32(_mm256_castsi256_si128(bits())))) == -1;
  }

  Numbers v;
};

/// The same for numbers of up to eight bits, which most registers are: the less there is to be
/// moved from cache to cache, the faster.
class LaneBytes {
 public:
  LaneBytes() = default;
  [[gnu::always_inline]] LaneBytes(Lanes numbers) { *this = numbers; }
  [[gnu::always_inline]] LaneBytes& operator=(Lanes numbers) {
    const __m256i low = _mm256_shuffle_epi8(numbers.bits(), _mm256_set1_epi32(0x0c080400));
    bytes_ = static_cast<std::uint64_t>(_mm_cvtsi128_si64(
        _mm_unpacklo_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1))));
    return *this;
  }
  [[gnu::always_inline]] operator Lanes() const {
    return Lanes(reinterpret_cast<Lanes::Numbers>(
        _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(bytes_)))));
  }
  [[gnu::always_inline]] explicit operator bool() const {
    if (bytes_ == 0) return false;
    if (!all_set()) diverge();
    return true;
  }
  [[gnu::always_inline]] bool any() const { return bytes_ != 0; }
  [[gnu::always_inline]] bool all_same() const {
    return bytes_ == (bytes_ & 0xff) * 0x0101010101010101;
  }
  [[gnu::always_inline]] std::uint32_t operator[](unsigned lane) const {
    return bytes_ >> 8 * lane & 0xff;
  }
  void set(unsigned lane, std::uint32_t number) {
    bytes_ = (bytes_ & ~(std::uint64_t{0xff} << 8 * lane)) | std::uint64_t{number & 0xff}
                                                                 << 8 * lane;
  }

 private:
  /// Is no byte 0?
  [[gnu::always_inline]] bool all_set() const {
    constexpr std::uint64_t low = 0x7f7f7f7f7f7f7f7f;
    return (((bytes_ & low) + low) | bytes_ | low) == ~std::uint64_t{0};
  }
  std::uint64_t bytes_;
};

/// The same for numbers of up to 16 bits.
class LaneShorts {
 public:
  LaneShorts() = default;
  [[gnu::always_inline]] LaneShorts(Lanes numbers) { *this = numbers; }
  [[gnu::always_inline]] LaneShorts& operator=(Lanes numbers) {
    const __m256i low = _mm256_packus_epi32(numbers.bits(), numbers.bits());
    shorts_ = _mm256_castsi256_si128(_mm256_permute4x64_epi64(low, 0x08));
    return *this;
  }
  [[gnu::always_inline]] operator Lanes() const {
    return Lanes(reinterpret_cast<Lanes::Numbers>(_mm256_cvtepu16_epi32(shorts_)));
  }
  [[gnu::always_inline]] explicit operator bool() const { return Lanes(*this).operator bool(); }

 private:
  __m128i shorts_;
};

/// The lanes in which a comparison holds. As a number it is 0 or 1.
class LaneMask {
 public:
  using Signs [[gnu::vector_size(kLanes * 4)]] = std::int32_t;
  [[gnu::always_inline]] explicit LaneMask(Signs signs) : v(signs) {}
  [[gnu::always_inline]] operator Lanes() const {
    return Lanes(reinterpret_cast<Lanes::Numbers>(v) >> 31);
  }
  [[gnu::always_inline]] unsigned which() const {
    return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(v)));
  }
  [[gnu::always_inline]] explicit operator bool() const { return Lanes::agreed(which()); }

 private:
  Signs v;
};

/// What a function says of all lanes.
class LaneCondition {
 public:
  LaneCondition(bool holds) : holds_(holds) {}
  LaneCondition(Lanes numbers) : holds_(numbers) {}
  operator bool() const { return holds_; }
  operator Lanes() const { return Lanes(holds_); }

 private:
  bool holds_;
};

#define GOSSAMER_LANES_OPERATOR(op) \
  [[gnu::always_inline]] inline Lanes operator op(Lanes a, Lanes b) { return Lanes(a.v op b.v); }
GOSSAMER_LANES_OPERATOR(+)
GOSSAMER_LANES_OPERATOR(-)
GOSSAMER_LANES_OPERATOR(*)
GOSSAMER_LANES_OPERATOR(&)
GOSSAMER_LANES_OPERATOR(|)
GOSSAMER_LANES_OPERATOR(^)
GOSSAMER_LANES_OPERATOR(<<)
GOSSAMER_LANES_OPERATOR(>>)
#undef GOSSAMER_LANES_OPERATOR
#define GOSSAMER_LANES_OPERATOR(op)                                      \
  [[gnu::always_inline]] inline LaneMask operator op(Lanes a, Lanes b) { \
    return LaneMask(a.v op b.v);                                         \
  }
GOSSAMER_LANES_OPERATOR(==)
GOSSAMER_LANES_OPERATOR(!=)
GOSSAMER_LANES_OPERATOR(<)
GOSSAMER_LANES_OPERATOR(<=)
GOSSAMER_LANES_OPERATOR(>)
GOSSAMER_LANES_OPERATOR(>=)
#undef GOSSAMER_LANES_OPERATOR
[[gnu::always_inline]] inline Lanes operator<<(Lanes a, std::uint32_t by) {
  return Lanes(a.v << by);
}
[[gnu::always_inline]] inline Lanes operator>>(Lanes a, std::uint32_t by) {
  return Lanes(a.v >> by);
}
/// Verilator's parity of a word.
[[gnu::always_inline]] inline Lanes VL_REDXOR_32(Lanes a) {
  for (unsigned half = 16; half > 0; half /= 2) a = a ^ a >> half;
  return a & 1u;
}
[[gnu::always_inline]] inline Lanes operator~(Lanes a) { return Lanes(~a.v); }
[[gnu::always_inline]] inline Lanes operator-(Lanes a) { return Lanes(-a.v); }

/// Numbers of up to 64 bits, in two halves.
class alignas(64) LaneLongs {
 public:
  LaneLongs() = default;
  [[gnu::always_inline]] LaneLongs(std::uint64_t all)
      : low(static_cast<std::uint32_t>(all)), high(static_cast<std::uint32_t>(all >> 32)) {}
  [[gnu::always_inline]] LaneLongs(Lanes low) : low(low), high(0) {}
  [[gnu::always_inline]] LaneLongs(Lanes low, Lanes high) : low(low), high(high) {}
  [[gnu::always_inline]] explicit operator Lanes() const { return low; }
  [[gnu::always_inline]] explicit operator bool() const {
    return Lanes::agreed(low.which() | high.which());
  }
  [[gnu::always_inline]] Lanes& operator[](std::uint32_t word) { return word == 0 ? low : high; }
  [[gnu::always_inline]] const Lanes& operator[](std::uint32_t word) const {
    return word == 0 ? low : high;
  }
  Lanes low, high;
};
/// One of two numbers has 64 bits.
template <class A, class B>
concept AnyLong = std::is_same_v<A, LaneLongs> || std::is_same_v<B, LaneLongs>;
[[gnu::always_inline]] inline LaneLongs as_long(const LaneLongs& a) { return a; }
[[gnu::always_inline]] inline LaneLongs as_long(Lanes a) { return a; }
template <std::unsigned_integral Number>
[[gnu::always_inline]] inline LaneLongs as_long(Number a) {
  return std::uint64_t{a};
}
#define GOSSAMER_LANES_OPERATOR(op)                                             \
  template <class A, class B>                                                   \
  requires AnyLong<A, B>                                                        \
  [[gnu::always_inline]] inline LaneLongs operator op(const A& x, const B& y) { \
    const LaneLongs a = as_long(x), b = as_long(y);                             \
    return {a.low op b.low, a.high op b.high};                                  \
  }
GOSSAMER_LANES_OPERATOR(&)
GOSSAMER_LANES_OPERATOR(|)
GOSSAMER_LANES_OPERATOR(^)
#undef GOSSAMER_LANES_OPERATOR
template <class A, class B>
requires AnyLong<A, B>
[[gnu::always_inline]] inline Lanes operator!=(const A& x, const B& y) {
  const LaneLongs a = as_long(x), b = as_long(y);
  return Lanes(a.low != b.low) | Lanes(a.high != b.high);
}
template <class A, class B>
requires AnyLong<A, B>
[[gnu::always_inline]] inline Lanes operator==(const A& x, const B& y) { return (x != y) ^ 1u; }
template <class A, class B>
requires AnyLong<A, B>
[[gnu::always_inline]] inline LaneLongs operator+(const A& x, const B& y) {
  const LaneLongs a = as_long(x), b = as_long(y);
  const Lanes low = a.low + b.low;
  return {low, a.high + b.high + Lanes(low < a.low)};
}
template <class A, class B>
requires AnyLong<A, B>
[[gnu::always_inline]] inline LaneLongs operator-(const A& x, const B& y) {
  const LaneLongs a = as_long(x), b = as_long(y);
  return {a.low - b.low, a.high - b.high - Lanes(a.low < b.low)};
}
[[gnu::always_inline]] inline LaneLongs operator~(const LaneLongs& a) { return {~a.low, ~a.high}; }
/// What is shifted by 32 and more, or by less than 0, is 0.
[[gnu::always_inline]] inline Lanes left(Lanes a, Lanes by) {
  return Lanes(reinterpret_cast<Lanes::Numbers>(_mm256_sllv_epi32(a.bits(), by.bits())));
}
[[gnu::always_inline]] inline Lanes right(Lanes a, Lanes by) {
  return Lanes(reinterpret_cast<Lanes::Numbers>(_mm256_srlv_epi32(a.bits(), by.bits())));
}
[[gnu::always_inline]] inline LaneLongs operator<<(const LaneLongs& a, Lanes by) {
  return {left(a.low, by),
          left(a.high, by) | right(a.low, Lanes(32) - by) | left(a.low, by - Lanes(32))};
}
[[gnu::always_inline]] inline LaneLongs operator>>(const LaneLongs& a, Lanes by) {
  return {right(a.low, by) | left(a.high, Lanes(32) - by) | right(a.high, by - Lanes(32)),
          right(a.high, by)};
}
[[gnu::always_inline]] inline LaneLongs operator<<(const LaneLongs& a, std::uint32_t by) {
  return a << Lanes(by);
}
[[gnu::always_inline]] inline LaneLongs operator>>(const LaneLongs& a, std::uint32_t by) {
  return a >> Lanes(by);
}
[[gnu::always_inline]] inline Lanes VL_REDXOR_64(const LaneLongs& a) {
  return VL_REDXOR_32(a.low ^ a.high);
}

/// Copies what consists of lanes. (A compiler would copy so much byte by byte, which is slower.)
template <class Model>
[[gnu::always_inline]] inline void copy_lanes(Model& to, const Model& from) {
  static_assert(sizeof(Model) % 64 == 0 && alignof(Model) >= 64);
  __m256i* t = reinterpret_cast<__m256i*>(&to);
  const __m256i* f = reinterpret_cast<const __m256i*>(&from);
  std::size_t i = 0;
  for (; i + 8 <= sizeof(Model) / 32; i += 8) {
    t[i] = f[i], t[i + 1] = f[i + 1], t[i + 2] = f[i + 2], t[i + 3] = f[i + 3];
    t[i + 4] = f[i + 4], t[i + 5] = f[i + 5], t[i + 6] = f[i + 6], t[i + 7] = f[i + 7];
  }
  for (; i < sizeof(Model) / 32; ++i) t[i] = f[i];
}

/// The nodes in the lanes, one or more.
struct LaneNodes {
  /// Fewer nodes are as fast one by one.
  static constexpr unsigned kFewest = 3;
  std::array<std::uint32_t, kLanes> node{};
  unsigned count = 0;
  const std::uint32_t* begin() const { return node.data(); }
  const std::uint32_t* end() const { return node.data() + count; }
  /// A number for each node; in the other lanes that of the first one.
  template <class Number>
  [[gnu::always_inline]] Lanes lanes(const Number& number) const {
    std::array<std::uint32_t, kLanes> numbers;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      numbers[lane] = lane < count ? number(node[lane]) : numbers[0];
    }
    return Lanes::load(numbers);
  }
};

/// A number of several words.
template <std::size_t kWords>
class LaneWide {
 public:
  [[gnu::always_inline]] Lanes& operator[](std::uint32_t word) { return words_[word]; }
  [[gnu::always_inline]] const Lanes& operator[](std::uint32_t word) const { return words_[word]; }
  /// Each lane has an index of its own, mostly the same one.
  [[gnu::always_inline]] Lanes operator[](Lanes word) const {
    if ((word == Lanes(word[0])).which() == Lanes::kAll) return words_[word[0]];
    Lanes numbers;
    for (unsigned lane = 0; lane < kLanes; ++lane) numbers.set(lane, words_[word[lane]][lane]);
    return numbers;
  }

 private:
  Lanes words_[kWords];
};
/// Verilator's zero of so many bits.
template <std::size_t kWords>
[[gnu::always_inline]] inline void VL_ZERO_W(int, LaneWide<kWords>& to) {
  for (std::uint32_t i = 0; i < kWords; ++i) to[i] = Lanes(0);
}

/// An array of registers. All lanes must have the same index.
template <class Register, std::size_t kSize>
class LaneArray {
 public:
  Register& operator[](std::size_t i) { return registers_[i]; }
  const Register& operator[](std::size_t i) const { return registers_[i]; }
  Register& operator[](Lanes index) { return registers_[same(index)]; }
  const Register& operator[](Lanes index) const { return registers_[same(index)]; }

 private:
  static std::uint32_t same(Lanes index) {
    if (!index.all_same()) diverge();
    return index[0];
  }
  Register registers_[kSize];
};

/// A 32-bit word of a port of any width.
[[gnu::always_inline]] inline Lanes& lane_word(Lanes& port, unsigned) { return port; }
template <class Port>
[[gnu::always_inline]] inline auto lane_word(Port& port, unsigned word) -> decltype(port[word]) {
  return port[word];
}

/// `width` (at most 32) bits of a port from bit `lsb`.
template <class Port>
[[gnu::always_inline]] inline Lanes lane_field(const Port& port, unsigned lsb, unsigned width) {
  const Lanes mask(static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1));
  if constexpr (std::is_convertible_v<const Port&, Lanes>) {
    return Lanes(port) >> lsb & mask;
  } else {
    const Lanes low = port[lsb / 32] >> lsb % 32;
    if (lsb % 32 + width <= 32) return low & mask;
    return (low | port[lsb / 32 + 1] << (32 - lsb % 32)) & mask;
  }
}

/// A log of the nodes of a group. As long as what arrives is what should, it is compared for all
/// eight at once, and counted here: LaneStore::settle must be called before anybody else asks for
/// these logs.
struct LaneLog {
  Lanes at = 0, shift = 0;  ///< of the next words, if a message has one flit
  Lanes number = 0;         ///< of the next words, if it has several
  std::uint32_t left = 0;   ///< as many words in all lanes before one of them begins something else
  std::uint32_t done = 0;   ///< words that the store does not count yet
};

/// What a channel of the nodes of a group reads next, if it goes on in the same message.
struct LaneRead {
  Lanes address = 0, log = 0, number = 0;
  std::uint32_t left = 0;  ///< words, in all lanes
};

/// A LogStore that also takes the words of a group of nodes, and reads them.
template <class Store>
class LaneStore : public Store {
 public:
  using Store::append;
  using Store::read;

  [[gnu::always_inline]] void append(const LaneNodes& nodes, unsigned log, LaneLog& lanes,
                                     Lanes words) {
    if (lanes.left != 0 || start_lanes(nodes, log, lanes)) {
      if ((Payload::word(number(lanes)) == words).which() == Lanes::kAll) {
        lanes.at = lanes.at + 1;
        lanes.number = lanes.number + 1;
        --lanes.left;
        ++lanes.done;
        return;
      }
      settle(nodes, log, lanes);
    }
    for (unsigned lane = 0; lane < nodes.count; ++lane) append(nodes.node[lane], log, words[lane]);
  }

  void settle(const LaneNodes& nodes, unsigned log, LaneLog& lanes) {
    for (const Node i : nodes) {
      auto& written = written_[this->at(i, log)];
      written.length += lanes.done;
      if (flits_ == 1) {
        written.words.at += lanes.done;
      } else if (expected_) {
        written.words.number += lanes.done;
        written.words.left -= lanes.done;
      }
    }
    lanes.left = lanes.done = 0;
  }

  /// What the lanes in `enable` read; the others have any word. The group's logs are settled if
  /// they must be.
  [[gnu::always_inline]] Lanes read(const LaneNodes& nodes, unsigned channel, LaneRead& next,
                                    std::vector<LaneLog>& logs, unsigned enable, Lanes log,
                                    Lanes address) {
    if (next.left != 0 && enable == Lanes::kAll && !any_different_ &&
        (Lanes(address == next.address) & Lanes(log == next.log)).which() == Lanes::kAll) {
      --next.left;
      next.address = next.address + 1;
      const Lanes word = Payload::word(next.number);
      next.number = next.number + 1;
      return word;
    }
    return read_each(nodes, channel, next, logs, enable, log, address);
  }

 private:
  using Store::any_different_;
  using Store::capacity_;
  using Store::cursors_;
  using Store::expected_;
  using Store::flits_;
  using Store::written_;

  [[gnu::always_inline]] Lanes number(const LaneLog& lanes) const {
    if (flits_ != 1) return lanes.number;
    const DigitPacking& packing = expected_->packing;
    const Lanes origin = packing.nodes(
        packing.translate(Lanes::of(expected_->origins.data(), lanes.at), lanes.shift));
    return origin + Lanes(expected_->payload.first({0, kNoNode}));
  }

  /// Looks how many words a group can take as it is. False if it must take them one by one.
  bool start_lanes(const LaneNodes& nodes, unsigned log, LaneLog& lanes) {
    settle(nodes, log, lanes);
    if (!expected_) return false;
    std::uint32_t left = ~std::uint32_t{0};
    for (const Node i : nodes) {
      auto& written = written_[this->at(i, log)];
      auto& words = written.words;
      std::uint32_t more;
      if (flits_ == 1) {
        if (!this->find_run(words, i, log, written.length)) return false;
        more = words.end - written.length;
      } else {
        if (words.left == 0 && !this->next_message(words, i, log, this->message(written.length)))
          return false;
        more = words.left;
      }
      left = std::min({left, more, capacity_ - written.length});
    }
    const auto words_of = [&](Node i) -> auto& { return written_[this->at(i, log)].words; };
    lanes.at = nodes.lanes([&](Node i) { return words_of(i).at; });
    lanes.shift = nodes.lanes([&](Node i) { return words_of(i).shift; });
    lanes.number = nodes.lanes([&](Node i) { return words_of(i).number; });
    lanes.left = left;
    return left != 0;
  }

  /// The same one by one. If all read a message that has arrived, they may go on together.
  Lanes read_each(const LaneNodes& nodes, unsigned channel, LaneRead& next,
                  std::vector<LaneLog>& logs, unsigned enable, Lanes log, Lanes address) {
    Lanes words = 0;
    std::uint32_t left = expected_ && enable == Lanes::kAll ? ~std::uint32_t{0} : 0;
    for (unsigned lane = 0; lane < nodes.count; ++lane) {
      if ((enable >> lane & 1) == 0) continue;
      const Node i = nodes.node[lane];
      const unsigned g = log[lane];
      if (g < logs.size() && logs[g].done != 0 && address[lane] >= this->length(i, g)) {
        settle(nodes, g, logs[g]);
      }
      words.set(lane, read(i, channel, g, address[lane]));
      if (left == 0) continue;
      const auto& cursor = cursors_[std::size_t{i} * this->channels_ + channel];
      if (g >= logs.size() || any_different_ || cursor.index != address[lane] + 1) {
        left = 0;
      } else {
        left = std::min({left, cursor.words.left, this->length(i, g) - cursor.index});
      }
    }
    if (left != 0) {
      next.address = address + 1;
      next.log = log;
      next.number = nodes.lanes([&](Node i) {
        return cursors_[std::size_t{i} * this->channels_ + channel].words.number;
      });
    }
    next.left = left;
    for (unsigned lane = nodes.count; lane < kLanes; ++lane) words.set(lane, words[0]);
    return words;
  }
};

}  // namespace gossamer::tb
