#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tessera/algo/container/element.h"
#include "tessera/algo/container/guard.h"
#include "tessera/algo/container/index_check.h"
#include "tessera/algo/container/operand.h"
#include "tessera/algo/container/options.h"
#include "tessera/algo/container/storage.h"
#include "tessera/algo/view/iterator.h"
#include "tessera/algo/view/part.h"

namespace tessera::algo {

/// What vector, matrix and tensor have in common: elements of type T in N axes, on all devices of all ranks, with a
/// window through which the host reads and writes them. Only what is needed moves, and only reads wait. A container is
/// used by one thread at a time; on several ranks all make the same calls with the same values.
template <class T, int N>
class container {
 public:
  static_assert(std::is_trivially_copyable_v<T>,
                "elements of a container must be trivially copyable: numbers, and structs of them");
  using value_type = T;
  using size_type = std::int64_t;
  using difference_type = std::int64_t;
  using reference = element<T>;
  using const_reference = T;
  using iterator = container_iterator<T>;
  using const_iterator = container_iterator<const T>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  static constexpr int axes = N;

  /// A copy of the elements, made by the devices; returns at once.
  container(const container& other) : elements_(other.elements_ ? other.core().copy(copying) : nullptr) {}
  container(container&& other) noexcept = default;
  container& operator=(const container& other) {
    if (this != &other) elements_ = other.elements_ ? other.core().copy(copying) : nullptr;
    return *this;
  }
  container& operator=(container&& other) noexcept = default;
  void swap(container& other) noexcept { elements_.swap(other.elements_); }

  [[nodiscard]] std::int64_t size() const { return elements_ ? core().size() : 0; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] extents shape() const { return elements_ ? core().shape() : extents::uniform(N, 0); }
  [[nodiscard]] context ctx() const { return elements_ ? elements_->ctx() : core().ctx(); }

  // clang-format off
  [[nodiscard]] iterator begin() { return {&core(), 0}; }
  [[nodiscard]] iterator end() { return {&core(), size()}; }
  [[nodiscard]] const_iterator begin() const { return {&core(), 0}; }
  [[nodiscard]] const_iterator end() const { return {&core(), size()}; }
  [[nodiscard]] const_iterator cbegin() const { return begin(); }
  [[nodiscard]] const_iterator cend() const { return end(); }
  [[nodiscard]] reverse_iterator rbegin() { return reverse_iterator(end()); }
  [[nodiscard]] reverse_iterator rend() { return reverse_iterator(begin()); }
  [[nodiscard]] const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
  [[nodiscard]] const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
  [[nodiscard]] const_reverse_iterator crbegin() const { return rbegin(); }
  [[nodiscard]] const_reverse_iterator crend() const { return rend(); }
  // clang-format on

  /// All elements as host memory until the guard goes: see `host_guard`.
  template <access Mode>
  [[nodiscard]] auto host(access_tag<Mode>, call_site here = call_site::current()) const {
    return host_of<Mode>(core().whole(), here);
  }
  /// The elements of a box.
  template <access Mode>
  [[nodiscard]] auto host(access_tag<Mode>, const box& part, call_site here = call_site::current()) const {
    require_part(part, shape());
    return host_of<Mode>(part, here);
  }
  /// The elements that are at home on this rank, those of one box of `own_boxes()` behind the other.
  template <access Mode>
  [[nodiscard]] auto local(access_tag<Mode>, call_site here = call_site::current()) const {
    const storage::held held = core().hold_own(Mode, here);
    return host_guard<seen_as<T, Mode>>(elements_, held, {held.bytes / std::int64_t{sizeof(T)}});
  }
  [[nodiscard]] std::vector<box> own_boxes() const { return core().own_boxes(); }

  // Control; results are the same without.

  /// The host window gets all elements; later reads move nothing. Waits.
  void update_host(call_site here = call_site::current()) const { core().update_host(here); }
  /// The devices get what the host has changed; the next launch moves nothing.
  void update_device(call_site here = call_site::current()) { core().update_device(here); }
  /// The window becomes the owner of all elements; the next launch brings them to the devices. Waits.
  void invalidate_device(call_site here = call_site::current()) { core().invalidate_device(here); }
  /// The devices' memory is given back; the host has all elements until a launch wants them. Waits.
  void flush(call_site here = call_site::current()) { core().flush(here); }
  /// SkePU's name for the second half of `flush`; no element is lost, so that it is the same.
  void release_device(call_site here = call_site::current()) { core().flush(here); }

  /// Replaces all elements: every rank gives those of `own_boxes()`.
  void from_own(std::span<const T> own, call_site here = call_site::current()) {
    core().write_own(std::as_bytes(own), here);
  }
  /// Replaces all elements by those that `rank` gives, as many as there are; what the others give is not looked at.
  void from_root(int rank, std::span<const T> all, call_site here = call_site::current()) {
    core().write_from(rank, std::as_bytes(all), here);
  }
  /// All elements, row by row, on every rank; or on `rank` alone.
  [[nodiscard]] std::vector<T> to_host(call_site here = call_site::current()) const {
    return copied<T>(core(), core().whole(), here);
  }
  [[nodiscard]] std::vector<T> to_root(int rank, call_site here = call_site::current()) const {
    static_assert(!std::is_same_v<T, bool>, "std::vector<bool> has no bytes to read into");
    std::vector<T> result(core().ctx().rank() == rank ? static_cast<std::size_t>(size()) : 0);
    core().read_on(rank, std::as_writable_bytes(std::span(result)), here);
    return result;
  }
  /// Where the elements rest: boxes and devices, numbered through all ranks.
  [[nodiscard]] std::vector<plan::placed_box> layout() const { return core().layout(); }

  /// For kernels, which may read and write all elements (rule H21).
  [[nodiscard]] argument as_argument(call_site here = {}) const { return whole_argument(core(), core().whole(), here); }
  /// For skeletons and algorithms.
  [[nodiscard]] operand as_operand() const {
    storage& all = core();
    return {elements_, all.whole()};
  }

 protected:
  static constexpr call_site copying{"copy of a container", 0};

  container() = default;
  explicit container(std::shared_ptr<storage> elements) : elements_(std::move(elements)) {}
  container(const container_options& options, const extents& shape, std::vector<std::byte> fill)
      : elements_(std::make_shared<storage>(options, shape, dtype_of<T>(), std::move(fill))) {}
  ~container() = default;

  /// The elements; made if this has been moved from. Waits if their number is still being counted.
  [[nodiscard]] storage& core() const {
    if (!elements_) [[unlikely]]
      elements_ = no_elements(N, dtype_of<T>());
    if (elements_->expects_size()) [[unlikely]]
      elements_->settle();
    return *elements_;
  }
  [[nodiscard]] const std::shared_ptr<storage>& shared() const {
    (void)core();
    return elements_;
  }
  template <access Mode>
  [[nodiscard]] auto host_of(const box& part, call_site here) const {
    return host_guard<seen_as<T, Mode>, N>(shared(), core().hold(Mode, part, here), part.shape());
  }
  /// Offset `offset` without a check that it exists is caught by the window.
  [[nodiscard]] reference at_offset(std::int64_t offset) { return {core(), offset, core().generation()}; }
  [[nodiscard]] T value_at(std::int64_t offset) const { return core().template get<T>(offset, core().generation()); }

 private:
  mutable std::shared_ptr<storage> elements_;
};

/// Equal shapes and equal elements; reads both.
template <class T, int N>
[[nodiscard]] bool operator==(const container<T, N>& a, const container<T, N>& b) {
  if (a.shape() != b.shape()) return false;
  if (a.empty() || &a == &b) return true;
  const auto x = a.host(read), y = b.host(read);
  return std::equal(x.begin(), x.end(), y.begin());
}
template <class T, int N>
void swap(container<T, N>& a, container<T, N>& b) noexcept {
  a.swap(b);
}

}  // namespace tessera::algo
