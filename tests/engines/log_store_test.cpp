// The compressed stores of the tile engine in runs that go wrong.
#include "engines/tile/log_store.hpp"

#include <random>

#include "catch.hpp"
#include "driver/case.hpp"
#include "engines/prepared.hpp"
#include "tables/expected_logs.hpp"

namespace gossamer::test {
namespace {

/// The nodes first to last of an image, and what plain lists of words say about their logs.
template <unsigned kLogs, bool kSingle, bool kAdaptive, unsigned kChannels>
class Compared {
 public:
  Compared(const FabricImage& image, Node first, Node last)
      : image_(image), first_(first), last_(last), logs_((last - first) * kLogs) {
    store_.load(image, first, last);
    reload();
  }

  /// Loads an image again, of the same nodes or others.
  void load(const FabricImage& image, Node first, Node last) {
    image_ = image;
    first_ = first;
    last_ = last;
    logs_.assign((last - first) * kLogs, {});
    store_.load(image, first, last);
    reload();
  }

  void step(std::mt19937& random) {
    const auto i = static_cast<Node>(random() % (last_ - first_));
    const auto g = static_cast<unsigned>(random() % kLogs);
    std::vector<std::uint32_t>& log = list(i, g);
    if (log.size() < image_.capacity && random() % 3 != 0) {
      const std::uint32_t word =
          !wrong_ || random() % 50 != 0 ? right(i, g) : static_cast<std::uint32_t>(random());
      store_.append(i, g, word);
      log.push_back(word);
    } else if (log.size() == image_.capacity) {
      CHECK_THROWS_AS(store_.append(i, g, 0), std::logic_error);
    }
    const auto channel = static_cast<unsigned>(random() % kChannels);
    // A channel reads on where it was, or somewhere else; now and then where nothing is.
    auto& at = places_[i * kChannels + channel];
    if (random() % 4 == 0) {
      at = {static_cast<unsigned>(random() % (kLogs + 2)),
            static_cast<std::uint32_t>(random() % (image_.capacity + 3))};
    }
    REQUIRE(store_.read(i, channel, at.log, at.index) == read(i, at.log, at.index));
    ++at.index;
    REQUIRE(store_.length(i, g) == log.size());
  }

  void compare_all(std::mt19937& random) {
    std::uint64_t words = 0, different = 0;
    for (Node i = 0; i < last_ - first_; ++i) {
      bool expected = image_.expected != nullptr;
      for (unsigned g = 0; g < kLogs; ++g) {
        const auto& log = list(i, g);
        REQUIRE(store_.log(i, g) == log);
        const std::uint64_t from = random() % (log.size() + 2), most = random() % (log.size() + 2);
        const auto begin =
            log.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(from, log.size()));
        const auto end = log.begin() + static_cast<std::ptrdiff_t>(
                                           std::min<std::uint64_t>(from + most, log.size()));
        REQUIRE(store_.part(i, g, from, most) == std::vector<std::uint32_t>(begin, end));
        if (!image_.expected) continue;
        words += log.size();
        expected = expected && log.size() == image_.expected->words(class_of(i), g);
        for (std::uint32_t k = 0; k < log.size(); ++k) {
          if (log[k] == scheduled(i, g, k)) continue;
          ++different;
          expected = false;
        }
      }
      REQUIRE(store_.as_expected(i) == expected);
      REQUIRE(store_.arrived(i, 0).empty());
    }
    REQUIRE(store_.compared().words == words);
    REQUIRE(store_.compared().different == different);
  }

  void let_words_be_wrong() { wrong_ = true; }

 private:
  struct Place {
    unsigned log = 0;
    std::uint32_t index = 0;
  };

  std::vector<std::uint32_t>& list(Node i, unsigned g) { return logs_[i * kLogs + g]; }
  Node class_of(Node i) const { return image_.program_of[first_ + i]; }
  std::vector<std::uint32_t> own(Node i) const {
    const auto begin = image_.own_words.begin();
    return {begin + static_cast<std::ptrdiff_t>(image_.own_begin[first_ + i]),
            begin + static_cast<std::ptrdiff_t>(image_.own_begin[first_ + i + 1])};
  }
  void reload() {
    wrong_ = false;
    places_.assign((last_ - first_) * kChannels, {});
    if (!kSingle) return;
    for (Node i = 0; i < last_ - first_; ++i) list(i, 0) = own(i);
  }
  /// Word k that the schedule puts into a log; any other number where it puts none.
  std::uint64_t scheduled(Node i, unsigned g, std::uint32_t k) const {
    if (!image_.expected || k >= image_.expected->words(class_of(i), g)) return ~std::uint64_t{0};
    return image_.expected->word(class_of(i), image_.expected->shift(first_ + i, class_of(i)), g,
                                 k);
  }
  std::uint32_t right(Node i, unsigned g) {
    return static_cast<std::uint32_t>(
        scheduled(i, g, static_cast<std::uint32_t>(list(i, g).size())));
  }
  std::uint32_t read(Node i, unsigned g, std::uint32_t index) {
    const auto words = !kSingle && g == kLogs ? own(i)
                       : g < kLogs            ? list(i, g)
                                              : std::vector<std::uint32_t>{};
    return index < words.size() ? words[index] : 0;
  }

  tb::LogStore<kLogs, kSingle, kAdaptive, kChannels> store_;
  FabricImage image_;
  Node first_, last_;
  std::vector<std::vector<std::uint32_t>> logs_;
  std::vector<Place> places_;
  bool wrong_ = false;
};

template <unsigned kLogs, bool kSingle, unsigned kChannels>
void compare_with_lists(const std::string& topology, const std::string& algorithm, unsigned flits) {
  CAPTURE(topology, algorithm, flits);
  Case asked;
  asked.topology = topology;
  asked.algorithm = algorithm;
  const Schedule schedule = make_plan(asked).schedule;
  FabricImage compressed = prepare(schedule, flits, schedule.topology().ports());
  const FabricImage explicit_image = compressed;
  compressed.expected =
      expected_logs(schedule, compressed.kind, Payload(schedule, flits, kPayloadSeed));
  REQUIRE(compressed.expected != nullptr);
  const Node nodes = schedule.topology().nodes();
  std::mt19937 random(flits);
  Compared<kLogs, kSingle, false, kChannels> store(compressed, 0, nodes);
  const auto play = [&] {
    for (unsigned part = 0; part < 8; ++part) {
      if (part == 5) store.let_words_be_wrong();
      for (std::uint32_t k = 0; k < nodes * kLogs * compressed.capacity / 3; ++k)
        store.step(random);
      store.compare_all(random);
    }
  };
  play();
  store.load(compressed, 1, nodes - 1);
  play();
  store.load(explicit_image, 0, nodes);
  play();
  store.load(compressed, 2, nodes);
  play();
}

}  // namespace

TEST_CASE("stores, compressed or not, hold what plain lists of words hold") {
  compare_with_lists<1, true, 1>("ring:6", "ring", 1);
  compare_with_lists<1, true, 1>("torus:3x5", "product", 3);
  compare_with_lists<4, false, 1>("torus:3x3", "translation", 2);
  compare_with_lists<6, false, 6>("torus:3x3x3", "translation", 1);
}

TEST_CASE("a run with more than a million wrong words is given up with a reason of its own") {
  const Schedule schedule = plan("ring:4", "ring", Duplex::Full);
  FabricImage image = prepare(schedule, 1u << 19, 2);
  image.expected = expected_logs(schedule, image.kind, Payload(schedule, 1u << 19, kPayloadSeed));
  tb::LogStore<1, true, false, 1> store;
  store.load(image, 0, 4);
  const auto fill = [&](std::size_t words) {
    for (std::size_t i = 0; i < words; ++i) store.append(1, 0, 0);
  };
  fill(tb::kMostDifferentWords);
  CHECK(store.compared().different == tb::kMostDifferentWords);
  CHECK_THROWS_AS(fill(1), GaveUp);
  CHECK_FALSE(store.as_expected(1));
  CHECK(store.as_expected(0) == false);  // words are missing
}

}  // namespace gossamer::test
