#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>

/// The numbers of Verilator's coverage (tests/coverage/verilator), of a program or an engine. Where
/// COVERAGE names a folder, they are written to a file there at the end: for each point the model,
/// file, line, column, kind, what it is, the lines that it stands for, and how often it was met.
namespace gossamer_coverage {

class Points {
 public:
  /// Several points that are met together share a number. Every model of a class comes with the
  /// same points.
  using Point = std::tuple<const std::uint32_t*, const char*, int, int, const char*>;

  template <class Text>
  void add(const Point& point, const Text& text) {
    const std::lock_guard lock(mutex_);
    if (const auto [at, fresh] = points_.try_emplace(point); fresh) at->second = text();
  }
  ~Points() {
    const char* folder = std::getenv("COVERAGE");
    if (folder == nullptr || points_.empty()) return;
    std::ofstream out(std::string(folder) + "/" + std::to_string(getpid()) + "-" +
                      std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".tsv");
    for (const auto& [point, text] : points_) out << text << *std::get<0>(point) << '\n';
  }

 private:
  std::mutex mutex_;
  std::map<Point, std::string> points_;
};

/// Verilator 5.006 gives some constant signals, and a few others, the first of all numbers, which
/// is a clock's (`of_first`): they would count as met. They do not count here.
inline bool is_clock(std::string_view what) { return what.ends_with("clk_i"); }

inline void note(const std::uint32_t* count, bool of_first, const char* model, const char* file,
                 int line, int column, const char* kind, const char* what, const char* lines) {
  if (of_first && !is_clock(what)) return;
  static Points points;
  points.add({count, file, line, column, what}, [=] {
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
