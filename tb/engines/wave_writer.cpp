// Verilator's writer of FST files, which by itself does not notice that a disk is full, and maps
// files that are then shorter than it thinks: the program would be killed. What fails here is kept
// for verilated_model.hpp.
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// As in verilated_model.hpp: Verilator's runtime is compiled without our folders.
namespace gossamer::tb {
int wave_error(bool forget);
}

namespace {

thread_local int failure = 0;

template <class Result>
Result after(Result result, bool failed) {
  if (failed && failure == 0) failure = errno != 0 ? errno : EIO;
  return result;
}

size_t watched_fwrite(const void* data, size_t size, size_t count, FILE* file) {
  const size_t written = fwrite(data, size, count, file);
  return after(written, written != count);
}
int watched_fflush(FILE* file) {
  const int result = fflush(file);
  return after(result, result != 0);
}
int watched_fclose(FILE* file) {
  const bool failed = ferror(file) != 0;  // in fputc, which is not watched
  const int result = fclose(file);
  return after(result, failed || result != 0);
}
/// Of a file that has fewer pages, zeros.
void* watched_mmap(void* at, size_t size, int protection, int flags, int file, off_t from) {
  const off_t page = sysconf(_SC_PAGESIZE);
  struct stat status;
  const bool whole = fstat(file, &status) == 0 &&
                     (status.st_size + page - 1) / page * page >= from + static_cast<off_t>(size);
  if (whole) return mmap(at, size, protection, flags, file, from);
  return after(mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), true);
}

}  // namespace

int gossamer::tb::wave_error(bool forget) {
  const int error = failure;
  if (forget) failure = 0;
  return error;
}

#define fwrite watched_fwrite
#define fflush watched_fflush
#define fclose watched_fclose
#define mmap watched_mmap
#include "verilated_fst_c.cpp"
#undef fwrite
#undef fflush
#undef fclose
#undef mmap
