// Verilator's copy of the FST library, built as Verilator builds it.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "waves/wave.hpp"

#ifdef GOSSAMER_FST_READER
#define HAVE_LIBPTHREAD
#define FST_CONFIG_INCLUDE "fst_config.h"
// One after the other, as they are meant to be included.
// clang-format off
#include <gtkwave/fastlz.c>
#include <gtkwave/fstapi.c>
#include <gtkwave/lz4.c>
// clang-format on
#endif

namespace gossamer::test {
namespace {

std::string rest_of(FILE* file) {
  std::string text;
  char part[4096];
  while (const std::size_t size = std::fread(part, 1, sizeof part, file)) text.append(part, size);
  return text;
}

}  // namespace

#ifdef GOSSAMER_FST_READER
std::string vcd_of(const std::string& fst) {
  void* reader = fstReaderOpen(fst.c_str());
  if (reader == nullptr) throw std::runtime_error(fst + " is no waveform file");
  FILE* vcd = std::tmpfile();
  fstReaderSetVcdExtensions(reader, 1);
  fstReaderProcessHier(reader, vcd);
  fstReaderSetFacProcessMaskAll(reader);
  fstReaderIterBlocks(reader, nullptr, nullptr, vcd);
  fstReaderClose(reader);
  std::rewind(vcd);
  std::string text = rest_of(vcd);
  std::fclose(vcd);
  return text;
}
#else
std::string vcd_of(const std::string& fst) {
  FILE* vcd = popen(("fst2vcd -e -f '" + fst + "'").c_str(), "r");
  std::string text = rest_of(vcd);
  if (pclose(vcd) != 0) throw std::runtime_error("fst2vcd cannot read " + fst);
  return text;
}
#endif

}  // namespace gossamer::test
