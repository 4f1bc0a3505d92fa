#pragma once

namespace gossamer::tb {

#if VM_TRACE_FST
/// The system's number of the first error in this thread's waveform; 0: none. Defined where that is
/// written (wave_writer.cpp). A new waveform forgets it.
int wave_error(bool forget = false);
#else
inline int wave_error(bool = false) { return 0; }
#endif

}  // namespace gossamer::tb
