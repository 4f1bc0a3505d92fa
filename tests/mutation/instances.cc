// Templates of tb/ whose code only the engines have: compiled here to see which mutants compile.
#include "engines/tile/link_slots.hpp"
#include "engines/tile/log_store.hpp"
#include "engines/tile/tile_threads.hpp"

namespace gossamer::tb {

template class LogStore<2, false, false, 2>;
template class LogStore<1, true, false, 1>;
template class LogStore<8, false, true, 1>;
template class LinkSlots<6>;

struct Count {
  unsigned long value = 0;
  void add(const Count& other) { value += other.value; }
};

std::uint64_t run(NodeBlocks& blocks) {
  return run_on_threads<Count>(
      blocks, 2, 0, 10, [](unsigned block, std::uint64_t, Count& count) { count.value += block; },
      [](std::uint64_t, const Count& count) { return count.value != 0; });
}

}  // namespace gossamer::tb
