#include "checks/log_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "adaptive/node_sets.hpp"
#include "support/interrupt.hpp"

namespace gossamer::tb {
namespace {

/// Words of a log that are read at once. Compressed stores compute them, and a part that stays in
/// the cache is read faster; explicit ones may have to copy the whole log for each part.
constexpr std::size_t kComputedPart = std::size_t{1} << 13, kPart = std::size_t{1} << 20;

}  // namespace

std::string and_others(const FabricImage& image, std::uint64_t nodes) {
  if (image.copies() == 1) return "";
  return fmt::format(", as in {} more nodes", nodes * (image.copies() - 1));
}

LogReader::LogReader(const Fabric& fabric, const FabricImage& image, const Payload& payload,
                     bool so_far, std::size_t max_problems)
    : fabric_(fabric),
      image_(image),
      payload_(payload),
      so_far_(so_far),
      max_problems_(max_problems),
      nodes_(image.quotient ? image.quotient->all().nodes() : image.topology.nodes()),
      flits_(payload.flits()),
      first_number_(payload.first({0, 0})),
      by_flits_(flits_),
      by_nodes_(nodes_),
      arrived_(set_words(nodes_)),
      pieces_(payload.cut().pieces() == 1 ? 0 : std::size_t{nodes_} * payload.cut().pieces()) {}

LogReader::Found LogReader::read(Node i) {
  std::ranges::fill(arrived_, 0);
  pieces_.assign(pieces_.size(), false);
  found_ = {};
  for (unsigned g = 0; g < image_.kind.logs(); ++g) {
    image_.kind.adaptive ? read_adaptive(i, g) : read_log(i, g);
  }
  // A message has arrived when all its pieces have.
  const std::uint32_t pieces = payload_.cut().pieces();
  for (std::size_t at = 0; at < pieces_.size(); at += pieces) {
    const auto origin = static_cast<Node>(at / pieces);
    const Node destination = payload_.one_per_origin() ? kNoNode : image_.node_of(i);
    const std::uint32_t come = std::min(pieces, payload_.cut().cut({origin, destination}).flits);
    const auto first = pieces_.begin() + static_cast<std::ptrdiff_t>(at);
    if (std::find(first, first + come, false) == first + come) put(arrived_, origin);
  }
  return std::exchange(found_, {});
}

/// A log is read in parts. Each begins with a message, and holds a whole one if there is one.
void LogReader::read_log(Node i, unsigned g) {
  const std::size_t part = image_.expected ? kComputedPart : kPart;
  const std::size_t most = std::max<std::size_t>({part, flits_, image_.own_size(i)});
  const Node x = image_.node_of(i);
  part_begin_ = 0;
  std::vector<std::uint32_t> words = fabric_.part_of_log(i, g, 0, most);
  bool is_last = words.size() < most;
  std::size_t at = image_.kind.single_port ? check_own(i, words) : 0;
  while (true) {
    at = pass_good(x, words, at);
    if (!is_last && words.size() - at < flits_) {
      if (!so_far_) stop_if_interrupted();
      part_begin_ += at;
      words = fabric_.part_of_log(i, g, part_begin_, most);
      is_last = words.size() < most;
      at = 0;
      continue;
    }
    if (at == words.size()) break;
    at = read_message(x, g, words, at);
  }
  found_.words += part_begin_ + words.size();
}

/// A log of an adaptive node: a place for every message, filled or not.
void LogReader::read_adaptive(Node x, unsigned g) {
  const std::vector<std::uint32_t> words = fabric_.log(x, g);
  const std::vector<bool> arrived = fabric_.arrived(x, g);
  if (image_.kind.single_port) check_own(x, words);
  for (Node m = 0; m < nodes_; ++m) {
    const std::size_t at = std::size_t{m} << image_.message_shift;
    std::size_t end = at;
    while (end < at + flits_ && arrived[end]) ++end;
    if (end == at) continue;
    read_message(x, g, std::span(words).first(end), at);
    found_.words += end - at;
    const auto id = payload_.identify(words[at]);
    if (id && id->message.origin != (x ^ m)) {
      problem(fmt::format("node {}, log {}, word {}: node {}'s message where node {}'s belongs", x,
                          g, at, id->message.origin, x ^ m));
    }
  }
}

/// A single-port node's log begins with its own words.
std::size_t LogReader::check_own(Node i, std::span<const std::uint32_t> words) {
  const std::size_t own = image_.own_size(i);
  for (std::size_t k = 0; k < own; ++k) {
    if (k >= words.size() || words[k] != image_.own_words[image_.own_begin[i] + k]) {
      problem(fmt::format("node {}: its own word {} was overwritten", image_.node_of(i), k));
      break;
    }
  }
  return std::min(own, words.size());
}

/// Passes over messages that are whole and right, from word `at` on. Returns where they end. This
/// is what read_message() does, for words without a problem: they may be billions.
std::size_t LogReader::pass_good(Node x, std::span<const std::uint32_t> words, std::size_t at) {
  if (!pieces_.empty() || !payload_.cut().equal_messages()) return at;
  // Copies, which no bit that is set can change.
  const bool one_per_origin = payload_.one_per_origin();
  const Divisor by_flits = by_flits_, by_nodes = by_nodes_;
  const std::uint32_t flits = flits_, first_number = first_number_;
  const std::span<std::uint64_t> arrived = arrived_;
  for (; words.size() - at >= flits; at += flits) {
    const std::uint32_t number = Payload::number(words[at]) - first_number;
    const std::uint32_t message = by_flits.quotient(number);
    if (message * flits != number) break;
    const Node origin = one_per_origin ? message : by_nodes.quotient(message);
    if (origin >= by_nodes.divisor()) break;
    std::uint32_t flit = 1;
    while (flit < flits && words[at + flit] == Payload::word(first_number + number + flit)) ++flit;
    if (flit < flits) break;
    if (one_per_origin || message - origin * by_nodes.divisor() == x) put(arrived, origin);
  }
  return at;
}

/// Checks one message from word `at`. It must be whole, except at the end of a log in a run that
/// was given up. Returns where the next one begins.
std::size_t LogReader::read_message(Node x, unsigned g, std::span<const std::uint32_t> words,
                                    std::size_t at) {
  const auto first = payload_.identify(words[at]);
  if (!first) return pass_over(x, g, words, at);
  if (first->index != 0) {
    problem(
        fmt::format("node {}, log {}, word {}: {:#010x} is flit {} of the message of node {}, "
                    "not the first one",
                    x, g, part_begin_ + at, words[at], first->index, first->message.origin));
    return at + 1;
  }
  const unsigned flits = payload_.flits(first->message);
  for (unsigned i = 0; i < flits; ++i) {
    FlitId id = *first;
    id.index = i;
    if (so_far_ && at + i == words.size()) return words.size();
    if (at + i >= words.size() || words[at + i] != payload_.word(id)) {
      problem(fmt::format("node {}, log {}, word {}: the message of node {} breaks off at flit {}",
                          x, g, part_begin_ + at + i, first->message.origin, i));
      return at + i;
    }
  }
  note(x, first->message);
  return at + flits;
}

/// Words that nobody sent, in one line; returns what comes after them.
std::size_t LogReader::pass_over(Node x, unsigned g, std::span<const std::uint32_t> words,
                                 std::size_t at) {
  std::size_t end = at + 1;
  while (end < words.size() && !payload_.identify(words[end])) ++end;
  if (end == at + 1) {
    problem(fmt::format("node {}, log {}, word {}: {:#010x} is no word that anybody sent", x, g,
                        part_begin_ + at, words[at]));
  } else {
    problem(
        fmt::format("node {}, log {}, words {}-{} ({}): no words that anybody sent, first {:#010x}",
                    x, g, part_begin_ + at, part_begin_ + end - 1, end - at, words[at]));
  }
  return end;
}

void LogReader::note(Node x, const Message& m) {
  if (m.destination != kNoNode && m.destination != x) return;
  if (pieces_.empty()) return put(arrived_, m.origin);
  pieces_[std::size_t{m.origin} * payload_.cut().pieces() + m.piece] = true;
}

void LogReader::problem(const std::string& text) {
  if (found_.problems.size() < max_problems_) {
    found_.problems.push_back(text + and_others(image_, 1));
  } else {
    ++found_.untold;
  }
}

}  // namespace gossamer::tb
