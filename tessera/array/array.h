#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tessera/base/bytes/value_bytes.h"
#include "tessera/base/call_site.h"
#include "tessera/base/dtype.h"
#include "tessera/base/geometry/box.h"
#include "tessera/base/ids.h"

namespace tessera::plan {
class partition;
}

namespace tessera::runtime {
class engine;
class ticket;
}  // namespace tessera::runtime

namespace tessera {

/// An exchange with the host that is under way.
class transfer {
 public:
  transfer() = default;
  /// Blocks until it has ended; throws what made it fail.
  void wait();
  [[nodiscard]] bool done() const;

 private:
  friend class array_base;
  struct state;
  std::shared_ptr<state> state_;
};

/// One array, shared by its handles; freed behind its last planned use when the last one goes.
struct array_record {
  std::shared_ptr<runtime::engine> engine;
  array_id id;
  extents shape;       ///< As the user gave it; rank 0 is possible.
  extents plan_shape;  ///< The same, but of rank 1 or more.
  dtype type;
  std::shared_ptr<const plan::partition> home;
  bool is_value = false;  ///< Nothing may change it.
  ~array_record();
};

/// What all arrays have in common, whatever their element type: a box of an array.
class array_base {
 public:
  array_base() = default;
  explicit array_base(std::shared_ptr<const array_record> record);

  [[nodiscard]] const extents& shape() const { return shape_; }
  [[nodiscard]] int rank() const { return shape_.rank(); }
  /// Number of elements.
  [[nodiscard]] std::int64_t size() const { return box_.volume(); }
  [[nodiscard]] bool empty() const { return record_ == nullptr || size() == 0; }

  /// What is at home on the devices of this rank, in the coordinates of this view: few boxes, in the order in which
  /// `read_own` and `write_own` take their elements. All of it if there is one rank.
  [[nodiscard]] std::vector<box> own_boxes() const;

  /// For the launch that takes it.
  [[nodiscard]] const std::shared_ptr<const array_record>& record() const { return record_; }
  [[nodiscard]] const box& where() const { return box_; }

 protected:
  [[nodiscard]] array_base sliced(std::span<const std::pair<std::int64_t, std::int64_t>> ranges) const;
  /// Whose host memory takes part: every rank's, one rank's, every rank's with its own elements, or this one's where
  /// every rank holds the elements.
  struct participants {
    enum class kind : std::uint8_t { every, one, own, here } how = kind::every;
    int rank = 0;
  };
  transfer start_read(std::byte* to, std::size_t count, participants who, call_site here) const;
  transfer start_write(const std::byte* from, std::size_t count, participants who, call_site here) const;
  void fill_with(std::vector<std::byte> value, call_site here) const;
  /// A copy of the one element as it is now, of rank 0, on every rank.
  [[nodiscard]] array_base kept(call_site here) const;
  /// How many elements such an exchange takes on this rank.
  [[nodiscard]] std::size_t count_for(participants who) const;

 private:
  friend class value_base;
  /// Copies the element that every rank holds; waits for it.
  void read_here(std::byte* to, call_site here) const { start_read(to, 1, {participants::kind::here, 0}, here).wait(); }
  void refuse_value() const;
  void check_use(std::size_t count, participants who, const char* verb) const;
  [[nodiscard]] std::vector<box> own_parts() const;
  /// What stands for the elements at `from`, if ranks are to compare what they write.
  [[nodiscard]] std::uint64_t compared_contents(const std::byte* from, participants who) const;
  /// Exchanges elements with `count` elements at `memory`, by the given kind of task.
  template <class Task>
  transfer start(std::byte* memory, std::size_t count, participants who, const char* verb, call_site here) const;

  std::shared_ptr<const array_record> record_;
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
  explicit array(array_base base) : array_base(std::move(base)) {}

  /// All elements, row-major, on every rank. Waits for what they depend on, nothing else.
  [[nodiscard]] std::vector<T> read(call_site here = call_site::current()) const { return read_for({}, here); }
  /// All elements on `rank`, none on the others.
  [[nodiscard]] std::vector<T> read_on(int rank, call_site here = call_site::current()) const {
    return read_for({participants::kind::one, rank}, here);
  }
  /// The elements of `own_boxes()`, one box after the other. Nothing goes between ranks but what was computed
  /// elsewhere.
  [[nodiscard]] std::vector<T> read_own(call_site here = call_site::current()) const {
    return read_for({participants::kind::own, 0}, here);
  }
  /// Reads into `to`, which must stay until the transfer has ended.
  [[nodiscard]] transfer read_async(std::span<T> to, call_site here = call_site::current()) const {
    return start_read(reinterpret_cast<std::byte*>(to.data()), to.size(), {}, here);
  }

  /// Replaces all elements; every rank gives the same. Returns when `from` may be reused.
  void write(std::span<const T> from, call_site here = call_site::current()) const { write_async(from, here).wait(); }
  /// Replaces all elements by those that `rank` gives; what the others give is not looked at.
  void write_from(int rank, std::span<const T> from, call_site here = call_site::current()) const {
    const participants who{participants::kind::one, rank};
    if (count_for(who) == 0) from = {};
    start_write(reinterpret_cast<const std::byte*>(from.data()), from.size(), who, here).wait();
  }
  /// Replaces all elements: every rank gives those of `own_boxes()`, one box after the other.
  void write_own(std::span<const T> from, call_site here = call_site::current()) const {
    const participants who{participants::kind::own, 0};
    start_write(reinterpret_cast<const std::byte*>(from.data()), from.size(), who, here).wait();
  }
  /// Replaces all elements; `from` must stay until the transfer has ended.
  [[nodiscard]] transfer write_async(std::span<const T> from, call_site here = call_site::current()) const {
    return start_write(reinterpret_cast<const std::byte*>(from.data()), from.size(), {}, here);
  }

  /// The one element as it is now, for later kernels and `get()`. Returns at once.
  [[nodiscard]] tessera::value<T> value(call_site here = call_site::current()) const;

  void fill(const T& value, call_site here = call_site::current()) const { fill_with(bytes_of(value), here); }

  /// A view of the elements lo <= x < hi on each axis; missing axes are whole.
  [[nodiscard]] array slice(std::initializer_list<std::pair<std::int64_t, std::int64_t>> ranges) const {
    return array(sliced({ranges.begin(), ranges.size()}));
  }

 private:
  [[nodiscard]] std::vector<T> read_for(participants who, call_site here) const {
    // std::vector<bool> has no contiguous elements to read into.
    using stored = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;
    std::vector<stored> result(count_for(who));
    start_read(reinterpret_cast<std::byte*>(result.data()), result.size(), who, here).wait();
    if constexpr (std::is_same_v<T, stored>)
      return result;
    else
      return {result.begin(), result.end()};
  }
};

}  // namespace tessera

#include "tessera/array/value.h"  // what `value()` gives
