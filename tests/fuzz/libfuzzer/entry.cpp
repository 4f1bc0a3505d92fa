#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>

#include "../targets.hpp"

// The functions that libFuzzer calls; FUZZ_TARGET names the target. One program for each.

using namespace gossamer;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Target& target = fuzz::target(FUZZ_TARGET);
  try {
    fuzz::run(target, {reinterpret_cast<const char*>(data), size});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "finding: %s\n", error.what());
    __builtin_trap();
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

/// Half of the inputs are changed byte by byte, half as lines of text with numbers.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string text = fuzz::mutated({reinterpret_cast<const char*>(data), size}, seed / 2);
  if (text.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::copy(text.begin(), text.end(), data);
  return text.size();
}
