#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <string>

/// The numbers of Verilator's coverage (tests/coverage/verilator), of a program or an engine. Where
/// COVERAGE names a folder, they are written to a file there at the end: for each point the model,
/// file, line, column, kind, what it is, the lines that it stands for, and how often it was met.
namespace gossamer_coverage {

class Points {
 public:
  /// Every model of a class comes with the same points.
  template <class Text>
  void add(const std::uint32_t* count, const Text& text) {
    const std::lock_guard lock(mutex_);
    if (const auto [at, fresh] = points_.try_emplace(count); fresh) at->second = text();
  }
  ~Points() {
    const char* folder = std::getenv("COVERAGE");
    if (folder == nullptr || points_.empty()) return;
    std::ofstream out(std::string(folder) + "/" + std::to_string(getpid()) + "-" +
                      std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".tsv");
    for (const auto& [count, text] : points_) out << text << *count << '\n';
  }

 private:
  std::mutex mutex_;
  std::map<const std::uint32_t*, std::string> points_;
};

inline void note(const std::uint32_t* count, const char* model, const char* file, int line,
                 int column, const char* kind, const char* what, const char* lines) {
  static Points points;
  points.add(count, [=] {
    std::string text;
    for (const std::string& field :
         {std::string(model), std::string(file), std::to_string(line), std::to_string(column),
          std::string(kind), std::string(what), std::string(lines)}) {
      text += field + '\t';
    }
    return text;
  });
}

}  // namespace gossamer_coverage
