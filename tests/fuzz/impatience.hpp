#pragma once

namespace gossamer::fuzz {

/// Sends Ctrl-C to this program's own work if that takes long, and takes it back in the end. What
/// goes on after that for seconds does not listen, and is found as a hang.
class Impatience {
 public:
  Impatience();
  ~Impatience();
  Impatience(const Impatience&) = delete;
  Impatience& operator=(const Impatience&) = delete;
};

}  // namespace gossamer::fuzz
