#include "algorithms/common/algorithm.hpp"

namespace gossamer {

std::vector<Serves> every(const std::vector<Collective>& collectives,
                          const std::vector<PortModel>& ports,
                          const std::vector<Duplex>& duplexes) {
  std::vector<Serves> all;
  for (const Collective collective : collectives) {
    for (const PortModel port : ports) {
      for (const Duplex duplex : duplexes) all.push_back({collective, port, duplex});
    }
  }
  return all;
}

}  // namespace gossamer
