#pragma once

#include <string>

#include "import/meant.hpp"

namespace gossamer {

/// Makes a schedule of an algorithm for MSCCL's runtime (XML) without reductions. `meant` says what
/// "custom" is; if it names no root, that is the only rank that receives nothing, and in a gather
/// sends nothing. `text` is the content of `file`. Messages may be sent in parts, by several steps
/// or threadblocks, if all parts of a message cross a link in the same round: a schedule has whole
/// messages only.
///
/// The file says in which order things happen, not when. A step takes place as early as the steps
/// before it in its threadblock, the step for which it waits, and the model allow: what arrives in
/// a round can be sent on in the next one, and in a round a link carries each part of one message,
/// or of several if the model combines. A message that a node has from the start takes no round.
/// Steps for which the longest chains of others wait go first. Connections hold any number of
/// messages.
///
/// Throws InputError "FILE:LINE: ..." with the step that is wrong: it sends what is not there,
/// waits for itself, has no partner, puts a message in another's place, or sends a part alone.
/// The checker decides whether links exist and everything arrives; transfers have their steps'
/// lines.
Schedule read_msccl_xml(const std::string& text, const std::string& file, const Topology& topology,
                        const Meant& meant);

}  // namespace gossamer
