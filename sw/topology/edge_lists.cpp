#include "topology/edge_lists.hpp"

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
  std::string text(kProduct);
  std::string_view rest = spec.substr(kProduct.size());
  for (;;) {
    const std::size_t comma = rest.find(',');
    text += changed(rest.substr(0, comma), change);
    if (comma == std::string_view::npos) return text;
    text += ',';
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace

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
