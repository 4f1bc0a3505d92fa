#pragma once

#include <vector>

#include "judges/written_texts.hpp"

namespace gossamer::tb {

/// What bounds, checker and table compiler say of small fabrics, written out, beside what they said
/// when the texts were made. These show that something has changed; whether it is right is for
/// tests/bounds/exhaustive_test.cpp, tests/checker and tests/tables/slow_tables_test.cpp to say.
std::vector<WrittenText> written_numbers();

}  // namespace gossamer::tb
