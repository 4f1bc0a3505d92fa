#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gossamer {

/// The factors of what follows "product:", between commas; an edge list's name may have some, too.
std::vector<std::string_view> factors_of_product(std::string_view list);

/// Converts a topology named in a file of `folder` to its name from the working directory: the
/// names of its edge lists (`edges:FILE.json`) are relative to the file that holds them.
std::string edge_lists_from(std::string_view spec, const std::string& folder);

/// The inverse: from the name seen from the working directory to the name in a file of `folder`.
std::string edge_lists_in(std::string_view spec, const std::string& folder);

/// The folder of a file; empty if it is the working directory.
std::string folder_of(const std::string& file);

}  // namespace gossamer
