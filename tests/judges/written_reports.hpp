#pragma once

#include <vector>

#include "judges/written_texts.hpp"

namespace gossamer::tb {

/// What a report says of runs with wrong numbers, how it names a case and runs it again, and what
/// memory small runs are estimated to need: as text, and the texts as they were written down.
std::vector<WrittenText> written_reports();

}  // namespace gossamer::tb
