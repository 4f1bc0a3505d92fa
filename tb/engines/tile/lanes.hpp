#pragma once

#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace gossamer::tb {

/// Nodes that are evaluated at once.
inline constexpr unsigned kLanes = 8;

/// A condition holds in some lanes only, so that they do not take the same way.
struct Diverged {};
[[noreturn, gnu::cold, gnu::noinline]] inline void diverge() { throw Diverged{}; }

/// The same number of eight nodes, a lane for each. It has the operators of a number, so that a
/// model that Verilator wrote for one node is compiled for eight: its types are this one then
/// (engine.mk). Every lane is computed by itself. Only where the model asks `if` must all of them
/// agree.
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

/// Copies the first bytes, and up to 31 more, of what consists of lanes. (A compiler would copy so
/// much byte by byte, which is slower.)
template <class Model>
[[gnu::always_inline]] inline void copy_lanes(Model& to, const Model& from, std::size_t bytes) {
  static_assert(alignof(Model) >= alignof(__m256i));
  for (std::size_t i = 0; i * sizeof(__m256i) < bytes; ++i) {
    reinterpret_cast<__m256i*>(&to)[i] = reinterpret_cast<const __m256i*>(&from)[i];
  }
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

}  // namespace gossamer::tb
