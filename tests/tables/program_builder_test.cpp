// Compression loses nothing: tables expand to exactly the slots and words given to the builder; and
// regular programs become small.
#include "tables/program_builder.hpp"

#include <random>

#include "catch.hpp"
#include "expand_program.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

/// Slots that differ by their number.
SlotEntry numbered(std::uint32_t number) {
  SlotEntry e;
  e.length = number + 1;
  e.stream = number / 2;
  e.receive = number % 4;
  e.select = {number % 3, 2};
  return e;
}

using Numbers = std::vector<std::uint32_t>;

NodeProgram build(const Numbers& numbers) {
  ProgramBuilder builder(1);
  for (const std::uint32_t number : numbers) builder.slot(numbered(number));
  return builder.finish();
}

/// Loops of the table do not overlap, are within it, and only its last entry is final.
void require_sound(const std::vector<SlotEntry>& table) {
  std::size_t free = 0;              // behind the last loop
  std::size_t first = table.size();  // of the current one
  for (std::size_t i = 0; i < table.size(); ++i) {
    REQUIRE(table[i].final == (i + 1 == table.size()));
    REQUIRE(table[i].repeat >= 1);
    if (table[i].begins) {
      REQUIRE(first == table.size());
      first = i;
    }
    if (!table[i].loop) continue;
    REQUIRE(table[i].loops >= 2);
    REQUIRE(free <= first);
    REQUIRE(first < i);
    free = i + 1;
    first = table.size();
  }
  REQUIRE(first == table.size());
}

void require_lossless(const Numbers& numbers) {
  const NodeProgram program = build(numbers);
  require_sound(program.slots);
  std::vector<SlotEntry> wanted;
  for (const std::uint32_t number : numbers) wanted.push_back(numbered(number));
  REQUIRE(expand(program.slots) == wanted);
}

/// `body` so many times.
Numbers times(unsigned count, const Numbers& body) {
  Numbers all;
  for (unsigned i = 0; i < count; ++i) all.insert(all.end(), body.begin(), body.end());
  return all;
}
Numbers operator+(Numbers a, const Numbers& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::size_t entries(const Numbers& numbers) {
  require_lossless(numbers);
  return build(numbers).slots.size();
}

}  // namespace

TEST_CASE("program builder: loops of up to 64 entries, longer bodies written out") {
  const std::uint32_t longest = 64;
  Numbers body;
  for (std::uint32_t i = 0; i < longest; ++i) body.push_back(i);
  CHECK(entries(times(3, body)) == longest);
  body.push_back(longest);
  CHECK(entries(times(3, body)) == 3 * (longest + 1));
}

TEST_CASE("program builder: repetition beyond the field's largest count goes on in another entry") {
  constexpr std::uint32_t kMost = (1u << rtl::SLOT_REPEAT_W) - 1;
  ProgramBuilder builder(1);
  for (std::uint32_t i = 0; i < kMost + 5; ++i) builder.slot(numbered(1));
  const NodeProgram program = builder.finish();
  REQUIRE(program.slots.size() == 2);
  CHECK(program.slots[0].repeat == kMost);
  CHECK(program.slots[1].repeat == 5);
}

TEST_CASE("program builder: a loop ends with a slot of up to the greatest usual length") {
  const std::uint32_t longest = (1u << rtl::SLOT_LEN_W) - 2;  // of so many cycles and one
  CHECK(entries(times(3, {5, longest})) == 2);
  CHECK(entries(times(3, {longest + 1, 5})) == 2);
  CHECK(entries(times(3, {5, longest + 1})) > 2);  // its upper bits are where the count would be
}

TEST_CASE("program builder: the table expands to the given slots, whatever they are") {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    CAPTURE(i);
    // Few different slots and repeated pieces, so that there is much to fold, and many chances for
    // errors.
    const unsigned kinds = 1 + random() % 4;
    Numbers numbers;
    const unsigned pieces = 1 + random() % 5;
    for (unsigned p = 0; p < pieces; ++p) {
      Numbers piece;
      const unsigned length = 1 + random() % 6;
      for (unsigned k = 0; k < length; ++k) piece.push_back(random() % kinds);
      numbers = numbers + times(1 + random() % 4, piece);
    }
    require_lossless(numbers);
  }
}

namespace {

struct Read {
  unsigned log;
  std::uint32_t base, words;
  bool stop;
};

std::vector<Segment> build(const std::vector<Read>& reads) {
  SegmentList list;
  for (const Read& r : reads) {
    list.read(r.log, r.base, r.words);
    if (r.stop) list.stop();
  }
  return list.finish();
}

std::size_t segments(const std::vector<Read>& reads) {
  const auto list = build(reads);
  std::vector<ListedWord> wanted;
  for (const Read& r : reads) {
    for (std::uint32_t i = 0; i < r.words; ++i) wanted.push_back({r.log, r.base + i, false});
    if (r.stop) wanted.back().stops = true;
  }
  // Of a segment with several runs only the last word can end the stream.
  REQUIRE(expand(list) == wanted);
  return list.size();
}

}  // namespace

TEST_CASE("segment list: what ends a stream early is joined with nothing behind it") {
  CHECK(segments({{0, 0, 4, true}, {0, 4, 4, false}}) == 2);
  CHECK(segments({{0, 0, 4, true}, {0, 10, 4, true}, {0, 20, 4, false}}) == 3);
}

TEST_CASE("segment list: the list expands to the words read, whatever they are") {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    CAPTURE(i);
    std::vector<Read> reads;
    const unsigned count = random() % 30;
    std::uint32_t next = 0;
    for (unsigned k = 0; k < count; ++k) {
      const std::uint32_t words = 1 + random() % 2;
      const std::uint32_t base = random() % 2 == 0 ? next : random() % 12;
      reads.push_back({random() % 5 == 0 ? 1u : 0u, base, words, random() % 6 == 0});
      next = base + (random() % 2 == 0 ? words : 4);
    }
    segments(reads);
  }
}
