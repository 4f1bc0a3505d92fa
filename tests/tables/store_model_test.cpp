#include "tables/store_model.hpp"

#include "catch.hpp"

namespace gossamer::test {

TEST_CASE("store model: the first copy of each of many messages is found") {
  Places places;
  const MessageNumbers numbers;
  const std::uint64_t unknown = numbers.number({5, 9});
  CHECK(places.find(unknown) == nullptr);
  constexpr std::uint32_t kMessages = 20'000;
  // Some for all, some for one node each.
  const auto message = [&](std::uint32_t i) {
    return numbers.number(i % 3 == 0 ? Message{i, kNoNode} : Message{i % 1000, i});
  };
  for (std::uint32_t i = 0; i < kMessages; ++i) CHECK(places.add(message(i), {i % 7, i}));
  for (std::uint32_t i = 0; i < kMessages; i += 11) CHECK_FALSE(places.add(message(i), {9, 9}));
  std::uint32_t wrong = 0;
  for (std::uint32_t i = 0; i < kMessages; ++i) {
    const Place* place = places.find(message(i));
    wrong += place == nullptr || place->log != i % 7 || place->index != i;
  }
  CHECK(wrong == 0);
  CHECK(places.find(unknown) == nullptr);
}

}  // namespace gossamer::test
