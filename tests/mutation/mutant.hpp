#pragma once

// Included by the mutated files of `make mutate-judges`. The environment's GOSSAMER_MUTANT is the
// number of the mutant that runs, 0 or nothing for none. GOSSAMER_MUTANTS_REACHED names a file with
// a byte for each number; those of the places that the program comes by are set.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cstdlib>
#include <type_traits>

namespace gossamer_mutants {

inline unsigned long number_from_environment() {
  const char* text = std::getenv("GOSSAMER_MUTANT");
  return text != nullptr ? std::strtoul(text, nullptr, 10) : 0;
}

inline unsigned char* map_reached() {
  const char* name = std::getenv("GOSSAMER_MUTANTS_REACHED");
  const int file = name != nullptr ? open(name, O_RDWR) : -1;
  struct stat size;
  if (file < 0 || fstat(file, &size) != 0) return nullptr;
  void* bytes = mmap(nullptr, static_cast<unsigned long>(size.st_size), PROT_READ | PROT_WRITE,
                     MAP_SHARED, file, 0);
  return bytes != MAP_FAILED ? static_cast<unsigned char*>(bytes) : nullptr;
}

inline const unsigned long number = number_from_environment();
inline unsigned char* const reached = map_reached();

/// Does this mutant run?
inline bool is(unsigned long mutant) { return number == mutant; }

/// The same, for the first one of a place.
inline bool at(unsigned long mutant) {
  if (__builtin_expect(reached != nullptr, 0)) reached[mutant] = 1;
  return number == mutant;
}

}  // namespace gossamer_mutants
