#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "fabric/fabric.hpp"
#include "fabric/torus_shape.hpp"
#include "tables/node_build.hpp"

namespace gossamer {

/// The smallest powers of two, at least `least`, that hold the image with an end mark after every
/// table and list. Throws InputError if no node can be built that large.
NodeDepths depths_for(const FabricImage& image, const NodeDepths& least = {});

/// The text between `torus_fabric #(` and `)` for the image, without the parameter of its files:
/// lines such as ".DIMS(2), .RADICES(32'h00040004), ...". axi_fabric has the same parameters,
/// except those of small nodes. Throws InputError if torus_fabric does not support the topology.
std::string fabric_parameters(const FabricImage& image, const NodeBuild& build);

/// Writes the image for $readmemh, four kinds of files for every node NNNN:
///   node_NNNN_slots.mem     slot table, an entry a line
///   node_NNNN_list_CC.mem   segment list of read channel CC, a segment a line
///   node_NNNN_own.mem       own words, a word a line
///   node_NNNN_own_words.mem how many own words there are
/// and fabric.vh, the parameters of torus_fabric that belong to them. All memories are filled up
/// with zeros. Throws InputError if the topology is none of torus_fabric's, if nodes that large
/// would not execute the image as it stands, or if a file cannot be written; what was written
/// before is removed then. With a part only its nodes are written, in its order, and fabric.vh has
/// the parameters of torus_part. `others`: further files, by name; if fabric.vh is one, it gets
/// IMAGES alone. With `packets`, the words that each node takes for each program (Programs), it is
/// for axi_fabric: nodes have two banks, and no own words but
///   node_NNNN_packets.mem   these numbers, a program a line
void write_mem_images(const FabricImage& image, const NodeBuild& build, const std::string& folder,
                      const std::optional<TorusPart>& part = {},
                      std::map<std::string, std::string> others = {},
                      std::span<const std::uint32_t> packets = {});

/// The parameters of one node of the image that are not those of its ports and links, such as
/// ".MODEL(32'h00000001), ..., .STORE_DEPTH(64)".
std::string node_parameters(const NodeBuild& build);

/// The kind of node `x` in a fabric whose nodes have as many ports as they have links: its first
/// ones.
NodeKind kind_of_links(const FabricImage& image, Node x);

/// The images of the nodes alone, each for its kind_of_links, and other files, by name.
void write_node_images(const FabricImage& image, const NodeBuild& build, const std::string& folder,
                       const std::map<std::string, std::string>& others);

}  // namespace gossamer
