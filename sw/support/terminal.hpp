#pragma once

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace gossamer {

/// Is it a terminal that understands escapes?
inline bool is_terminal(int fd) {
  const char* const kind = std::getenv("TERM");
  return isatty(fd) != 0 && (kind == nullptr || std::string_view(kind) != "dumb");
}

/// Characters in a line of the terminal.
inline std::size_t columns_of(int fd) {
  winsize size{};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : 80;
}

}  // namespace gossamer
