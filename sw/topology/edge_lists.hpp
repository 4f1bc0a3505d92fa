#pragma once

#include <string>
#include <string_view>

namespace gossamer {

/// A topology as a file in `folder` names it, as it is named from the working directory: the names
/// of its edge lists (`edges:FILE.json`) are relative to the file that holds them.
std::string edge_lists_from(std::string_view spec, const std::string& folder);

/// The inverse: a topology named from the working directory, as a file in `folder` names it.
std::string edge_lists_in(std::string_view spec, const std::string& folder);

/// The folder of a file; empty if it is the working directory.
std::string folder_of(const std::string& file);

}  // namespace gossamer
