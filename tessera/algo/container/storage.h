#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tessera/algo/container/coherence/coherent_array.h"
#include "tessera/algo/container/counted_size.h"
#include "tessera/plan/layout.h"

namespace tessera::algo {

/// The elements of a container, whatever their type: a coherent array that can be copied and change its size. Shared by
/// the container, its parts and its guards; one thread at a time uses it. On several ranks all make the same calls.
class storage : public coherent_array, public std::enable_shared_from_this<storage> {
 public:
  using coherent_array::coherent_array;
  /// A copy of the elements: one launch on the devices, or on the host if only that has them. Returns at once.
  [[nodiscard]] std::shared_ptr<storage> copy(call_site here);

  /// The first `size` elements, of a vector that a launch makes, are those that there are. Until the container settles,
  /// launches may write them all; every other use settles first.
  void expect_size(const counted_size& size) { expected_ = size; }
  [[nodiscard]] bool expects_size() const { return expected_.is_open(); }
  /// The size becomes the one that is expected, which is waited for.
  void settle(call_site here = {});

  void reserve(std::int64_t capacity, call_site here);
  void shrink_to_fit(call_site here);
  /// Another number of elements (of vectors); new ones are `value`.
  void resize(std::int64_t size, const std::vector<std::byte>& value, call_site here);
  /// Another shape; elements whose indices are in both stay, the others are `value`.
  void reshape(const extents& shape, const std::vector<std::byte>& value, call_site here);
  /// The elements of `made`, of the same type and rank, and their parts instead of the own ones; `made` is not used any
  /// more. Iterators stay valid if there are as many elements. `call` is for messages.
  void replace(storage& made, const char* call, call_site here);
  /// One element more, which the host writes next. The array learns of it with the next launch.
  void extend(call_site here);
  /// Makes room for `count` elements before element `at`; returns where the host writes them.
  std::byte* insert(std::int64_t at, std::int64_t count, call_site here);
  void erase(std::int64_t at, std::int64_t count, call_site here);

  /// All elements on `rank`.
  void read_on(int rank, std::span<std::byte> to, call_site here);
  /// Replaces all elements: every rank gives its own, or `rank` all.
  void write_own(std::span<const std::byte> from, call_site here);
  void write_from(int rank, std::span<const std::byte> from, call_site here);
  /// The elements come to rest as `home` says, none: as they do if the program says nothing. Those that change their
  /// device move, no others. Returns at once. Throws `argument_error` for devices that do not exist.
  void move_home(const std::optional<plan::layout>& home, call_site here);
  /// Where the elements rest: boxes and devices, numbered through all ranks.
  [[nodiscard]] std::vector<plan::placed_box> layout();

 private:
  [[nodiscard]] array_base elements(call_site here);
  /// The host has all elements, and moves them itself where they change places.
  [[nodiscard]] bool is_on_host() const { return !has_array() || window_.holds_all(); }
  [[nodiscard]] std::int64_t room_for(std::int64_t size) const;
  void begin_change(const char* call, call_site here);
  void set_size(std::int64_t size);
  /// Another capacity; elements stay where they are, on the devices or on the host.
  void move_to(std::int64_t capacity, bool on_host, call_site here);
  /// Elements from `from` on come to stand at `to`, on the devices, in an array of `capacity` elements.
  void shift(std::int64_t from, std::int64_t to, std::int64_t capacity, call_site here);
  /// Elements from `from` on come to stand at `to` in the window, which has all elements.
  void shift_on_host(std::int64_t from, std::int64_t to, call_site here);

  counted_size expected_;
};

/// Of a container that was moved from: none, in the default context.
[[nodiscard]] std::shared_ptr<storage> no_elements(int axes, const dtype& type);

/// Elements for the result of a launch on `like`: in its context, without defined contents.
template <class T>
[[nodiscard]] std::shared_ptr<storage> result_like(const storage& like, const extents& shape) {
  container_options options = like.options();
  options.home = {};
  return std::make_shared<storage>(options, shape, dtype_of<T>(), std::vector<std::byte>());
}

}  // namespace tessera::algo
