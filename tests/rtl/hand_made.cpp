#include "hand_made.hpp"

namespace gossamer::test {

HandMade::HandMade(std::string_view topology, bool single_port, bool half_duplex,
                   bool many_channels)
    : image_{.topology = Topology::parse(topology)} {
  NodeKind& kind = image_.kind;
  kind.ports = tb::tile_ports(image_.topology.ports());
  kind.single_port = single_port;
  kind.half_duplex = half_duplex;
  kind.channels = many_channels ? kind.ports : 1;
  for (Node x = 0; x < image_.topology.nodes(); ++x) {
    image_.programs.push_back({{}, std::vector<std::vector<Segment>>(kind.channels)});
    image_.program_of.push_back(x);
  }
}

SlotEntry& HandMade::slot(Node x, std::uint32_t length) {
  SlotEntry entry;
  entry.length = length;
  entry.select.assign(image_.kind.ports, select_none(image_.kind));
  image_.programs[x].slots.push_back(entry);
  return image_.programs[x].slots.back();
}

void HandMade::idle_everywhere(std::uint32_t length) {
  for (Node x = 0; x < image_.topology.nodes(); ++x) slot(x, length);
}

void HandMade::read(Node x, Port p, const Segment& segment) {
  image_.programs[x].channels[image_.kind.channels == 1 ? 0 : p].push_back(segment);
}

Outcome HandMade::run(std::uint32_t seed) {
  return run(tb::make_tile_fabric(image_.kind, false, seed));
}

Outcome HandMade::run_flat() {
  return run(tb::make_flat_fabric(image_.topology, image_.kind, tb::kFlatDepths, false, 1));
}

Outcome HandMade::run(std::shared_ptr<Fabric> fabric) {
  image_.capacity = capacity;
  image_.own_begin.assign(1, 0);
  image_.own_words.clear();
  for (Node x = 0; x < image_.topology.nodes(); ++x) {
    for (std::uint32_t i = 0; i < own_words; ++i) image_.own_words.push_back(word(x, i));
    image_.own_begin.push_back(image_.own_words.size());
    if (image_.programs[x].slots.empty()) slot(x, 1);
    image_.programs[x].slots.back().final = true;
  }
  fabric->load(image_);
  fabric->run(1000);
  return {fabric->done(), fabric->last_arrival(), fabric->errors(), fabric};
}

void send(SlotEntry& slot, Port p, std::uint32_t flits) {
  slot.select[p] = select_local(p);
  slot.stream = flits;
}

void receive(SlotEntry& slot, Port p) { slot.receive |= std::uint64_t{1} << p; }

void forward(SlotEntry& slot, Port from, Port to) { slot.select[to] = from; }

}  // namespace gossamer::test
