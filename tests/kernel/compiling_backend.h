#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "tessera/base/error.h"
#include "tessera/device/backend.h"
#include "tessera/device/cpu/jit/compiler.h"
#include "tessera/device/cpu/jit/module.h"

namespace tessera::support {

/// Of a backend only what compiling needs; devices do nothing.
class compiling_backend : public device::backend {
 public:
  [[nodiscard]] std::string name() const override { return "test"; }
  [[nodiscard]] device::kernel_language language() const override { return device::kernel_language::cpu; }
  [[nodiscard]] std::span<const device::device_info> devices() const override { return {}; }
  [[nodiscard]] bool shares_host_memory() const override { return true; }
  [[nodiscard]] std::byte* allocate(int, std::int64_t) override { return nullptr; }
  [[nodiscard]] bool back(int, std::byte*, std::int64_t, std::int64_t) override { return false; }
  void unback(int, std::byte*, std::int64_t, std::int64_t) noexcept override {}
  [[nodiscard]] std::int64_t page_bytes(int, std::int64_t bytes) const override { return bytes; }
  void deallocate(int, std::byte*, std::int64_t) noexcept override {}
  [[nodiscard]] std::byte* allocate_host(std::int64_t) override { return nullptr; }
  void deallocate_host(std::byte*, std::int64_t) noexcept override {}
  [[nodiscard]] bool can_wait(const event&) const override { return false; }
  event copy(const device::order&, const device::copy_desc&) override { return {}; }
  event fill(const device::order&, device::fill_desc) override { return {}; }
  event fold(const device::order&, const device::fold_desc&) override { return {}; }
  event launch(const device::order&, device::launch_desc) override { return {}; }
  event native(const device::order&, device::native_function) override { return {}; }
};

/// Its "binary" is the source text itself. `hold()` makes the compiler wait until `release()`.
class fake_backend final : public compiling_backend {
 public:
  std::vector<std::byte> compile(int, const device::source_desc& source) override {
    ++compiled;
    std::unique_lock lock(mutex_);
    threads_.insert(std::this_thread::get_id());
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return !held_; });
    if (source.text.starts_with("wrong")) throw compile_error("line 1: wrong");
    const auto bytes = std::as_bytes(std::span(source.text.data(), source.text.size()));
    return {bytes.begin(), bytes.end()};
  }
  std::string compiler_identity(int device) override { return device < 2 ? identity : "another kind"; }
  device::module_id load(int, std::span<const std::byte>) override { return ++loaded; }
  void unload(device::module_id) noexcept override { ++unloaded; }
  device::function_id find(device::module_id module, const std::string& symbol) override {
    if (symbol == "absent") throw compile_error("no function 'absent'");
    return module * 100 + static_cast<device::function_id>(symbol.size());
  }
  const void* symbol(device::module_id, const std::string&) override { return nullptr; }

  void hold() {
    const std::lock_guard lock(mutex_);
    held_ = true;
  }
  void release() {
    const std::lock_guard lock(mutex_);
    held_ = false;
    changed_.notify_all();
  }
  void await_compilers(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ >= count; });
  }
  bool compiled_on(std::thread::id thread) {
    const std::lock_guard lock(mutex_);
    return threads_.contains(thread);
  }

  std::atomic<int> compiled{0};
  std::atomic<device::module_id> loaded{0}, unloaded{0};
  std::string identity = "compiler 1";

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::thread::id> threads_;
  bool held_ = false;
  int waiting_ = 0;
};

/// The real compiler and loader.
class real_backend final : public compiling_backend {
 public:
  std::vector<std::byte> compile(int, const device::source_desc& source) override {
    return device::compile_shared_object(source);
  }
  std::string compiler_identity(int) override { return device::compiler_identity(); }
  device::module_id load(int, std::span<const std::byte> binary) override { return modules.load(binary); }
  void unload(device::module_id module) noexcept override { modules.unload(module); }
  device::function_id find(device::module_id module, const std::string& symbol) override {
    return modules.find(module, symbol);
  }
  const void* symbol(device::module_id module, const std::string& name) override {
    return modules.symbol(module, name);
  }

  device::module_table modules;
};

}  // namespace tessera::support
