#include "tests/fuzz/frame/soak.h"

#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace tessera::fuzz {
namespace {

std::int64_t entries(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
}

std::int64_t resident_bytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  std::int64_t kib = 0;
  while (status >> word)
    if (word == "VmRSS:") status >> kib;
  return kib * 1024;
}

}  // namespace

soak::soak(std::chrono::seconds length)
    : interval_(length / 60), folder_(std::filesystem::temp_directory_path().string()) {
  // With an arena per core each keeps the most that a program ever had in it, for good: many programs later that is all
  // one would see.
  mallopt(M_ARENA_MAX, 1);
}

soak::look soak::take() const {
  malloc_trim(0);  // what the C library keeps for later is not the program's
  return {std::chrono::duration<double>(clock::now() - begin_).count(), resident_bytes(), entries("/proc/self/fd"),
          entries("/proc/self/task"), entries(folder_)};
}

void soak::between_programs() {
  if (clock::now() < next_) return;
  looks_.push_back(take());
  next_ = clock::now() + interval_;
}

bool soak::report() const {
  std::printf("%8s %14s %12s %8s %16s\n", "second", "resident KiB", "descriptors", "threads", "temporary files");
  for (const look& l : looks_)
    std::printf("%8.0f %14lld %12lld %8lld %16lld\n", l.second, static_cast<long long>(l.resident / 1024),
                static_cast<long long>(l.descriptors), static_cast<long long>(l.threads),
                static_cast<long long>(l.files));
  const std::size_t settled = looks_.size() / 3;
  if (looks_.size() < 6) return std::puts("too short to tell whether anything grows"), false;
  const auto middle = looks_.begin() + static_cast<std::ptrdiff_t>((settled + looks_.size()) / 2);
  std::int64_t before = 0, after = 0;
  bool constant = true;
  for (auto l = looks_.begin() + static_cast<std::ptrdiff_t>(settled); l != looks_.end(); ++l) {
    std::int64_t& most = l < middle ? before : after;
    most = std::max(most, l->resident);
    constant = constant && l->descriptors == looks_[settled].descriptors && l->threads == looks_[settled].threads &&
               l->files == looks_[settled].files;
  }
  constant = constant && after <= before + before / 20;
  std::printf("most resident memory: %lld KiB, then %lld KiB; %s\n", static_cast<long long>(before / 1024),
              static_cast<long long>(after / 1024), constant ? "nothing grows" : "SOMETHING GROWS");
  return constant;
}

}  // namespace tessera::fuzz
