#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tessera::runtime {

/// Collects what ran where and when, and writes it in Chrome trace format at the end. Thread-safe.
class trace {
 public:
  using clock = std::chrono::steady_clock;

  /// Writes to `path` when destroyed. `rank` becomes the process number of the timeline.
  trace(std::string path, int rank);
  ~trace();
  trace(const trace&) = delete;
  trace& operator=(const trace&) = delete;

  /// A row of the timeline, such as "cpu:0 compute".
  void name_row(int row, std::string name);
  void add(int row, std::string name, std::string detail, clock::time_point begin, clock::time_point end);

 private:
  struct span {
    int row;
    std::string name, detail;
    clock::time_point begin, end;
  };

  std::string path_;
  int rank_;
  clock::time_point start_ = clock::now();
  std::mutex mutex_;
  std::vector<std::pair<int, std::string>> rows_;
  std::vector<span> spans_;
};

}  // namespace tessera::runtime
