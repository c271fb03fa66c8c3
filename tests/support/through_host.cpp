#include "tests/support/through_host.h"

#include <dlfcn.h>

#include <algorithm>
#include <stdexcept>

namespace tessera::support {
namespace {

/// The functions of the driver that are needed, called on the context that is current.
class driver {
 public:
  explicit driver(void* stream) : stream_(stream) {}

  void copy(std::byte* target, const std::byte* source, std::size_t bytes) const {
    static const auto call = find<int (*)(const void*, const void*, std::size_t, void*)>("cuMemcpyAsync");
    require(call(target, source, bytes, stream_));
  }
  /// False where an array has no memory on the device because nothing of it is declared.
  static bool knows(const std::byte* address) {
    // The plural asks without an error where the address is none of the driver's.
    static const auto call = find<int (*)(unsigned, int*, void**, std::uintptr_t)>("cuPointerGetAttributes");
    constexpr unsigned device = 2;
    int memory_type = 2;
    unsigned type = 0;
    void* answer = &type;
    return call(1, &memory_type, &answer, reinterpret_cast<std::uintptr_t>(address)) == 0 && type == device;
  }
  void wait() const {
    static const auto call = find<int (*)(void*)>("cuStreamSynchronize");
    require(call(stream_));
  }

 private:
  template <class F>
  static F find(const char* name) {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    void* const symbol = library == nullptr ? nullptr : dlsym(library, name);
    if (symbol == nullptr) throw std::runtime_error("no CUDA driver");
    return reinterpret_cast<F>(symbol);
  }
  static void require(int status) {
    if (status != 0) throw std::runtime_error("a call of the CUDA driver ended with " + std::to_string(status));
  }

  void* stream_;
};

/// Bytes of device memory and what they are on the host.
struct piece {
  std::byte* begin;
  std::byte* end;
  std::vector<std::byte> before{}, after{};
};

/// From the first to behind the last element of an array or slice.
piece range_of(const native_array& a) {
  if (a.data == nullptr || !driver::knows(a.data)) return {nullptr, nullptr};
  const int rank = a.shape.rank();
  // The last axis is contiguous; a single element may be anything, and no block of memory is as small as this.
  const std::int64_t element = rank > 0 ? a.strides[rank - 1] : 64;
  std::byte* last = a.data;
  for (int k = 0; k < rank; ++k) {
    if (a.shape[k] == 0) return {a.data, a.data};
    last += (a.shape[k] - 1) * a.strides[k];
  }
  return {a.data, last + element};
}

/// `pieces` in order, those that meet made one.
std::vector<piece> joined(std::vector<piece> pieces) {
  std::sort(pieces.begin(), pieces.end(), [](const piece& a, const piece& b) { return a.begin < b.begin; });
  std::vector<piece> result;
  for (piece& p : pieces) {
    if (p.begin == p.end) continue;
    if (!result.empty() && p.begin < result.back().end)
      result.back().end = std::max(result.back().end, p.end);
    else
      result.push_back(std::move(p));
  }
  return result;
}

void fetch(const driver& d, std::vector<piece>& pieces) {
  for (piece& p : pieces) {
    p.before.resize(static_cast<std::size_t>(p.end - p.begin));
    d.copy(p.before.data(), p.begin, p.before.size());
  }
  d.wait();
  for (piece& p : pieces) p.after = p.before;
}

void put_back_changes(const driver& d, const std::vector<piece>& pieces) {
  for (const piece& p : pieces) {
    for (std::size_t i = 0; i < p.after.size();) {
      std::size_t end = i;
      while (end < p.after.size() && p.after[end] != p.before[end]) ++end;
      if (end > i) d.copy(p.begin + i, p.after.data() + i, end - i);
      i = end + 1;
    }
  }
  d.wait();
}

}  // namespace

native_kernel through_host(native_kernel body) {
  return [body = std::move(body)](native_call& call) {
    const driver d(call.queue());
    std::vector<piece> pieces;
    for (int p = 0; p < call.parameters(); ++p) pieces.push_back(range_of(call.array(p)));
    pieces = joined(std::move(pieces));
    fetch(d, pieces);
    std::vector<native_array> arrays;
    for (int p = 0; p < call.parameters(); ++p) {
      native_array a = call.array(p);
      for (piece& q : pieces)
        if (q.begin <= a.data && a.data < q.end) {
          a.data = q.after.data() + (a.data - q.begin);
          break;
        }
      arrays.push_back(a);
    }
    native_call on_host = call.with_arrays(arrays);
    body(on_host);
    put_back_changes(d, pieces);
  };
}

}  // namespace tessera::support
