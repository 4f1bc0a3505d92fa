#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "schedule/schedule.hpp"

namespace gossamer {

/// One flit of a message, or of a piece of it.
struct FlitId {
  Message message;
  std::uint32_t index = 0;  ///< 0 ... flits-1
  bool operator==(const FlitId&) const = default;
};

/// Throws InputError if such a collective cannot run, whatever its schedule: because no node can be
/// built with so many ports, or because 32 bits are too few for so many flits.
void refuse_unrunnable(const Topology& topology, Collective collective, unsigned flits);

/// What the flits of a run contain. Every flit of every message is a different word, spread over
/// all 32 bits, and the message can be computed from the word. So one can identify any word without
/// knowing where it should be.
class Payload {
 public:
  /// Throws InputError as refuse_unrunnable does.
  Payload(const Schedule& schedule, unsigned flits, std::uint32_t seed);

  std::uint32_t word(const FlitId& id) const {
    if (is_parity(id.message)) return parity_[id.index];
    return word(first(id.message) + id.index);
  }
  /// Is it the exclusive or of the other pieces (Schedule::tolerance)? Its words have no numbers.
  bool is_parity(const Message& m) const { return !parity_.empty() && m.piece == 0; }
  std::span<const std::uint32_t> parity() const { return parity_; }
  /// The word of a member's part of a reduction. Sums of such words identify nothing.
  std::uint32_t part(Node member, const Message& m, std::uint32_t index) const {
    const std::uint32_t block = member * blocks_ + (blocks_ == 1 ? 0 : m.origin);
    return word(block * flits_ + seed_ + cut_.cut(m).first(m.piece) + index);
  }
  /// The number of a message's first flit; those of the others follow. Pieces are numbered as one
  /// message.
  std::uint32_t first(const Message& m) const {
    return (same_to_all_ ? m.origin : m.origin * nodes_ + m.destination) * flits_ + seed_ +
           (cut_.pieces() == 1 ? 0 : cut_.cut(m).first(m.piece));
  }
  /// The word of the flit with this number. (A Number may be several of them.)
  template <class Number = std::uint32_t>
  static Number word(Number number) {
    return mix(number);
  }
  /// The number of the flit that has this word, even if this run has no such flit.
  template <class Number = std::uint32_t>
  static Number number(Number word) {
    return unmix(word);
  }
  /// Nothing if no flit of this run has that word, and in a reduction.
  std::optional<FlitId> identify(std::uint32_t word) const;
  /// Flits of a whole message, of a longest one.
  unsigned flits() const { return flits_; }
  /// Of a message, or of a piece of it.
  unsigned flits(const Message& chunk) const { return cut_.of(chunk); }
  const ChunkFlits& cut() const { return cut_; }
  bool adds() const { return adds_; }
  /// Is a message identified by its origin alone?
  bool one_per_origin() const { return same_to_all_; }

 private:
  // Two multiplications by odd numbers and their inverses modulo 2^32, with a shift between them.
  // Every step can be undone, and neighbouring numbers give very different words.
  static constexpr std::uint32_t kFirst = 0x9e3779b1;
  static constexpr std::uint32_t kSecond = 0x85ebca6b;
  template <class Number>
  static Number mix(Number x) {
    x = x * kFirst;
    x = x ^ (x >> 16);
    return x * kSecond;
  }
  static constexpr std::uint32_t inverse(std::uint32_t a) {
    std::uint32_t x = a;  // correct to 3 bits; each step doubles them
    for (int i = 0; i < 5; ++i) x *= 2 - a * x;
    return x;
  }
  template <class Number>
  static Number unmix(Number x) {
    constexpr std::uint32_t second = inverse(kSecond), first = inverse(kFirst);
    x = x * second;
    x = x ^ (x >> 16);
    return x * first;
  }

  Node nodes_;
  bool same_to_all_, adds_;
  Node blocks_;  ///< of a vector that is reduced
  ChunkFlits cut_;
  unsigned flits_;
  std::uint32_t seed_;
  Node root_;
  std::vector<std::uint32_t> parity_;  ///< words of the root's piece 0; empty: it is like others
};

/// A colour by its name in GTKWave (X11's) and as browsers write it.
struct OriginColour {
  std::string_view x11, css;
};

/// The colour of origin x's flits is number x modulo their count, in waveforms and reports alike.
/// Dark enough for white text. Neighbouring origins differ.
inline constexpr std::array<OriginColour, 8> kOriginColours = {{{"DarkGreen", "#006400"},
                                                                {"DarkBlue", "#00008b"},
                                                                {"DarkRed", "#8b0000"},
                                                                {"DarkCyan", "#008b8b"},
                                                                {"DarkMagenta", "#8b008b"},
                                                                {"Sienna4", "#8b4726"},
                                                                {"DarkSlateGray", "#2f4f4f"},
                                                                {"DarkOliveGreen", "#556b2f"}}};

}  // namespace gossamer
