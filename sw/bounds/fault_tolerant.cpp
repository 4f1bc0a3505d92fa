#include "bounds/fault_tolerant.hpp"

namespace gossamer::bounds {

std::uint64_t fault_tolerant_rounds(unsigned d, unsigned k, PortModel ports) {
  if (ports == PortModel::Single) return k >= 1 ? d + k + 1 : d;
  return d >= 2 && k + 1 == d ? d + 1 : d;
}

}  // namespace gossamer::bounds
