#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <vector>

#include "tessera/algo/container/access.h"
#include "tessera/algo/container/coherence/guard_list.h"
#include "tessera/algo/container/coherence/open_elements.h"
#include "tessera/algo/container/coherence/window.h"
#include "tessera/algo/container/options.h"
#include "tessera/array/array.h"

namespace tessera::algo {

/// What an algorithm has found out about the contents of a container.
class contents_fact {
 public:
  contents_fact() = default;
  contents_fact(const contents_fact&) = delete;
  contents_fact& operator=(const contents_fact&) = delete;
  virtual ~contents_fact() = default;
};

/// An engine array with room for `capacity` elements and a host window to those in use, kept coherent: each access of
/// the host or of a launch finds what all accesses before it have written, and only what it lacks moves.
///
/// The array is made when a launch, or a copy, first needs it. Until then, and after `flush`, the window has all
/// elements, or those that it lacks are all one value.
class coherent_array {
 public:
  /// Elements begin as `fill`, the bytes of one; as nothing that is defined if it is empty. Throws `out_of_memory` if
  /// they are more than any memory.
  coherent_array(const container_options& options, const extents& shape, const dtype& type,
                 std::vector<std::byte> fill);

  [[nodiscard]] const extents& shape() const { return shape_; }
  [[nodiscard]] std::int64_t size() const { return window_.size(); }
  [[nodiscard]] std::int64_t capacity() const { return capacity_; }
  [[nodiscard]] const dtype& type() const { return type_; }
  [[nodiscard]] const context& ctx() const { return *options_.ctx; }
  /// As it was made; the context is known.
  [[nodiscard]] const container_options& options() const { return options_; }
  /// All elements.
  [[nodiscard]] box whole() const { return box::whole(shape_); }

  // For launches.

  /// The engine array's view of `part` for a launch, with what the host has changed there brought to the devices (one
  /// write, which is not waited for), except where the launch overwrites it (`write`). Unless the launch only reads,
  /// the window forgets the elements. Throws `argument_error` with both lines if the program holds a guard that
  /// excludes it.
  /// A call that takes several containers asks `require_free` for all of them before the first `for_launch`.
  /// A launch that takes elements several times asks for what it reads first: `write` drops changes of the host.
  [[nodiscard]] array_base for_launch(access mode, const box& part, call_site here);
  /// Throws as `for_launch` would; nothing changes.
  void require_free(access mode, const box& part, call_site here) const { guards_.refuse(mode, part, "launch", here); }

  // Where the current contents have been, as calls tell it: kinds of devices as bits (exec/placement/estimate.h). A
  // note about all elements, for choices between kinds; what moves follows from what is really there.

  /// None if the host owns the elements.
  [[nodiscard]] std::uint32_t held_by();
  void note_read_by(std::uint32_t kinds) { held_by_ |= kinds; }
  void note_written_by(std::uint32_t kinds) { held_by_ = kinds; }

  /// A fact about the contents is kept until a call changes them or keeps another one. A call may rely on it if
  /// `require_free` lets it read the elements.
  void keep_fact(std::shared_ptr<const contents_fact> fact) { fact_ = std::move(fact); }
  [[nodiscard]] const std::shared_ptr<const contents_fact>& fact() const { return fact_; }

  // For element proxies: offsets count row by row; `generation` is that of the iterator, or the current one.

  template <class T>
  [[nodiscard]] T get(std::int64_t offset, std::uint64_t generation) {
    const std::byte* at = open_.readable(offset, sizeof(T));
    if (at == nullptr) [[unlikely]]
      at = find_to_read(offset, generation);
    return *reinterpret_cast<const T*>(at);
  }
  template <class T>
  void set(std::int64_t offset, const T& value, std::uint64_t generation) {
    std::byte* at = open_.writable(offset, sizeof(T));
    if (at == nullptr) [[unlikely]]
      at = find_to_write(offset, generation);
    *reinterpret_cast<T*>(at) = value;
  }
  /// True if `value` could be added behind the last element (of a vector) as it is; else there must be made room.
  template <class T>
  [[nodiscard]] bool append(const T& value) {
    std::byte* const at = open_.append(window_.size(), sizeof(T));
    if (at == nullptr) [[unlikely]]
      return false;
    *reinterpret_cast<T*>(at) = value;
    window_.extend_last();
    shape_[0] = window_.size();
    return true;
  }
  /// Element `offset` where the window has it, valid or not; there must be a window.
  template <class T>
  [[nodiscard]] T& unchecked(std::int64_t offset) const {
    return reinterpret_cast<T*>(window_.data())[offset];
  }
  /// Counts changes of size: iterators from before one are invalid.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  /// Throws `argument_error` in check mode if the iterator is from before a change of size.
  void require_current(std::uint64_t generation) const;

  // Guards.

  struct held {
    std::uint64_t ticket = 0;
    std::byte* data = nullptr;
    std::int64_t bytes = 0;
  };
  /// Host memory with the elements of `part`, densely row by row, until `give_back`. Waits for what they depend on.
  [[nodiscard]] held hold(access mode, const box& part, call_site here);
  /// Host memory with this rank's own elements, one box of `own_boxes` behind the other, until `give_back`.
  [[nodiscard]] held hold_own(access mode, call_site here);
  void give_back(std::uint64_t ticket);
  [[nodiscard]] std::vector<box> own_boxes();

  // Control; never needed for results.

  /// The window gets all elements.
  void update_host(call_site here);
  /// The devices get all elements.
  void update_device(call_site here);
  /// The window becomes the owner of all elements.
  void invalidate_device(call_site here);
  /// As `invalidate_device`; the array's memory is given back.
  void flush(call_site here);

  /// All elements of `part` into `to`, on every rank.
  void read(const box& part, std::span<std::byte> to, call_site here);
  /// All elements become `value`.
  void fill(std::vector<std::byte> value, call_site here);

 protected:
  [[nodiscard]] linear_range all() const { return {0, size()}; }
  [[nodiscard]] bool has_array() const { return array_.record() != nullptr; }
  /// The engine array, of all of the capacity; made if there is none.
  const array_base& array(call_site here);
  /// Where the window gets what it lacks.
  [[nodiscard]] window::origin origin(call_site here);
  /// Nothing is open any more: what proxies changed is noted in the window.
  void close();
  /// The array has all elements; the window keeps what it has.
  void send_all(call_site here);
  /// Launches, or ranks, have changed all elements in the array.
  void forget_all();
  void require_room(std::int64_t elements) const;
  /// A call is about to change elements, or how many there are.
  void forget_fact() { fact_.reset(); }

  container_options options_;
  dtype type_;
  extents shape_;
  std::int64_t capacity_ = 0;
  std::vector<std::byte> fill_;  // what every element that the window lacks is; empty: the array knows
  array_base array_;
  window window_;
  guard_list guards_;
  std::uint64_t generation_ = 0;
  std::uint32_t held_by_ = 1;
  bool checks_ = false;

 private:
  /// Elements that a guard holds outside of the window.
  struct buffer {
    std::uint64_t ticket = 0;
    bool own = false;
    std::vector<std::byte> bytes;
    transfer leaving{};  // ends before the bytes do
  };
  [[nodiscard]] held hold_apart(guard_list::guard made, std::vector<std::byte> bytes, bool own);
  void put_back(const guard_list::guard& held, buffer& elements);
  void note_open();
  void require_offset(access mode, std::int64_t offset, std::uint64_t generation) const;
  void gather(const box& part, std::span<std::byte> to);
  std::byte* find_to_read(std::int64_t offset, std::uint64_t generation);
  std::byte* find_to_write(std::int64_t offset, std::uint64_t generation);

  open_elements open_;
  std::size_t open_portion_ = 0;  // that is open to be written
  std::list<buffer> buffers_;
  std::shared_ptr<const contents_fact> fact_;
};

}  // namespace tessera::algo
