#include "tessera/device/cuda/cuda_backend.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/device/cuda/abi.h"
#include "tessera/device/cuda/compile/nvrtc.h"
#include "tessera/device/cuda/driver.h"
#include "tessera/device/cuda/private_results.h"

namespace tessera::device {
namespace cuda {
namespace {

constexpr std::int64_t small_copy = 64 << 10;  // bytes that go through one page-locked buffer without another thread
constexpr std::int64_t tiny_copy = 16 << 10;   // bytes below which a kernel copies sooner than the copy engine begins
constexpr std::size_t large_value = 2048;      // bytes of one element that are filled like a copy
constexpr std::int64_t small_row = 256;  // rows below this are copied by a kernel: the copy engine is slow at them

/// The other GPUs of `ordinals` that may reach the memory of `hardware` directly.
std::vector<int> peers_of(const gpu& hardware, const cuda_options& options) {
  std::vector<int> peers;
  for (const int ordinal : options.gpus) {
    const bool known = ordinal == hardware.ordinal || std::find(peers.begin(), peers.end(), ordinal) != peers.end();
    if (!known && options.peers && ordinal >= 0 && ordinal < gpu_count() && are_peers(hardware, get_gpu(ordinal)))
      peers.push_back(ordinal);
  }
  return peers;
}

/// What part of a GPU's memory one of `sharers` logical devices may use by default: nearly its share of what is free,
/// since the driver, loaded kernels and temporary buffers need some.
std::int64_t default_memory(const gpu& hardware, std::int64_t sharers) {
  const std::int64_t kept = std::max(hardware.available / 20, std::int64_t{256} << 20);
  return std::max<std::int64_t>(0, hardware.available - kept) / sharers;
}

CUdeviceptr address_of(const std::byte* data) { return reinterpret_cast<CUdeviceptr>(data); }

unsigned number(std::int64_t n) { return static_cast<unsigned>(n); }

/// Calls f(first block, blocks) for parts of the blocks [begin, end) that a grid of the hardware can have (rule B3).
template <class F>
void for_each_grid(const extents& begin, const extents& end, const F& f) {
  constexpr std::int64_t most = 65535;  // along y and z
  for (std::int64_t z = begin[2]; z < end[2]; z += most)
    for (std::int64_t y = begin[1]; y < end[1]; y += most)
      f({begin[0], y, z}, {end[0] - begin[0], std::min(most, end[1] - y), std::min(most, end[2] - z)});
}

/// Puts into the variables of a launch's module what they are to hold, in the order of the stream.
void put_variables(CUstream stream, const launch_desc& launch) {
  for (const variable_contents& v : launch.variables) {
    module_variable& target = *v.variable;
    if (v.stamp != 0 && target.held == v.stamp) continue;
    check(driver().cuMemcpyDtoDAsync(address_of(target.address), address_of(v.contents),
                                     static_cast<std::size_t>(target.bytes), stream),
          "setting a variable of a kernel's file");
    target.held = v.stamp;
  }
}

/// Takes out of them what the launch may have changed.
void take_variables(CUstream stream, const launch_desc& launch) {
  for (const variable_contents& v : launch.variables)
    if (v.changed)
      check(driver().cuMemcpyDtoDAsync(address_of(v.contents), address_of(v.variable->address),
                                       static_cast<std::size_t>(v.variable->bytes), stream),
            "reading a variable of a kernel's file");
}

class stream_context final : public native_context {
 public:
  stream_context(int device, CUstream stream) : device_(device), stream_(stream) {}
  [[nodiscard]] int device() const override { return device_; }
  [[nodiscard]] int cores() const override { return 1; }
  [[nodiscard]] void* queue() const override { return stream_; }
  [[nodiscard]] std::byte* workspace(std::int64_t bytes) override {
    CUdeviceptr data = 0;
    const CUresult result =
        driver().cuMemAllocAsync(&data, static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1)), stream_);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) throw out_of_memory(cat("no room for ", bytes, " bytes of workspace"));
    check(result, "taking workspace");
    workspaces_.push_back(data);
    return reinterpret_cast<std::byte*>(data);
  }
  /// In the order of the stream: behind what the function has put on it.
  ~stream_context() override {
    for (const CUdeviceptr data : workspaces_) driver().cuMemFreeAsync(data, stream_);
  }
  stream_context(const stream_context&) = delete;
  stream_context& operator=(const stream_context&) = delete;
  void parallel_for(std::int64_t n, const std::function<void(std::int64_t)>& body) override {
    for (std::int64_t i = 0; i < n; ++i) body(i);
  }

 private:
  int device_;
  CUstream stream_;
  std::vector<CUdeviceptr> workspaces_;
};

}  // namespace

cuda_backend::cuda_backend(const cuda_options& options) {
  std::string reason;
  if (!driver_available(&reason)) throw device_error(cat("no CUDA device can be used: ", reason));
  if (!nvrtc_available(&reason)) throw device_error(cat("no CUDA device can be used: ", reason));
  for (const int ordinal : options.gpus) {
    if (ordinal < 0 || ordinal >= gpu_count())
      throw argument_error(cat("there is no GPU ", ordinal, "; this machine has ", gpu_count()));
    gpu& hardware = get_gpu(ordinal);
    if (hardware.lost) throw device_error(cat("GPU ", ordinal, " is lost to this process since a kernel failed on it"));
    const auto sharers = std::count(options.gpus.begin(), options.gpus.end(), ordinal);
    const auto before = std::count(gpus_.begin(), gpus_.end(), &hardware);
    gpus_.push_back(&hardware);
    const std::int64_t memory = options.memory > 0 ? options.memory : default_memory(hardware, sharers);
    infos_.push_back({sharers == 1 ? cat("cuda:", ordinal) : cat("cuda:", ordinal, ".", before),
                      std::max(1, hardware.multiprocessors / static_cast<int>(sharers)), memory});
    memories_.emplace_back(hardware, static_cast<int>(memories_.size()), memory, peers_of(hardware, options));
    for (int q = 0; q < queues_per_device; ++q)
      queues_.emplace_back(hardware, static_cast<operation_issuer&>(*this), options.disturbance, queues_.size());
    builtins_of(hardware).use(options.cache);
  }
  for (std::size_t from = 0; from < gpus_.size(); ++from)
    for (std::size_t to = 0; to < gpus_.size(); ++to)
      links_.push_back(choose_link({.one_logical = from == to,
                                    .one_gpu = gpus_[from] == gpus_[to],
                                    .can_access = options.peers && are_peers(*gpus_[from], *gpus_[to]),
                                    .peers_allowed = options.peers}));
  for (stream_queue& q : queues_) family_.push_back(&q);
  for (stream_queue& q : queues_) q.know(family_);
  completion_ = std::make_unique<completion_thread>(family_, options.kernel_timeout);
}

cuda_backend::~cuda_backend() = default;

std::byte* cuda_backend::allocate(int device, std::int64_t bytes) {
  return memories_.at(static_cast<std::size_t>(device)).reserve(bytes);
}

void cuda_backend::deallocate(int device, std::byte* data, std::int64_t bytes) noexcept {
  memories_[static_cast<std::size_t>(device)].release(data, bytes);
}

bool cuda_backend::back(int device, std::byte* data, std::int64_t begin, std::int64_t end) {
  return memories_.at(static_cast<std::size_t>(device)).back(data, begin, end);
}

void cuda_backend::unback(int device, std::byte* data, std::int64_t begin, std::int64_t end) noexcept {
  memories_[static_cast<std::size_t>(device)].unback(data, begin, end);
}

std::int64_t cuda_backend::guard_bytes(int /*device*/, std::int64_t bytes) const {
  return device_memory::guard_bytes(bytes);
}

std::int64_t cuda_backend::page_bytes(int device, std::int64_t bytes) const {
  return memories_[static_cast<std::size_t>(device)].page_bytes(bytes);
}

std::byte* cuda_backend::allocate_host(std::int64_t bytes) {
  try {
    gpus_.front()->make_current();
    return gpus_.front()->pinned.take(bytes);
  } catch (const out_of_memory&) {
    return nullptr;
  }
}

void cuda_backend::deallocate_host(std::byte* data, std::int64_t bytes) noexcept {
  if (data != nullptr) gpus_.front()->pinned.give(data, bytes);
}

device_link cuda_backend::link(int from, int to) const {
  return links_.at(static_cast<std::size_t>(from) * gpus_.size() + static_cast<std::size_t>(to));
}

std::int64_t cuda_backend::tiny_copy_bytes() const { return tiny_copy; }

event cuda_backend::enqueue(const order& ordering, work&& verb) {
  const int index = ordering.queue.device * queues_per_device + static_cast<int>(ordering.queue.kind);
  if (index < 0 || index >= static_cast<int>(queues_.size()))
    throw argument_error(cat("there is no device ", ordering.queue.device, " among ", infos_.size()));
  const event e = queues_[static_cast<std::size_t>(index)].enqueue(ordering, std::move(verb));
  completion_->wake();
  return e;
}

int cuda_backend::device_of(const stream_queue& q) const {
  const auto at = std::find(family_.begin(), family_.end(), &q);
  return static_cast<int>(at - family_.begin()) / queues_per_device;
}

operation_issuer::result cuda_backend::issue(stream_queue& on, work& verb) {
  return std::visit([&](const auto& w) { return issue(on, w); }, verb);
}

operation_issuer::result cuda_backend::copy_between(stream_queue& on, const copy_desc& elements,
                                                    const device_memory& from, const device_memory& to) {
  if (link(from.device(), to.device()) == device_link::host)
    return {false, through_host_.copy(on, from.hardware(), elements)};
  const row_copy rows(elements);
  const bool same = &from.hardware() == &to.hardware();
  if (same && (bytes_of(elements) <= tiny_copy || (rows.rank > 0 && rows.row < small_row)))
    builtins_of(on.hardware()).copy(on.stream(), elements);
  else
    copy_rows(on.stream(), elements);
  return {};
}

operation_issuer::result cuda_backend::issue(stream_queue& on, const copy_desc& copy) {
  const std::int64_t bytes = bytes_of(copy);
  if (bytes == 0) return {};
  const device_memory* const to = memory_at(copy.target.data);
  const device_memory* const from = memory_at(copy.source.data);
  if (to != nullptr && from != nullptr) return copy_between(on, copy, *from, *to);
  const bool to_device = to != nullptr, from_device = from != nullptr;
  if (!to_device && !from_device) {
    fetching_.copy_host(on, copy);
    return {true, {}};
  }
  if (gpus_.front()->pinned.owns(to_device ? copy.source.data : copy.target.data)) {
    copy_rows(on.stream(), copy);
    return {};
  }
  if (bytes > small_copy) {
    to_device ? sending_.send(on, copy) : fetching_.fetch(on, copy);
    return {true, {}};
  }
  pinned_pool& pool = on.hardware().pinned;
  std::byte* const buffer = pool.take(small_copy);
  const strided dense{buffer, dense_strides(copy.count, copy.element_bytes)};
  if (to_device) {
    pack(buffer, copy);
    copy_rows(on.stream(), {copy.target, dense, copy.count, copy.element_bytes});
    return {false, [&pool, buffer] { pool.give(buffer, small_copy); }};
  }
  copy_rows(on.stream(), {dense, copy.source, copy.count, copy.element_bytes});
  return {false, [&pool, buffer, copy] {
            unpack(copy, buffer);
            pool.give(buffer, small_copy);
          }};
}

operation_issuer::result cuda_backend::issue(stream_queue& on, const fill_desc& fill) {
  if (fill.identity_of != nullptr) {
    builtins_of(on.hardware()).fill_identity(on.stream(), fill);
    return {};
  }
  if (fill.value.empty()) return {};
  if (!on_gpu(fill.target.data)) {
    fetching_.fill_host(on, fill);
    return {true, {}};
  }
  if (fill.value.size() > large_value && box::whole(fill.count).volume() == 1) return fill_large(on, fill);
  builtins_of(on.hardware()).fill(on.stream(), fill);
  return {};
}

/// One element that takes more than the arguments of a few kernels: through page-locked buffers.
operation_issuer::result cuda_backend::fill_large(stream_queue& on, const fill_desc& fill) {
  pinned_pool& pool = on.hardware().pinned;
  std::vector<std::byte*> buffers;
  const auto size = static_cast<std::int64_t>(fill.value.size());
  for (std::int64_t from = 0; from < size; from += small_copy) {
    const auto bytes = static_cast<std::size_t>(std::min(small_copy, size - from));
    buffers.push_back(pool.take(small_copy));
    std::memcpy(buffers.back(), fill.value.data() + from, bytes);
    check(driver().cuMemcpyAsync(address_of(fill.target.data + from), address_of(buffers.back()), bytes, on.stream()),
          "filling");
  }
  return {false, [&pool, buffers] {
            for (std::byte* const b : buffers) pool.give(b, small_copy);
          }};
}

operation_issuer::result cuda_backend::issue(stream_queue& on, const fold_desc& fold) {
  builtins_of(on.hardware()).fold(on.stream(), fold);
  return {};
}

operation_issuer::result cuda_backend::issue(stream_queue& on, const launch_desc& launch) {
  for (int a = 0; a < 3; ++a)
    if (launch.end[a] <= launch.begin[a]) return {};
  put_variables(on.stream(), launch);
  // Atomic operations of a GPU on what blocks share are as fast as any way around them.
  const auto is_shared = [&](const private_result& r) { return r.by_atomics && !launch.in_order; };
  if (std::all_of(launch.results.begin(), launch.results.end(), is_shared)) {
    put_kernel(on, launch, launch.begin, launch.end, 0);
    take_variables(on.stream(), launch);
    return {};
  }
  const auto kernel = [&](const extents& begin, const extents& end, CUdeviceptr results) {
    put_kernel(on, launch, begin, end, results);
  };
  result done{false, launch_private(on, builtins_of(on.hardware()), launch, kernel)};
  take_variables(on.stream(), launch);
  return done;
}

void cuda_backend::put_kernel(stream_queue& on, const launch_desc& launch, const extents& begin, const extents& end,
                              CUdeviceptr results) {
  const CUfunction f = modules_.function(launch.function, launch.shared_bytes);
  tessera_cuda_grid grid{};
  for (int a = 0; a < 3; ++a) grid.count[a] = number(launch.grid[a]);
  grid.results = reinterpret_cast<const unsigned long long* const*>(results);
  std::array<void*, 24> few;
  std::vector<void*> many;
  void** arguments = few.data();
  const std::size_t count = launch.arguments.size() + 1 + launch.loaded.size();
  if (count > few.size()) many.resize(count), arguments = many.data();
  for (std::size_t i = 0; i < launch.arguments.size(); ++i)
    arguments[i] = const_cast<std::byte*>(launch.arguments[i].data());
  arguments[launch.arguments.size()] = &grid;
  for (std::size_t i = 0; i < launch.loaded.size(); ++i)
    arguments[launch.arguments.size() + 1 + i] = const_cast<std::byte**>(&launch.loaded[i].from);
  for_each_grid(begin, end, [&](const extents& first, const extents& blocks) {
    for (int a = 0; a < 3; ++a) grid.first[a] = number(first[a]);
    check(driver().cuLaunchKernel(f, number(blocks[0]), number(blocks[1]), number(blocks[2]), number(launch.block[0]),
                                  number(launch.block[1]), number(launch.block[2]), number(launch.shared_bytes),
                                  on.stream(), arguments, nullptr),
          "launching a kernel");
  });
}

operation_issuer::result cuda_backend::issue(stream_queue& on, const native_function& function) {
  stream_context context(device_of(on), on.stream());
  function(context);
  return {};
}

std::vector<std::byte> cuda_backend::compile(int device, const source_desc& source) {
  return compile_cubin(source, gpu_of(device).compute_capability);
}

std::string cuda_backend::compiler_identity(int device) { return nvrtc_identity(gpu_of(device).compute_capability); }

module_id cuda_backend::load(int device, std::span<const std::byte> binary) {
  return modules_.load(gpu_of(device), binary);
}

}  // namespace cuda

int count_gpus(std::string* reason) {
  if (!cuda::driver_available(reason)) return 0;
  return nvrtc_available(reason) ? cuda::gpu_count() : 0;
}

std::int64_t gpu_memory(int ordinal) { return cuda::get_gpu(ordinal).memory; }

std::unique_ptr<backend> make_cuda(const cuda_options& options) {
  return std::make_unique<cuda::cuda_backend>(options);
}

}  // namespace tessera::device
