#pragma once

#include <string>
#include <vector>

namespace gossamer::tb {

/// Something that the software writes for other programs, and what it must be, letter by letter.
struct WrittenText {
  std::string what, is, should;
};

/// Exports of small schedules, worked out by hand, and a report for CI servers.
std::vector<WrittenText> written_texts();

/// The first line in which they differ, in one line; nothing if they are the same.
std::string difference(const WrittenText& text);

}  // namespace gossamer::tb
