#pragma once

namespace gossamer::fuzz {

/// Interrupts this program's own work if it takes long, and clears the interruption at the end.
/// Work that then goes on for seconds ignores interruptions, and is reported as a hang.
class Impatience {
 public:
  Impatience();
  ~Impatience();
  Impatience(const Impatience&) = delete;
  Impatience& operator=(const Impatience&) = delete;
};

}  // namespace gossamer::fuzz
