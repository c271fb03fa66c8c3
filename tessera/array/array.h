#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tessera/base/bytes/value_bytes.h"
#include "tessera/base/call_site.h"
#include "tessera/base/dtype.h"
#include "tessera/base/geometry/box.h"

namespace tessera::runtime {
struct array_record;
struct host_participants;
class pending_transfer;
}  // namespace tessera::runtime

namespace tessera {

/// An exchange with the host that is under way.
class transfer {
 public:
  transfer() = default;
  explicit transfer(std::shared_ptr<runtime::pending_transfer> pending) : pending_(std::move(pending)) {}
  /// Blocks until it has ended; throws what made it fail.
  void wait();
  [[nodiscard]] bool done() const;

 private:
  std::shared_ptr<runtime::pending_transfer> pending_;
};

/// Half-open ranges lo <= x < hi, one per axis from the first on.
using index_ranges = std::span<const std::pair<std::int64_t, std::int64_t>>;

/// A handle to an array or to a box of one, whatever its element type: what front ends that know types only at run time
/// work with (rule H19). Copies share the elements. See `array<T>` for what calls promise.
class array_base {
 public:
  array_base() = default;
  explicit array_base(std::shared_ptr<const runtime::array_record> record);

  [[nodiscard]] const extents& shape() const { return shape_; }
  [[nodiscard]] int rank() const { return shape_.rank(); }
  /// Number of elements.
  [[nodiscard]] std::int64_t size() const { return box_.volume(); }
  [[nodiscard]] bool empty() const { return record_ == nullptr || size() == 0; }
  /// Of the elements.
  [[nodiscard]] dtype type() const;

  /// What messages and the transfer log call the array; "array 7" unless it was given a name. Views share it.
  [[nodiscard]] std::string name() const;
  void set_name(std::string name) const;

  /// A view of the elements in `ranges`; missing axes are whole.
  [[nodiscard]] array_base slice(index_ranges ranges) const;
  [[nodiscard]] array_base slice(std::initializer_list<std::pair<std::int64_t, std::int64_t>> ranges) const {
    return slice(index_ranges{ranges.begin(), ranges.size()});
  }

  /// Sets every element to `value`, the bytes of one element.
  void fill_bytes(std::span<const std::byte> value, call_site here = call_site::current()) const;
  /// All elements, row-major, on every rank.
  [[nodiscard]] std::vector<std::byte> read_bytes(call_site here = call_site::current()) const;
  /// Reads into `to`, which must stay until the transfer has ended.
  [[nodiscard]] transfer read_bytes_async(std::span<std::byte> to, call_site here = call_site::current()) const;
  /// Replaces all elements; every rank gives the same. Returns when `from` may be reused.
  void write_bytes(std::span<const std::byte> from, call_site here = call_site::current()) const;
  /// Replaces all elements; `from` must stay until the transfer has ended.
  [[nodiscard]] transfer write_bytes_async(std::span<const std::byte> from,
                                           call_site here = call_site::current()) const;

  /// As `array<T>::read_on`, `read_own`, `write_from` and `write_own`, which say what each rank gives or gets.
  void read_bytes_on(int rank, std::span<std::byte> to, call_site here = call_site::current()) const;
  void read_own_bytes(std::span<std::byte> to, call_site here = call_site::current()) const;
  void write_bytes_from(int rank, std::span<const std::byte> from, call_site here = call_site::current()) const;
  void write_own_bytes(std::span<const std::byte> from, call_site here = call_site::current()) const;

  /// What is at home on the devices of this rank, in the coordinates of this view: few boxes, in the order in which
  /// `read_own` and `write_own` take their elements. All of it if there is one rank.
  [[nodiscard]] std::vector<box> own_boxes() const;

  /// For front ends that make launch requests: the array, and the box of it that this handle stands for.
  [[nodiscard]] const std::shared_ptr<const runtime::array_record>& record() const { return record_; }
  [[nodiscard]] const box& bounds() const { return box_; }

 protected:
  /// Which rank's host memory takes part: every rank's, one rank's, or every rank's with its own elements.
  enum class participants : std::uint8_t { every, one, own };
  transfer start_read(std::span<std::byte> to, participants ranks, int rank, call_site here) const;
  transfer start_write(std::span<const std::byte> from, participants ranks, int rank, call_site here) const;
  /// Reads into a container that grows: `room` has memory for all elements, of which `grow(n)` makes the first n
  /// elements exist. What is large is read piece by piece, so that elements are made, with the memory behind them,
  /// while those before them arrive. Returns when all have.
  void read_growing(std::span<std::byte> room, const std::function<void(std::size_t)>& grow, participants ranks,
                    int rank, call_site here) const;
  /// A copy of the one element as it is now, of rank 0, on every rank.
  [[nodiscard]] array_base kept(call_site here) const;
  /// How many elements such an exchange takes on this rank.
  [[nodiscard]] std::size_t count_for(participants ranks, int rank) const;
  /// Throws `argument_error` if the elements are not of `type`.
  void require_type(const dtype& type) const;

 private:
  friend class value_base;
  /// Copies the element that every rank holds; waits for it.
  void read_here(std::span<std::byte> to, call_site here) const;

  std::shared_ptr<const runtime::array_record> record_;
  box box_;        // in plan_shape coordinates
  extents shape_;  // of the box, in the user's rank
};

template <class T>
class value;

/// A handle to a distributed array of T, or to a box of one. Copies share the elements. Calls return at once, except
/// where they say otherwise; results are as if calls were carried out one after the other.
template <class T>
class array : public array_base {
 public:
  using value_type = T;
  array() = default;
  /// An array whose elements are known to be of type T; throws `argument_error` if they are not.
  explicit array(array_base base) : array_base(std::move(base)) { require_type(dtype_of<T>()); }

  /// All elements, row-major, on every rank. Waits for what they depend on, nothing else.
  [[nodiscard]] std::vector<T> read(call_site here = call_site::current()) const {
    return read_for(participants::every, 0, here);
  }
  /// All elements on `rank`, none on the others.
  [[nodiscard]] std::vector<T> read_on(int rank, call_site here = call_site::current()) const {
    return read_for(participants::one, rank, here);
  }
  /// The elements of `own_boxes()`, one box after the other. Nothing goes between ranks but what was computed
  /// elsewhere.
  [[nodiscard]] std::vector<T> read_own(call_site here = call_site::current()) const {
    return read_for(participants::own, 0, here);
  }
  /// Reads into `to`, which must stay until the transfer has ended.
  [[nodiscard]] transfer read_async(std::span<T> to, call_site here = call_site::current()) const {
    return start_read(std::as_writable_bytes(to), participants::every, 0, here);
  }

  /// Replaces all elements; every rank gives the same. Returns when `from` may be reused.
  void write(std::span<const T> from, call_site here = call_site::current()) const { write_async(from, here).wait(); }
  /// Replaces all elements by those that `rank` gives; what the others give is not looked at.
  void write_from(int rank, std::span<const T> from, call_site here = call_site::current()) const {
    if (count_for(participants::one, rank) == 0) from = {};
    start_write(std::as_bytes(from), participants::one, rank, here).wait();
  }
  /// Replaces all elements: every rank gives those of `own_boxes()`, one box after the other.
  void write_own(std::span<const T> from, call_site here = call_site::current()) const {
    start_write(std::as_bytes(from), participants::own, 0, here).wait();
  }
  /// Replaces all elements; `from` must stay until the transfer has ended.
  [[nodiscard]] transfer write_async(std::span<const T> from, call_site here = call_site::current()) const {
    return start_write(std::as_bytes(from), participants::every, 0, here);
  }

  /// The one element as it is now, for later kernels and `get()`. Returns at once.
  [[nodiscard]] tessera::value<T> value(call_site here = call_site::current()) const;

  void fill(const T& value, call_site here = call_site::current()) const { fill_bytes(bytes_of(value), here); }

  /// A view of the elements lo <= x < hi on each axis; missing axes are whole.
  [[nodiscard]] array slice(std::initializer_list<std::pair<std::int64_t, std::int64_t>> ranges) const {
    return array(array_base::slice(ranges));
  }
  [[nodiscard]] array slice(index_ranges ranges) const { return array(array_base::slice(ranges)); }

 private:
  [[nodiscard]] std::vector<T> read_for(participants ranks, int rank, call_site here) const {
    // std::vector<bool> has no contiguous elements to read into.
    using stored = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;
    std::vector<stored> result;
    const std::size_t count = count_for(ranks, rank);
    result.reserve(count);
    read_growing(
        {reinterpret_cast<std::byte*>(result.data()), count * sizeof(T)}, [&](std::size_t n) { result.resize(n); },
        ranks, rank, here);
    if constexpr (std::is_same_v<T, stored>)
      return result;
    else
      return {result.begin(), result.end()};
  }
};

}  // namespace tessera

#include "tessera/array/value.h"  // what `value()` gives
