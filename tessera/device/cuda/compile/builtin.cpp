#include "tessera/device/cuda/compile/builtin.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>

#include "tessera/base/text.h"
#include "tessera/device/cuda/compile/builtin_source.h"
#include "tessera/device/cuda/compile/nvrtc.h"
#include "tessera/device/cuda/compile/reduction_code.h"
#include "tessera/device/cuda/copy.h"
#include "tessera/device/cuda/driver.h"

namespace tessera::device::cuda {

namespace {

// Mirrored in builtin_kernels.cu.
struct device_box {
  std::int64_t count[8];
  std::int64_t target[8];
  std::int64_t source[8];
  std::int64_t total;
  int rank;
};

/// Axes of the box, outermost first, items of `size` bytes.
device_box box_of(const row_copy& rows, std::int64_t size) {
  device_box b{};
  b.rank = rows.rank + 1;
  b.total = 1;
  for (int k = 0; k < rows.rank; ++k) {
    const row_copy::axis& a = rows.axes[static_cast<std::size_t>(rows.rank - 1 - k)];
    b.count[k] = a.count, b.target[k] = a.target, b.source[k] = a.source;
  }
  b.count[rows.rank] = rows.row / size, b.target[rows.rank] = size, b.source[rows.rank] = size;
  for (int k = 0; k < b.rank; ++k) b.total *= b.count[k];
  return b;
}

/// The widest of 8, 4 and 1 bytes that everything is a multiple of.
int width_of(const device_box& b, std::int64_t size, const std::byte* target, const std::byte* source) {
  std::uint64_t all = static_cast<std::uint64_t>(size) | reinterpret_cast<std::uintptr_t>(target) |
                      reinterpret_cast<std::uintptr_t>(source);
  for (int k = 0; k < b.rank; ++k) all |= static_cast<std::uint64_t>(b.target[k] | b.source[k]);
  return all % 8 == 0 ? 8 : all % 4 == 0 ? 4 : 1;
}

bool set_memory(CUstream stream, const fill_desc& fill, std::int64_t elements) {
  const auto target = reinterpret_cast<CUdeviceptr>(fill.target.data);
  const auto n = static_cast<std::size_t>(elements);
  std::uint32_t value = 0;
  if (fill.value.size() > sizeof value) {
    if (std::any_of(fill.value.begin(), fill.value.end(), [&](std::byte b) { return b != fill.value.front(); }))
      return false;
    check(
        driver().cuMemsetD8Async(target, static_cast<unsigned char>(fill.value.front()), n * fill.value.size(), stream),
        "filling");
    return true;
  }
  std::memcpy(&value, fill.value.data(), fill.value.size());
  switch (fill.value.size()) {
    case 1:
      check(driver().cuMemsetD8Async(target, static_cast<unsigned char>(value), n, stream), "filling");
      return true;
    case 2:
      check(driver().cuMemsetD16Async(target, static_cast<unsigned short>(value), n, stream), "filling");
      return true;
    case 4:
      check(driver().cuMemsetD32Async(target, value, n, stream), "filling");
      return true;
    default:
      return false;
  }
}

}  // namespace

void builtin_kernels::use(std::shared_ptr<binary_cache> cache) {
  const std::lock_guard lock(mutex_);
  cache_ = std::move(cache);
}

CUmodule builtin_kernels::load(std::string text) const {
  const source_desc source{std::move(text), {}, {"-fmad=false"}};
  const std::string key = cat("built-in kernels, ", nvrtc_identity(gpu_.compute_capability), source.text);
  std::vector<std::byte> code;
  if (cache_) code = cache_->find(key);
  if (code.empty()) {
    code = compile_cubin(source, gpu_.compute_capability);
    if (cache_) cache_->store(key, code);
  }
  CUmodule module = nullptr;
  check(driver().cuModuleLoadData(&module, code.data()), "loading the built-in kernels");
  return module;
}

template <class MakeText>
CUfunction builtin_kernels::find(module_entry& in, const std::string& name, const MakeText& make_text) {
  if (const auto found = in.functions.find(name); found != in.functions.end()) return found->second;
  if (in.module == nullptr) in.module = load(make_text());
  CUfunction f = nullptr;
  check(driver().cuModuleGetFunction(&f, in.module, name.c_str()), cat("looking for the built-in kernel ", name));
  return in.functions[name] = f;
}

CUfunction builtin_kernels::function(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return find(general_, name, general_kernels);
}

CUfunction builtin_kernels::private_function(scalar_kind kind, const std::string& name) {
  const std::lock_guard lock(mutex_);
  return find(private_[kind], name, [&] { return private_kernels(kind); });
}

void builtin_kernels::fill(CUstream stream, const fill_desc& fill) {
  const auto size = static_cast<std::int64_t>(fill.value.size());
  const row_copy rows({fill.target, fill.target, fill.count, size});
  device_box b = box_of(rows, size);
  if (size == 0 || b.total == 0) return;
  if (rows.rank == 0 && set_memory(stream, fill, b.total)) return;
  constexpr std::int64_t most = sizeof(device_value);
  for (std::int64_t from = 0; from < size; from += most) {
    int bytes = static_cast<int>(std::min(most, size - from));
    device_value value{};
    std::memcpy(value.bytes, fill.value.data() + from, static_cast<std::size_t>(bytes));
    std::byte* target = fill.target.data + from;
    const int width = width_of(b, bytes, target, nullptr);
    void* arguments[] = {&target, &b, &value, &bytes};
    launch_builtin(function(cat("tessera_fill_", width)), stream, {blocks_for(gpu_, b.total), 1}, arguments);
  }
}

void builtin_kernels::fill_identity(CUstream stream, const fill_desc& fill) const {
  device_box b{};
  b.rank = fill.count.rank();
  b.total = 1;
  for (int k = 0; k < b.rank; ++k) {
    b.count[k] = fill.count[k], b.target[k] = fill.target.strides[k];
    b.total *= b.count[k];
  }
  if (b.total == 0) return;
  std::byte* target = fill.target.data;
  void* arguments[] = {&target, &b};
  launch_builtin(fill.identity_of->fill, stream, {blocks_for(gpu_, b.total), 1}, arguments);
}

void builtin_kernels::copy(CUstream stream, const copy_desc& copy) {
  const row_copy rows(copy);
  int size = static_cast<int>(std::min<std::int64_t>(copy.element_bytes, rows.row));
  device_box b = box_of(rows, size);
  std::byte* target = copy.target.data;
  const std::byte* source = copy.source.data;
  const int width = width_of(b, size, target, source);
  void* arguments[] = {&target, &source, &b, &size};
  launch_builtin(function(cat("tessera_copy_", width)), stream, {blocks_for(gpu_, b.total), 1}, arguments);
}

void builtin_kernels::fold(CUstream stream, const fold_desc& fold) {
  const copy_desc shape{fold.target, fold.source, fold.count, fold.type.size};
  const row_copy rows(shape);
  if (rows.row == 0) return;
  if (fold.overwrite) return copy_rows(stream, shape);
  device_box b = box_of(rows, fold.type.size);
  if (b.total == 0) return;
  std::byte* target = fold.target.data;
  const std::byte* source = fold.source.data;
  int op = static_cast<int>(fold.op);
  void* arguments[] = {&target, &source, &b, &op};
  const CUfunction f =
      fold.code != nullptr ? fold.code->fold : function(cat("tessera_fold_", static_cast<int>(fold.type.kind)));
  launch_builtin(f, stream, {blocks_for(gpu_, b.total), 1}, arguments);
}

builtin_kernels& builtins_of(gpu& hardware) {
  static std::mutex mutex;
  static auto* const all = new std::map<int, std::unique_ptr<builtin_kernels>>;
  const std::lock_guard lock(mutex);
  std::unique_ptr<builtin_kernels>& entry = (*all)[hardware.ordinal];
  if (!entry) entry = std::make_unique<builtin_kernels>(hardware);
  return *entry;
}

void launch_builtin(CUfunction f, CUstream stream, std::array<unsigned, 2> grid, void** arguments) {
  check(driver().cuLaunchKernel(f, grid[0], grid[1], 1, builtin_block, 1, 1, 0, stream, arguments, nullptr),
        "launching a built-in kernel");
}

unsigned blocks_for(const gpu& hardware, std::int64_t items) {
  const std::int64_t wanted = (items + builtin_block - 1) / builtin_block;
  return static_cast<unsigned>(std::clamp<std::int64_t>(wanted, 1, std::int64_t{hardware.multiprocessors} * 16));
}

}  // namespace tessera::device::cuda
