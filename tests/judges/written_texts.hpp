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

/// What a report says of runs with wrong numbers, and how it names a case and runs it
/// again: as text, and the texts as they were written down.
std::vector<WrittenText> written_reports();

/// The first line that differs, in one line; nothing if the texts are equal.
std::string difference(const WrittenText& text);

}  // namespace gossamer::tb
