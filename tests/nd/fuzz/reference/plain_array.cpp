#include "tests/nd/fuzz/reference/plain_array.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "tessera/base/index.h"

namespace tessera::fuzz {
namespace {

using list = std::vector<std::int64_t>;

std::int64_t bytes_of(scalar_kind type) { return dtype::make(type).size; }

list dense(const list& shape) {
  list strides(shape.size());
  std::int64_t next = 1;
  for (std::size_t k = shape.size(); k-- > 0; next *= std::max<std::int64_t>(shape[k], 1)) strides[k] = next;
  return strides;
}

/// As Python: the first place, how many, by which step.
struct run {
  std::int64_t first = 0, count = 0, step = 1;
};
run run_of(const index_entry& e, std::int64_t n) {
  const bool is_forward = e.step > 0;
  const auto place = [&](std::int64_t at) {
    if (at < 0) at += n;
    if (at < 0) return is_forward ? std::int64_t{0} : std::int64_t{-1};
    return at >= n ? (is_forward ? n : n - 1) : at;
  };
  const std::int64_t start = e.first == index_entry::open ? (is_forward ? 0 : n - 1) : place(e.first);
  const std::int64_t stop = e.last == index_entry::open ? (is_forward ? n : -1) : place(e.last);
  run r{start, 0, e.step};
  if (is_forward && start < stop) r.count = (stop - start - 1) / e.step + 1;
  if (!is_forward && stop < start) r.count = (start - stop - 1) / -e.step + 1;
  return r;
}

plain_array indexed(const plain_array& a, const std::vector<index_entry>& entries) {
  plain_array made = a;
  made.shape.clear();
  made.strides.clear();
  std::size_t axis = 0;
  for (const index_entry& e : entries) {
    if (e.kind == index_entry::form::new_axis) {
      made.shape.push_back(1);
      made.strides.push_back(0);
      continue;
    }
    if (axis == a.shape.size()) throw invalid_step("too many indices");
    const std::int64_t n = a.shape[axis], stride = a.strides[axis];
    ++axis;
    if (e.kind == index_entry::form::place) {
      const std::int64_t at = e.first < 0 ? e.first + n : e.first;
      if (at < 0 || at >= n) throw invalid_step("an index beyond an axis");
      made.offset += at * stride;
      continue;
    }
    const run r = run_of(e, n);
    if (r.count > 0) made.offset += r.first * stride;
    made.shape.push_back(r.count);
    made.strides.push_back(stride * r.step);
  }
  made.shape.insert(made.shape.end(), a.shape.begin() + static_cast<std::ptrdiff_t>(axis), a.shape.end());
  made.strides.insert(made.strides.end(), a.strides.begin() + static_cast<std::ptrdiff_t>(axis), a.strides.end());
  return made;
}

plain_array permuted(const plain_array& a, const extents& axes) {
  if (axes.rank() != a.rank()) throw invalid_step("another number of axes");
  plain_array made = a;
  for (int k = 0; k < a.rank(); ++k) {
    made.shape[index(k)] = a.shape[index(axes[k])];
    made.strides[index(k)] = a.strides[index(axes[k])];
  }
  return made;
}

plain_array flipped(const plain_array& a, int axis) {
  if (axis >= a.rank()) throw invalid_step("no such axis");
  plain_array made = a;
  if (a.shape[index(axis)] > 0) made.offset += (a.shape[index(axis)] - 1) * a.strides[index(axis)];
  made.strides[index(axis)] = -a.strides[index(axis)];
  return made;
}

plain_array diagonal_of(const plain_array& a, const view_call& call) {
  if (std::max(call.axis, call.other) >= a.rank() || call.axis == call.other) throw invalid_step("no such axes");
  const std::size_t row = index(call.axis), column = index(call.other);
  const std::int64_t down = call.distance < 0 ? -call.distance : 0, right = call.distance > 0 ? call.distance : 0;
  const std::int64_t count = std::max<std::int64_t>(0, std::min(a.shape[row] - down, a.shape[column] - right));
  plain_array made = a;
  if (count > 0) made.offset += down * a.strides[row] + right * a.strides[column];
  made.shape.clear();
  made.strides.clear();
  for (std::size_t k = 0; k < a.shape.size(); ++k)
    if (k != row && k != column) made.shape.push_back(a.shape[k]), made.strides.push_back(a.strides[k]);
  made.shape.push_back(count);
  made.strides.push_back(a.strides[row] + a.strides[column]);
  return made;
}

/// The strides with which a handle has another shape without moving elements; nothing if there are none. NumPy's rule:
/// axes of more than one element are taken from the front, on both sides until equally many elements are seen.
std::optional<list> strides_for(const plain_array& a, const list& shape) {
  list old_shape, old_strides;
  for (std::size_t k = 0; k < a.shape.size(); ++k)
    if (a.shape[k] != 1) old_shape.push_back(a.shape[k]), old_strides.push_back(a.strides[k]);
  list made(shape.size(), 1);
  std::size_t from = 0, to = 0;
  while (from < old_shape.size() && to < shape.size()) {
    std::int64_t seen_before = old_shape[from], seen_now = shape[to];
    std::size_t from_end = from + 1, to_end = to + 1;
    while (seen_before != seen_now) {
      if (seen_now < seen_before)
        seen_now *= shape[to_end++];
      else
        seen_before *= old_shape[from_end++];
    }
    for (std::size_t k = from; k + 1 < from_end; ++k)
      if (old_strides[k] != old_shape[k + 1] * old_strides[k + 1]) return std::nullopt;
    made[to_end - 1] = old_strides[from_end - 1];
    for (std::size_t k = to_end - 1; k > to; --k) made[k - 1] = made[k] * shape[k];
    from = from_end;
    to = to_end;
  }
  return made;
}

plain_array reshaped(const plain_array& a, const extents& wanted) {
  list shape = list_of(wanted);
  std::int64_t others = 1;
  for (const std::int64_t n : shape) others *= n == -1 ? 1 : n;
  for (std::int64_t& n : shape)
    if (n == -1) {
      if (others == 0 || a.size() % others != 0) throw invalid_step("a shape of another size");
      n = a.size() / others;
    }
  if (volume_of(shape) != a.size()) throw invalid_step("a shape of another size");
  if (shape == a.shape) return a;
  plain_array made = a;
  made.shape = shape;
  if (a.size() == 0) return made.strides = dense(shape), made;
  if (const auto strides = strides_for(a, shape)) return made.strides = *strides, made;
  made = a.copied();
  made.shape = shape;
  made.strides = dense(shape);
  return made;
}

}  // namespace

std::int64_t volume_of(const list& shape) {
  std::int64_t n = 1;
  for (const std::int64_t each : shape) n *= each;
  return n;
}

list list_of(const extents& e) { return {e.begin(), e.end()}; }
extents extents_of(const list& l) { return extents(std::span<const std::int64_t>(l)); }

plain_array plain_array::made(scalar_kind type, const list& shape) {
  const auto bytes = static_cast<std::size_t>(volume_of(shape) * bytes_of(type));
  return {std::make_shared<std::vector<std::byte>>(bytes), type, 0, shape, dense(shape), shape};
}

std::int64_t plain_array::size() const { return volume_of(shape); }

bool plain_array::is_whole() const { return shape == origin && offset == 0 && strides == dense(shape); }

bool plain_array::repeats() const {
  for (std::size_t k = 0; k < shape.size(); ++k)
    if (shape[k] > 1 && strides[k] == 0) return true;
  return false;
}

list plain_array::places() const {
  list found(index(size()));
  for (std::size_t n = 0; n < found.size(); ++n) {
    std::int64_t left = static_cast<std::int64_t>(n), at = offset;
    for (std::size_t k = shape.size(); k-- > 0; left /= shape[k]) at += left % shape[k] * strides[k];
    found[n] = at;
  }
  return found;
}

std::vector<std::byte> plain_array::bytes() const {
  const auto each = static_cast<std::size_t>(bytes_of(type));
  std::vector<std::byte> all(index(size()) * each);
  std::size_t n = 0;
  for (const std::int64_t at : places()) std::memcpy(&all[each * n++], memory->data() + index(at) * each, each);
  return all;
}

plain_array plain_array::copied() const {
  plain_array result = made(type, shape);
  *result.memory = bytes();
  return result;
}

void plain_array::write(const std::vector<std::byte>& elements) const {
  const auto each = static_cast<std::size_t>(bytes_of(type));
  std::size_t n = 0;
  for (const std::int64_t at : places()) std::memcpy(memory->data() + index(at) * each, &elements[each * n++], each);
}

list met_shape(const list& a, const list& b) {
  list met(std::max(a.size(), b.size()));
  for (std::size_t k = 0; k < met.size(); ++k) {
    const std::int64_t m = k < a.size() ? a[a.size() - 1 - k] : 1, n = k < b.size() ? b[b.size() - 1 - k] : 1;
    if (m != n && m != 1 && n != 1) throw refused_step("shapes that do not fit");
    met[met.size() - 1 - k] = m == 1 ? n : m;
  }
  return met;
}

plain_array repeated(const plain_array& a, const list& shape) {
  if (shape.size() < a.shape.size()) throw refused_step("fewer axes");
  plain_array made = a;
  made.shape = shape;
  made.strides.assign(shape.size(), 0);
  for (std::size_t k = 0; k < a.shape.size(); ++k) {
    const std::size_t to = shape.size() - a.shape.size() + k;
    if (a.shape[k] != shape[to] && a.shape[k] != 1) throw refused_step("a shape that it cannot be repeated to");
    if (a.shape[k] == shape[to]) made.strides[to] = a.strides[k];
  }
  return made;
}

plain_array seen(const plain_array& a, const view_call& call) {
  switch (call.kind) {
    case view_call::form::index:
      return indexed(a, call.entries);
    case view_call::form::permute:
      return permuted(a, call.numbers);
    case view_call::form::flip:
      return flipped(a, call.axis);
    case view_call::form::diagonal:
      return diagonal_of(a, call);
    case view_call::form::broadcast:
      return repeated(a, list_of(call.numbers));
    case view_call::form::reshape:
      break;
  }
  return reshaped(a, call.numbers);
}

}  // namespace tessera::fuzz
