#pragma once

#include <vector>

#include "judges/written_texts.hpp"

namespace gossamer::tb {

/// What bounds, checker and table compiler say of small fabrics, written out, beside what they
/// should say. The bounds never exceed the optima of tests/bounds/exhaustive_test.cpp, the tables
/// are those whose runs the regression compares.
std::vector<WrittenText> written_numbers();

}  // namespace gossamer::tb
