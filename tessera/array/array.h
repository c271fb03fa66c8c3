#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tessera/base/box.h"
#include "tessera/base/dtype.h"
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
  extents plan_shape;  ///< The same with rank 1 for rank 0.
  dtype type;
  std::shared_ptr<const plan::partition> home;
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

  /// For the launch that takes it.
  [[nodiscard]] const std::shared_ptr<const array_record>& record() const { return record_; }
  [[nodiscard]] const box& where() const { return box_; }

 protected:
  [[nodiscard]] array_base sliced(std::span<const std::pair<std::int64_t, std::int64_t>> ranges) const;
  transfer start_read(std::byte* to, std::size_t count) const;
  transfer start_write(const std::byte* from, std::size_t count) const;
  void fill_with(std::vector<std::byte> value) const;

 private:
  void check_use(std::size_t count, const char* verb) const;
  /// Exchanges all elements with `count` elements at `memory`, by the given kind of task.
  template <class Task>
  transfer start(std::byte* memory, std::size_t count, const char* verb) const;

  std::shared_ptr<const array_record> record_;
  box box_;        // in plan_shape coordinates
  extents shape_;  // of the box, in the user's rank
};

/// A handle to a distributed array of T, or to a box of one. Copies share the elements. Calls return at once, except
/// where they say otherwise; results are as if calls were carried out one after the other.
template <class T>
class array : public array_base {
 public:
  using value_type = T;
  array() = default;
  explicit array(array_base base) : array_base(std::move(base)) {}

  /// All elements, row-major. Waits for what they depend on, nothing else.
  [[nodiscard]] std::vector<T> read() const {
    std::vector<T> result(static_cast<std::size_t>(size()));
    start_read(reinterpret_cast<std::byte*>(result.data()), result.size()).wait();
    return result;
  }
  /// Reads into `to`, which must stay until the transfer has ended.
  [[nodiscard]] transfer read_async(std::span<T> to) const {
    return start_read(reinterpret_cast<std::byte*>(to.data()), to.size());
  }

  /// Replaces all elements. Returns when `from` may be reused.
  void write(std::span<const T> from) const { write_async(from).wait(); }
  /// Replaces all elements; `from` must stay until the transfer has ended.
  [[nodiscard]] transfer write_async(std::span<const T> from) const {
    return start_write(reinterpret_cast<const std::byte*>(from.data()), from.size());
  }

  void fill(const T& value) const {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    fill_with(std::vector<std::byte>(bytes, bytes + sizeof value));
  }

  /// A view of the elements lo <= x < hi on each axis; missing axes are whole.
  [[nodiscard]] array slice(std::initializer_list<std::pair<std::int64_t, std::int64_t>> ranges) const {
    return array(sliced({ranges.begin(), ranges.size()}));
  }
};

// std::vector<bool> has no contiguous elements to read into.
template <>
std::vector<bool> array<bool>::read() const;
template <>
void array<bool>::write(std::span<const bool> from) const;

}  // namespace tessera
