#include <unistd.h>

#include <cstdio>

#include "demo_parts.h"

namespace demo {

progress_bar::progress_bar(std::int64_t total, bool wanted)
    : total_(total), wanted_(wanted), terminal_(::isatty(STDOUT_FILENO) == 1) {}

void progress_bar::show(std::int64_t done, double cells_per_second) {
  if (!wanted_) return;
  const std::int64_t tenths = done * 10 / total_;
  const std::int64_t percent = tenths * 10;
  if (!terminal_) {
    if (tenths > printed_tenths_)
      std::printf("%3lld %%  step %lld of %lld\n", static_cast<long long>(percent), static_cast<long long>(done),
                  static_cast<long long>(total_));
    printed_tenths_ = tenths;
    std::fflush(stdout);
    return;
  }
  const clock::time_point now = clock::now();
  if (done < total_ && now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  draw(done, cells_per_second);
}

void progress_bar::draw(std::int64_t done, double cells_per_second) {
  constexpr std::int64_t width = 40;
  std::string bar;
  for (std::int64_t i = 0; i < width; ++i) bar += i * total_ < done * width ? "█" : "░";
  std::printf("\r%s %3lld %%  step %lld of %lld  %.2f Gcells/s ", bar.c_str(),
              static_cast<long long>(done * 100 / total_), static_cast<long long>(done), static_cast<long long>(total_),
              cells_per_second * 1e-9);
  if (done == total_) std::puts("");
  std::fflush(stdout);
}

}  // namespace demo
