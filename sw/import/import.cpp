#include "import/import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "import/link_chunk_time.hpp"
#include "import/msccl.hpp"
#include "schedule/jsonl.hpp"
#include "support/error.hpp"

namespace gossamer {
namespace {

constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf", kUtf16Marks[] = {"\xff\xfe", "\xfe\xff"};

/// The first line that is not empty and no comment of a list.
std::string_view first_line(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    const std::string_view line = text.substr(0, text.find('\n'));
    if (!line.starts_with('#')) return line;
    text.remove_prefix(line.size());
  }
}

}  // namespace

Schedule import_schedule(std::string_view text, const std::string& file, const Topology& topology,
                         const Meant& meant) {
  if (topology.nodes() > kMostNodesOfFile) {
    throw InputError(fmt::format("{} has more nodes than schedule files can have, {}",
                                 topology.spec(), kMostNodesOfFile));
  }
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  const std::string_view line = first_line(text);
  const bool wide = std::ranges::any_of(kUtf16Marks, [&](auto m) { return text.starts_with(m); });
  if (wide || line.starts_with('<')) return read_msccl_xml(text, file, topology, meant);
  if (line.starts_with('{') && line.find("\"gossamer\"") != std::string_view::npos) {
    throw InputError(fmt::format("{}:1: it is a schedule already, for `gossamer run`", file));
  }
  const bool list = line.find(',') != std::string_view::npos &&
                    std::ranges::none_of(std::array{"{", "[", "//"},
                                         [&](auto other) { return line.starts_with(other); });
  if (!list) {
    throw InputError(
        fmt::format("{}:1: neither MSCCL's XML nor CSV: expected <algo ...> or lines "
                    "of from,to,chunk,time such as 0,1,0,2.5",
                    file));
  }
  return read_link_chunk_time(text, file, topology, meant);
}

}  // namespace gossamer
