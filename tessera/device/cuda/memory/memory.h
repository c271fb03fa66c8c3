#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tessera/device/cuda/gpu.h"

namespace tessera::device::cuda {

class device_memory;

/// The memory in whose spans `address` lies, or null.
[[nodiscard]] const device_memory* memory_at(const std::byte* address) noexcept;
[[nodiscard]] inline bool on_gpu(const std::byte* address) noexcept { return memory_at(address) != nullptr; }

/// The memory of one logical device: spans of addresses behind which pages are put on demand, counted against a budget.
/// A span lies between addresses that are never backed, so that a stray access faults instead of reaching a neighbour.
/// Small allocations share pages: they are backed from the start and lie between unused bytes; their own bytes count,
/// not the pages, which are kept for the next ones. Released spans keep their pages, up to half of the budget, for
/// the next span of as many pages, since mapping a page takes as long as filling it; kept pages are given up when room
/// is wanted, also by another device of the GPU. Thread-safe.
class device_memory final : private page_holder {
 public:
  /// Of logical device `device`; `peers` are the numbers of other GPUs that are to reach this memory directly.
  device_memory(gpu& hardware, int device, std::int64_t budget, std::vector<int> peers)
      : gpu_(hardware), device_(device), budget_(budget), peers_(std::move(peers)) {
    gpu_.holders.add(*this);
  }
  ~device_memory();
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;

  [[nodiscard]] gpu& hardware() const { return gpu_; }
  [[nodiscard]] int device() const { return device_; }

  /// Null if there are no addresses, or no memory for a small allocation.
  [[nodiscard]] std::byte* reserve(std::int64_t bytes) noexcept;
  void release(std::byte* data, std::int64_t bytes) noexcept;

  /// Puts memory behind the bytes [begin, end) of a span; what is backed stays as it is. False if the budget or the
  /// GPU has not that much left: pages added until then stay.
  [[nodiscard]] bool back(std::byte* data, std::int64_t begin, std::int64_t end) noexcept;

  /// Takes the pages of [begin, end) away again.
  void unback(std::byte* data, std::int64_t begin, std::int64_t end) noexcept;

  /// Unused bytes on each side of a small allocation; none around spans.
  [[nodiscard]] static std::int64_t guard_bytes(std::int64_t bytes) noexcept;
  /// The pages behind a span of so many bytes; of a small allocation its own bytes.
  [[nodiscard]] std::int64_t page_bytes(std::int64_t span_bytes) const noexcept;

 private:
  struct span {
    CUdeviceptr reserved = 0;
    std::size_t reserved_bytes = 0;
    page_pool::size unit = page_pool::size::small;
    std::vector<CUmemGenericAllocationHandle> pages;  // 0: none
    std::vector<bool> is_idle;                        // per page: there, but not backed
  };
  using kept_span = std::pair<std::byte*, span>;
  static constexpr std::size_t classes = 21;  // allocations of up to 1 MiB, guards included

  std::byte* make_span(std::int64_t bytes, page_pool::size unit);
  [[nodiscard]] page_pool::size unit_of(std::int64_t span_bytes) const noexcept;
  [[nodiscard]] bool has_room(std::int64_t bytes) const { return used_ + bytes <= budget_; }
  [[nodiscard]] bool open(CUdeviceptr at, std::size_t bytes) const noexcept;
  bool map_page(const span& s, std::size_t page, CUmemGenericAllocationHandle& handle);
  void unmap_page(span& s, std::size_t page) noexcept;
  bool back_run(span& s, std::size_t begin, std::size_t end);
  void drop(span& s) noexcept;
  std::byte* take_small(std::int64_t bytes);
  [[nodiscard]] std::byte* take_kept(std::int64_t bytes);
  void keep(kept_span unused) noexcept;
  void drop_oldest() noexcept;
  /// Gives idle pages up until so many bytes fit into the budget beside the rest.
  void make_room(std::int64_t bytes) noexcept;
  void drop_idle() noexcept;
  void give_up_idle_pages() noexcept override;

  gpu& gpu_;
  const int device_;
  const std::int64_t budget_;
  const std::vector<int> peers_;
  std::mutex mutex_;
  std::int64_t used_ = 0;
  std::int64_t idle_ = 0;  // bytes of pages that are there but not backed: of kept spans, and of spans that were
  std::unordered_map<std::byte*, span> spans_;
  std::deque<kept_span> kept_;                           // oldest first
  std::array<std::vector<std::byte*>, classes> unused_;  // small allocations
};

}  // namespace tessera::device::cuda
