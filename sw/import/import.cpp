#include "import/import.hpp"

#include <fmt/format.h>

#include "import/link_chunk_time.hpp"
#include "import/msccl.hpp"
#include "support/error.hpp"

namespace gossamer {

Schedule import_schedule(const std::string& text, const std::string& file, const Topology& topology,
                         const Meant& meant) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const char first = begin == std::string::npos ? '\0' : text[begin];
  if (first == '<') return read_msccl_xml(text, file, topology, meant);
  const std::string line = first == '\0' ? "" : text.substr(begin, text.find('\n', begin) - begin);
  if (first == '{' && line.find("\"gossamer\"") != std::string::npos) {
    throw InputError(fmt::format("{}:1: it is a schedule already, for `gossamer run`", file));
  }
  const bool list = line.find(',') != std::string::npos && first != '{' && first != '[';
  if (!list) {
    throw InputError(
        fmt::format("{}:1: neither MSCCL's XML nor CSV: expected <algo ...> or lines "
                    "of from,to,chunk,time such as 0,1,0,2.5",
                    file));
  }
  return read_link_chunk_time(text, file, topology, meant);
}

}  // namespace gossamer
