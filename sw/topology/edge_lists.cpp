#include "topology/edge_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "support/file.hpp"

namespace gossamer {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEdges = "edges:", kProduct = "product:";

template <typename Change>
std::string changed(std::string_view spec, Change change) {
  if (!spec.starts_with(kEdges)) return std::string(spec);
  return std::string(kEdges) + change(fs::path(spec.substr(kEdges.size())));
}

/// Changes the file names of all edge lists: of the topology itself, or of a product's factors.
template <typename Change>
std::string changed_lists(std::string_view spec, Change change) {
  if (!spec.starts_with(kProduct)) return changed(spec, change);
  std::vector<std::string> factors;
  for (const std::string_view factor : factors_of_product(spec.substr(kProduct.size()))) {
    factors.push_back(changed(factor, change));
  }
  return fmt::format("{}{}", kProduct, fmt::join(factors, ","));
}

}  // namespace

std::vector<std::string_view> factors_of_product(std::string_view list) {
  std::vector<std::string_view> factors;
  for (std::size_t begin = 0, end = 0; end < list.size(); begin = end + 1) {
    end = std::min(list.find(',', begin), list.size());
    // A factor has a colon: what has none is the rest of an edge list's name.
    while (end < list.size() && list.substr(begin).starts_with(kEdges)) {
      const std::size_t next = std::min(list.find(',', end + 1), list.size());
      if (list.substr(end, next - end).find(':') != std::string_view::npos) break;
      end = next;
    }
    factors.push_back(list.substr(begin, end - begin));
  }
  return factors;
}

std::string edge_lists_from(std::string_view spec, const std::string& folder) {
  if (folder.empty()) return std::string(spec);
  return changed_lists(spec,
                       [&](const fs::path& file) { return file_beside(folder, file.string()); });
}

std::string edge_lists_in(std::string_view spec, const std::string& folder) {
  if (folder.empty()) return std::string(spec);
  return changed_lists(spec, [&](const fs::path& file) {
    if (file.is_absolute()) return file.string();
    return fs::proximate(file, folder).string();
  });
}

std::string folder_of(const std::string& file) { return fs::path(file).parent_path().string(); }

}  // namespace gossamer
