#pragma once

#include <string>
#include <vector>

#include "page/streams.hpp"
#include "run/runner.hpp"
#include "tables/timing.hpp"

namespace gossamer {

/// A stand-alone picture, for papers and slides: `body` with a title, on white.
std::string whole_svg(double width, double height, const std::string& title,
                      const std::string& body);

/// What draws a text as wide as its room, if it would be wider: an attribute, or nothing.
std::string narrowed(const std::string& text, double room);

/// The runs of flits on all links as bars over the cycles, a line for each link, each bar in the
/// colour of its origin and with its number if there is room; those that faults take away are
/// empty frames. Throws InputError for too many.
std::string space_time_svg(const Topology& topology, const std::vector<LinkRun>& runs,
                           const std::vector<LinkRun>& lost, const Timeline& time,
                           const std::string& title);

/// The round in which each message arrived at each node as a matrix, nodes downwards and messages
/// to the right; if every pair has its own message, origins downwards and destinations to the
/// right. Throws InputError for too many.
std::string knowledge_svg(const Schedule& schedule, const std::vector<PageStream>& streams,
                          const std::string& title);

}  // namespace gossamer
