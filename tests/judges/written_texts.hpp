#pragma once

#include <string>
#include <vector>

namespace gossamer::tb {

/// Output for other programs, and its expected text, compared letter by letter.
struct WrittenText {
  std::string what, is, should;
};

/// Exports of small schedules, computed by hand, and a report for CI servers.
std::vector<WrittenText> written_texts();

/// The first line that differs, in one line; nothing if the texts are equal.
std::string difference(const WrittenText& text);

}  // namespace gossamer::tb
