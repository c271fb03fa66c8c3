#include "tessera/runtime/through_host.h"

#include <dlfcn.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "tessera/base/text.h"

namespace tessera {
namespace runtime {
namespace {

/// The functions of the driver that are needed, called on the context that is current.
class driver final : public device_memory {
 public:
  explicit driver(void* stream) : stream_(stream) {}

  void copy(std::byte* target, const std::byte* source, std::size_t bytes) const override {
    static const auto call = find<int (*)(const void*, const void*, std::size_t, void*)>("cuMemcpyAsync");
    require(call(target, source, bytes, stream_));
  }
  void wait() const override {
    static const auto call = find<int (*)(void*)>("cuStreamSynchronize");
    require(call(stream_));
  }

 private:
  template <class F>
  static F find(const char* name) {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    void* const symbol = library == nullptr ? nullptr : dlsym(library, name);
    if (symbol == nullptr) throw device_error("there is no CUDA driver");
    return reinterpret_cast<F>(symbol);
  }
  static void require(int status) {
    if (status != 0)
      throw device_error(cat("a copy through the host ended with error ", status, " of the CUDA driver"));
  }

  void* stream_;
};

/// Contiguous elements of an array that a call uses.
struct run {
  std::byte* begin;
  std::size_t bytes;
  bool written;
};

/// The rows of `part`, those that follow each other joined.
void add_runs(const native_array& a, const native_call::touched_box& part, std::vector<run>& runs) {
  const box& b = part.bounds;
  if (b.empty() || a.data == nullptr) return;
  const int rank = b.rank();
  const auto row = static_cast<std::size_t>((rank == 0 ? 1 : b.hi[rank - 1] - b.lo[rank - 1]) * part.element_bytes);
  for (extents at = b.lo;;) {
    std::byte* begin = a.data;
    for (int k = 0; k < rank; ++k) begin += at[k] * a.strides[k];
    if (!runs.empty() && runs.back().written == part.written && runs.back().begin + runs.back().bytes == begin)
      runs.back().bytes += row;
    else
      runs.push_back({begin, row, part.written});
    int axis = rank - 2;
    for (; axis >= 0; --axis) {
      if (++at[axis] < b.hi[axis]) break;
      at[axis] = b.lo[axis];
    }
    if (axis < 0) return;
  }
}

/// Device addresses and the host memory that stands for them. Parameters that share memory share it.
struct mirror {
  std::byte* begin;
  std::byte* end;
  std::unique_ptr<std::byte[]> copy{};
  std::vector<run> runs{};

  [[nodiscard]] bool has(const std::byte* address) const { return begin <= address && address < end; }
  [[nodiscard]] std::byte* of(std::byte* address) const { return copy.get() + (address - begin); }
};

/// Which mirror stands for a parameter; -1: none, the call uses nothing of it.
struct mirror_set {
  std::vector<mirror> mirrors;
  std::vector<int> of_parameter;
};

mirror_set mirrors_of(const native_call& call) {
  mirror_set made;
  std::vector<std::byte*> first(static_cast<std::size_t>(call.parameters()), nullptr);
  for (int p = 0; p < call.parameters(); ++p) {
    std::vector<run> runs;
    for (const native_call::touched_box& part : call.touched())
      if (part.parameter == p) add_runs(call.array(p), part, runs);
    if (runs.empty()) continue;
    mirror own{runs[0].begin, runs[0].begin};
    for (const run& r : runs) own.begin = std::min(own.begin, r.begin), own.end = std::max(own.end, r.begin + r.bytes);
    own.runs = std::move(runs);
    first[static_cast<std::size_t>(p)] = own.begin;
    // Those that it shares memory with become one with it.
    std::erase_if(made.mirrors, [&](mirror& other) {
      if (other.end <= own.begin || own.end <= other.begin) return false;
      own.begin = std::min(own.begin, other.begin), own.end = std::max(own.end, other.end);
      own.runs.insert(own.runs.end(), other.runs.begin(), other.runs.end());
      return true;
    });
    made.mirrors.push_back(std::move(own));
  }
  for (mirror& m : made.mirrors)
    m.copy = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(m.end - m.begin));
  for (const std::byte* address : first) {
    const auto found = std::find_if(made.mirrors.begin(), made.mirrors.end(),
                                    [&](const mirror& m) { return address != nullptr && m.has(address); });
    made.of_parameter.push_back(found == made.mirrors.end() ? -1 : static_cast<int>(found - made.mirrors.begin()));
  }
  return made;
}

}  // namespace

void call_through_host(const device_memory& memory, const native_call& call, const native_kernel& body) {
  const mirror_set set = mirrors_of(call);
  for (const mirror& m : set.mirrors)
    for (const run& r : m.runs) memory.copy(m.of(r.begin), r.begin, r.bytes);
  memory.wait();
  std::vector<native_array> arrays;
  for (int p = 0; p < call.parameters(); ++p) {
    native_array a = call.array(p);
    const int number = set.of_parameter[static_cast<std::size_t>(p)];
    a.data = number < 0 ? nullptr : set.mirrors[static_cast<std::size_t>(number)].of(a.data);
    arrays.push_back(a);
  }
  native_call on_host = call.with_arrays(arrays);
  body(on_host);
  for (const mirror& m : set.mirrors)
    for (const run& r : m.runs)
      if (r.written) memory.copy(r.begin, m.of(r.begin), r.bytes);
  memory.wait();
}

}  // namespace runtime

native_kernel through_host(native_kernel body) {
  return [body = std::move(body)](native_call& call) {
    runtime::call_through_host(runtime::driver(call.queue()), call, body);
  };
}

}  // namespace tessera
