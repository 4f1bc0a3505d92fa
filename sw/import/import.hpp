#pragma once

#include <string>

#include "import/meant.hpp"

namespace gossamer {

/// Makes a schedule from the output of another program: MSCCL's XML (msccl.hpp), or a list of
/// links, chunks and times (link_chunk_time.hpp). `text` is the content of `file`. Throws
/// InputError "FILE:LINE: what is wrong".
Schedule import_schedule(std::string_view text, const std::string& file, const Topology& topology,
                         const Meant& meant);

}  // namespace gossamer
