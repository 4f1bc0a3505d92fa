// What the wheel's command takes from shared libraries elsewhere, and what glibc 2.28 lacks: g++'s
// library of this machine asks for it. Engines find it in the command.
#include <pthread.h>
#include <sys/random.h>
#include <time.h>

#include <cstddef>

#define TOML_IMPLEMENTATION
#include <fmt/format-inl.h>
#include <toml++/toml.h>

FMT_BEGIN_NAMESPACE
namespace detail {
template FMT_API auto dragonbox::to_decimal(float x) noexcept -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double x) noexcept -> dragonbox::decimal_fp<double>;
template FMT_API locale_ref::locale_ref(const std::locale& locale);
template FMT_API auto locale_ref::get<std::locale>() const -> std::locale;
template FMT_API auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
template FMT_API void buffer<char>::append(const char*, const char*);
template FMT_API void vformat_to(buffer<char>&, string_view,
                                 basic_format_args<FMT_BUFFER_CONTEXT(char)>, locale_ref);
}  // namespace detail
FMT_END_NAMESPACE

extern "C" {

char __libc_single_threaded = 0;

void arc4random_buf(void* buffer, std::size_t size) noexcept {
  for (char* at = static_cast<char*>(buffer); size > 0;) {
    const ssize_t got = getrandom(at, size, 0);
    if (got < 0) continue;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
}

unsigned arc4random() noexcept {
  unsigned word;
  arc4random_buf(&word, sizeof word);
  return word;
}

/// The time that is left, on the only clock that pthread_cond_timedwait has.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* until) {
  constexpr long kSecond = 1'000'000'000;
  timespec now, end;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &end);
  const long left = (until->tv_sec - now.tv_sec) * kSecond + until->tv_nsec - now.tv_nsec;
  end.tv_nsec += left > 0 ? left : 0;
  end.tv_sec += end.tv_nsec / kSecond;
  end.tv_nsec %= kSecond;
  return pthread_cond_timedwait(condition, mutex, &end);
}
}
