#pragma once

#include <string>
#include <vector>

#include "fabric/payload.hpp"

namespace gossamer {

/// "12.0" is flit 0 of node 12's message, "3>5.0" of its message to node 5; ".0" is omitted if
/// messages have one flit.
std::string flit_text(const FlitId& flit, unsigned flits);

/// The flits of a run by name, a line for each word of a link, valid bit first: "1<word> 12.0".
/// Each origin has one of a few colours. Messages of `first` come first; the list ends after 20,000
/// lines. Of a reduction what is sent is named by whose parts are in it, and coloured by how many:
/// "0-3,7.5", "all.5", of a reduce-scatter "2:0-3.5" of the block of node 2. Where several sums
/// happen to be the same word, the first name is meant.
std::string flit_names(const Schedule& schedule, const Payload& payload,
                       const std::vector<Node>& first);

}  // namespace gossamer
