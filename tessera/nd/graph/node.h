#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "tessera/array/array.h"
#include "tessera/base/call_site.h"
#include "tessera/base/dtype.h"
#include "tessera/kernel/scalar/opcode.h"
#include "tessera/nd/graph/reduction.h"
#include "tessera/nd/layout.h"
#include "tessera/nd/shape/index_map.h"
#include "tessera/nd/shape/view.h"

namespace tessera::nd {

struct node;
using node_ptr = std::shared_ptr<node>;

/// Elements in the memory of every rank, row-major. Small ones lie in the object.
class host_value {
 public:
  /// Zeros, unless the caller writes all elements.
  enum class content : std::uint8_t { zeros, written_next };
  explicit host_value(std::size_t bytes, content first = content::zeros) : size_(bytes) {
    if (bytes <= own_.size()) return;
    more_ = first == content::zeros ? std::make_unique<std::byte[]>(bytes)
                                    : std::make_unique_for_overwrite<std::byte[]>(bytes);
  }
  host_value(const host_value& other) : host_value(other.size_, content::written_next) {
    std::memcpy(data(), other.data(), size_);
  }
  host_value& operator=(const host_value&) = delete;
  ~host_value() = default;
  [[nodiscard]] std::byte* data() { return size_ > own_.size() ? more_.get() : own_.data(); }
  [[nodiscard]] const std::byte* data() const { return size_ > own_.size() ? more_.get() : own_.data(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return {data(), size_}; }

 private:
  std::size_t size_;
  alignas(16) std::array<std::byte, 64> own_{};
  std::unique_ptr<std::byte[]> more_;
};

enum class node_kind : std::uint8_t {
  stored,  ///< Elements that exist: a host value or an engine array.
  fill,    ///< One number for all elements.
  place,   ///< The index on one axis, of type int64.
  map,     ///< An operation on operands of its own shape, element by element.
  view,    ///< What an index map selects of an operand.
  flat,    ///< What a view selects of an operand that is stored.
  update,  ///< Operand 0, in a part of which elements are those of operand 1.
  reduce,  ///< Operand 0 combined along some axes.
  scan,    ///< Operand 0 combined with all elements before it along an axis.
  gather,  ///< Operand 0 at the places along an axis that operand 1 tells.
};

/// The part of an array that an update writes. `axes`, if there are some, select the same elements as `elements`.
struct update_part {
  view elements;
  std::optional<index_map> axes;
};

/// Where a gather finds what it needs for each index of its result.
struct gather_spec {
  int axis = 0;       ///< Of the source, whose place the index array tells.
  index_map source;   ///< The places on the other axes of the source; that on `axis` is 0.
  index_map indices;  ///< The places in the index array.
};

/// One version of an array's elements: how they follow from others, or the elements themselves. Its meaning never
/// changes; a write makes another node. `graph` makes nodes and changes the members below "state", under its lock.
struct node : std::enable_shared_from_this<node> {
  node_kind kind = node_kind::stored;
  kernels::opcode operation{};  ///< map
  scalar_kind type{};
  extents shape;
  std::array<node_ptr, 3> operands{};
  std::variant<std::monostate, index_map, view, update_part, reduction_spec, scan_spec,
               std::shared_ptr<const gather_spec>, std::array<std::byte, 16>, int>
      detail{};
  call_site site{};
  node_ptr took;       ///< While it is carried out: the version whose array it has taken.
  node_ptr over;       ///< The version that this one replaces as a whole, and whose array it may take.
  layout placement{};  ///< How the elements are laid out once they are stored.

  // State.
  std::shared_ptr<const host_value> host;  ///< The elements, if they are a host value.
  array_base array;                        ///< The elements, if they are an engine array (also a copy of `host`).
  std::uint64_t number = 0;                ///< In the order of recording.
  std::atomic<int> readers = 0;  ///< Operands that name this node, of nodes whose own elements are not stored.
  std::atomic<int> handles = 0;  ///< Cells of which it is the current version.
  int consumers = 0;             ///< Nodes that were ever recorded with it as an operand.
  int passes = 0;                ///< Flushes that computed it on the way to others.
  bool is_fast = false;          ///< It may be rounded together with others (fast_math.h).
  bool is_internal = false;      ///< No handle of the program ever named it.
  bool is_taken = false;         ///< While a version that took its array is carried out.
  bool is_overwritten = false;   ///< Its array now holds a later version.
  std::uint64_t born = 0;        ///< The number of the next node when its elements were made; 0: there are none yet.
  std::uint64_t counted = 0;     ///< The flush whose bytes it was last counted in.
  bool drops_readers = false;    ///< It counts no more as a reader when it goes.

  node() = default;
  node(const node&) = delete;
  node& operator=(const node&) = delete;
  ~node();

  [[nodiscard]] bool is_stored() const { return kind == node_kind::stored; }
  [[nodiscard]] std::int64_t size() const { return element_count(shape); }
  [[nodiscard]] std::int64_t bytes() const { return size() * static_cast<std::int64_t>(dtype::make(type).size); }
};

}  // namespace tessera::nd
