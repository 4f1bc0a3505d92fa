#pragma once

#include <vector>

#include "judges/written_texts.hpp"

namespace gossamer::tb {

/// The results of bounds, checker and table compiler for small fabrics as text, and the texts as
/// they were when they were written down. A difference shows that something has changed. Whether a
/// result is right is tested in tests/bounds/exhaustive_test.cpp, tests/checker and
/// tests/tables/slow_tables_test.cpp.
std::vector<WrittenText> written_numbers();

}  // namespace gossamer::tb
