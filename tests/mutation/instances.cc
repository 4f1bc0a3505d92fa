// Templates of tb/ whose code only the engines have: compiled here to see which mutants compile.
#include "engines/tile/link_slots.hpp"
#include "engines/tile/log_store.hpp"

namespace gossamer::tb {

template class LogStore<2, false, false, 2>;
template class LogStore<1, true, false, 1>;
template class LogStore<8, false, true, 1>;
template class LinkSlots<6>;

}  // namespace gossamer::tb
