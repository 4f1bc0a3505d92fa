#pragma once

#include <string>

#include "schedule/schedule.hpp"

namespace gossamer {

/// Makes a schedule from the output of another program: XML is MSCCL's (msccl.hpp), any other text
/// is a list of links, chunks and times (link_chunk_time.hpp). `text` is the content of `file`.
/// Throws InputError "FILE:LINE: what is wrong".
Schedule import_schedule(const std::string& text, const std::string& file, const Topology& topology,
                         const Model& model);

}  // namespace gossamer
