#pragma once

#include <iterator>

/// What Thrust has for memory of one device. Elements here rest on all devices and move between them, so that no address
/// can be had; these names tell what to write instead.
namespace thrust {
namespace detail {

template <class T>
inline constexpr bool has_addresses = false;

}  // namespace detail

/// Cannot be had.
template <class P>
void raw_pointer_cast(const P&) {
  static_assert(detail::has_addresses<P>,
                "elements have no address: pass the device_vector itself to a kernel (ts::call(kernel, {...}, v)), to a "
                "kernel with annotations (kernel.launch(..., v)), or to the host (v.host(ts::readwrite).data())");
}
/// Cannot be had.
template <class P>
void device_pointer_cast(const P&) {
  static_assert(detail::has_addresses<P>,
                "memory of other libraries cannot be taken over: copy it into a device_vector(first, last)");
}
/// Cannot be had.
template <class T>
void device_malloc(std::size_t) {
  static_assert(detail::has_addresses<T>, "memory of devices is that of containers: make a device_vector<T>(n)");
}
/// Cannot be had.
template <class P>
void device_free(const P&) {
  static_assert(detail::has_addresses<P>, "memory of devices is that of containers: a device_vector frees its own");
}

template <class I, class N>
void advance(I& i, N n) {
  std::advance(i, n);
}
template <class I>
[[nodiscard]] auto distance(const I& first, const I& last) {
  return last - first;
}
template <class I>
[[nodiscard]] I next(I i, std::ptrdiff_t n = 1) {
  return i += n;
}
template <class I>
[[nodiscard]] I prev(I i, std::ptrdiff_t n = 1) {
  return i -= n;
}

}  // namespace thrust
