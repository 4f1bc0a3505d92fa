#include "import/import.hpp"

#include "import/link_chunk_time.hpp"
#include "import/msccl.hpp"

namespace gossamer {

Schedule import_schedule(const std::string& text, const std::string& file, const Topology& topology,
                         const Model& model) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const bool xml = begin != std::string::npos && text[begin] == '<';
  return (xml ? read_msccl_xml : read_link_chunk_time)(text, file, topology, model);
}

}  // namespace gossamer
