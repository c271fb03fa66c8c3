#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "tessera/base/error.h"
#include "tessera/device/host/queued_backend.h"

namespace tessera::support {

/// Devices that do nothing. Its compiler knows a kernel by a word `kernel_...` in its text, ends when it is allowed to,
/// and fails for words that contain "wrong". Notes which kernels are loaded, and which were launched in order.
class stub_backend final : public device::queued_backend {
 public:
  explicit stub_backend(std::int64_t memory = std::int64_t{1} << 30,
                        device::kernel_language language = device::kernel_language::cpu)
      : queued_backend("stub", {.devices = 1, .cores = 1, .memory = memory}), language_(language) {
    add_queues(nothing_);
  }
  ~stub_backend() override { end_queues(); }

  [[nodiscard]] std::string name() const override { return "stub"; }
  [[nodiscard]] device::kernel_language language() const override { return language_; }
  event launch(const device::order& order, device::launch_desc call) override {
    {
      const std::lock_guard lock(mutex_);
      launched_.push_back(loaded_.at(call.function));
    }
    return enqueue(order, device::launch_work{std::move(call), nullptr});
  }
  [[nodiscard]] std::vector<std::byte> compile(int, const device::source_desc& source) override {
    const std::string word = word_in(source.text);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !delayed_.contains(word); });
    ++compiled_;
    if (word.find("wrong") != std::string::npos) throw compile_error("nonsense in line 1");
    std::vector<std::byte> binary(word.size());
    std::memcpy(binary.data(), word.data(), word.size());
    return binary;
  }
  [[nodiscard]] std::string compiler_identity(int) override { return "stub"; }
  [[nodiscard]] device::module_id load(int, std::span<const std::byte> binary) override {
    const std::lock_guard lock(mutex_);
    loaded_.emplace(++last_module_, std::string(reinterpret_cast<const char*>(binary.data()), binary.size()));
    return last_module_;
  }
  void unload(device::module_id module) noexcept override {
    const std::lock_guard lock(mutex_);
    loaded_.erase(module);
  }
  [[nodiscard]] device::function_id find(device::module_id module, const std::string&) override { return module; }
  [[nodiscard]] const void* symbol(device::module_id, const std::string&) override { return nullptr; }

  /// From now on compiling the kernel with `word` does not end until `allow`.
  void delay(const std::string& word) {
    const std::lock_guard lock(mutex_);
    delayed_.insert(word);
  }
  void allow(const std::string& word) {
    const std::lock_guard lock(mutex_);
    delayed_.erase(word);
    changed_.notify_all();
  }

  [[nodiscard]] std::vector<std::string> launched() {
    const std::lock_guard lock(mutex_);
    return launched_;
  }
  [[nodiscard]] int compiled() {
    const std::lock_guard lock(mutex_);
    return compiled_;
  }
  [[nodiscard]] std::size_t loaded() {
    const std::lock_guard lock(mutex_);
    return loaded_.size();
  }
  [[nodiscard]] std::ptrdiff_t times_launched(const std::string& word) {
    const std::lock_guard lock(mutex_);
    return std::count(launched_.begin(), launched_.end(), word);
  }

 private:
  class no_work final : public device::operation_runner {
   public:
    [[nodiscard]] int cores() const override { return 1; }
    bool execute(device::work&, device::worker_team&) override { return true; }
  };

  static std::string word_in(const std::string& text) {
    const std::size_t begin = text.find("kernel_");
    const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789", begin);
    return begin == std::string::npos ? std::string() : text.substr(begin, end - begin);
  }

  device::kernel_language language_;
  no_work nothing_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::string> delayed_;
  std::map<device::module_id, std::string> loaded_;
  std::vector<std::string> launched_;
  device::module_id last_module_ = 0;
  int compiled_ = 0;
};

}  // namespace tessera::support
