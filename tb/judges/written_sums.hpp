#pragma once

#include <vector>

#include "judges/written_texts.hpp"

namespace gossamer::tb {

/// Results for many small random schedules and graphs, too long to be written down: a checksum of
/// each kind of result instead. Like written_numbers() they show that something has changed.
std::vector<WrittenText> written_sums();

}  // namespace gossamer::tb
