#pragma once

#include <pthread.h>

#include <cstddef>
#include <stdexcept>

/// As long as it exists the system starts no thread: each asks for a stack that is larger than the
/// address space.
class NoThreads {
 public:
  NoThreads() {
    pthread_getattr_default_np(&usual_);
    pthread_attr_t huge;
    pthread_getattr_default_np(&huge);
    pthread_attr_setstacksize(&huge, std::size_t{1} << 48);
    if (pthread_setattr_default_np(&huge) != 0) throw std::runtime_error("threads start as usual");
    pthread_attr_destroy(&huge);
  }
  ~NoThreads() {
    pthread_setattr_default_np(&usual_);
    pthread_attr_destroy(&usual_);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t usual_;
};
