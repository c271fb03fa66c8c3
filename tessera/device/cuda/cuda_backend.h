#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "tessera/device/backend.h"
#include "tessera/device/cuda/compile/builtin.h"
#include "tessera/device/cuda/compile/module_table.h"
#include "tessera/device/cuda/completion.h"
#include "tessera/device/cuda/copy.h"
#include "tessera/device/cuda/memory/memory.h"
#include "tessera/device/cuda/queue.h"
#include "tessera/device/cuda/relay.h"

namespace tessera::device::cuda {

/// Logical devices on GPUs. A queue is a stream; verbs put work on it from the calling thread and return.
class cuda_backend final : public backend, private operation_issuer {
 public:
  explicit cuda_backend(const cuda_options& options);
  ~cuda_backend() override;

  [[nodiscard]] std::string name() const override { return "cuda"; }
  [[nodiscard]] kernel_language language() const override { return kernel_language::cuda; }
  [[nodiscard]] bool shares_host_memory() const override { return false; }
  [[nodiscard]] std::span<const device_info> devices() const override { return infos_; }

  [[nodiscard]] std::byte* allocate(int device, std::int64_t bytes) override;
  void deallocate(int device, std::byte* data, std::int64_t bytes) noexcept override;
  [[nodiscard]] bool back(int device, std::byte* data, std::int64_t begin, std::int64_t end) override;
  void unback(int device, std::byte* data, std::int64_t begin, std::int64_t end) noexcept override;
  [[nodiscard]] std::int64_t guard_bytes(int device, std::int64_t bytes) const override;
  [[nodiscard]] std::int64_t page_bytes(int device, std::int64_t bytes) const override;

  [[nodiscard]] std::byte* allocate_host(std::int64_t bytes) override;
  void deallocate_host(std::byte* data, std::int64_t bytes) noexcept override;

  [[nodiscard]] device_link link(int from, int to) const override;
  [[nodiscard]] std::int64_t tiny_copy_bytes() const override;
  [[nodiscard]] bool can_wait(const event&) const override { return true; }
  event copy(const order& ordering, const copy_desc& copy) override { return enqueue(ordering, copy); }
  event fill(const order& ordering, fill_desc fill) override { return enqueue(ordering, std::move(fill)); }
  event fold(const order& ordering, const fold_desc& fold) override { return enqueue(ordering, fold); }
  event launch(const order& ordering, launch_desc launch) override { return enqueue(ordering, std::move(launch)); }
  event native(const order& ordering, native_function function) override {
    return enqueue(ordering, std::move(function));
  }

  [[nodiscard]] std::vector<std::byte> compile(int device, const source_desc& source) override;
  [[nodiscard]] std::string compiler_identity(int device) override;
  [[nodiscard]] module_id load(int device, std::span<const std::byte> binary) override;
  void unload(module_id module) noexcept override { modules_.unload(module); }
  [[nodiscard]] function_id find(module_id module, const std::string& symbol) override {
    return modules_.find(module, symbol);
  }
  [[nodiscard]] const void* symbol(module_id module, const std::string& name) override {
    return modules_.symbol(module, name);
  }
  [[nodiscard]] module_variable* variable(module_id module, const std::string& name) override {
    return modules_.variable(module, name);
  }
  [[nodiscard]] const reduction_code* reduction(module_id module, int parameter) override {
    return modules_.reduction(module, parameter);
  }

 private:
  event enqueue(const order& ordering, work&& verb);
  [[nodiscard]] gpu& gpu_of(int device) const { return *gpus_.at(static_cast<std::size_t>(device)); }
  [[nodiscard]] int device_of(const stream_queue& q) const;
  result copy_between(stream_queue& on, const copy_desc& elements, const device_memory& from, const device_memory& to);

  result issue(stream_queue& on, work& verb) override;
  result issue(stream_queue& on, const copy_desc& copy);
  result issue(stream_queue& on, const fill_desc& fill);
  result fill_large(stream_queue& on, const fill_desc& fill);
  result issue(stream_queue& on, const fold_desc& fold);
  result issue(stream_queue& on, const launch_desc& launch);
  result issue(stream_queue& on, const native_function& function);
  void put_kernel(stream_queue& on, const launch_desc& launch, const extents& begin, const extents& end,
                  CUdeviceptr results);

  std::vector<gpu*> gpus_;  // of each logical device
  std::vector<device_info> infos_;
  std::deque<device_memory> memories_;
  std::vector<device_link> links_;  // from each logical device to each
  module_table modules_;
  stager sending_, fetching_;
  relay through_host_;
  std::deque<stream_queue> queues_;
  std::vector<stream_queue*> family_;
  std::unique_ptr<completion_thread> completion_;
};

}  // namespace tessera::device::cuda
