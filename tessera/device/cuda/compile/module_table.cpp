#include "tessera/device/cuda/compile/module_table.h"

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/device/cuda/driver.h"

namespace tessera::device::cuda {

module_table::~module_table() {
  for (const loaded& m : modules_) {
    if (m.module == nullptr || m.hardware->lost) continue;
    m.hardware->make_current();
    driver().cuModuleUnload(m.module);
  }
}

module_id module_table::load(gpu& hardware, std::span<const std::byte> binary) {
  hardware.make_current();
  CUmodule module = nullptr;
  if (const CUresult result = driver().cuModuleLoadData(&module, binary.data()); result != CUDA_SUCCESS)
    throw compile_error(cat("a compiled kernel cannot be loaded on GPU ", hardware.ordinal, ": ", describe(result)));
  const std::lock_guard lock(mutex_);
  if (free_modules_.empty()) {
    modules_.push_back({&hardware, module, {}, {}, {}, {}});
    return static_cast<module_id>(modules_.size() - 1);
  }
  const module_id id = free_modules_.back();
  free_modules_.pop_back();
  modules_[id] = {&hardware, module, {}, {}, {}, {}};
  return id;
}

void module_table::unload(module_id module) noexcept {
  loaded gone;
  {
    const std::lock_guard lock(mutex_);
    if (module >= modules_.size() || modules_[module].module == nullptr) return;
    std::swap(gone, modules_[module]);
    free_functions_.insert(free_functions_.end(), gone.functions.begin(), gone.functions.end());
    free_modules_.push_back(module);
  }
  if (gone.hardware->lost) return;
  gone.hardware->make_current();
  driver().cuModuleUnload(gone.module);
}

function_id module_table::find(module_id module, const std::string& symbol) {
  const std::lock_guard lock(mutex_);
  loaded& m = modules_.at(module);
  m.hardware->make_current();
  CUfunction f = nullptr;
  if (driver().cuModuleGetFunction(&f, m.module, symbol.c_str()) != CUDA_SUCCESS)
    throw compile_error(cat("a compiled kernel has no function '", symbol, "'"));
  if (free_functions_.empty()) {
    functions_.push_back({m.hardware, f});
    m.functions.push_back(static_cast<function_id>(functions_.size() - 1));
  } else {
    m.functions.push_back(free_functions_.back());
    free_functions_.pop_back();
    functions_[m.functions.back()] = {m.hardware, f};
  }
  return m.functions.back();
}

const void* module_table::symbol(module_id module, const std::string& name) {
  const std::lock_guard lock(mutex_);
  loaded& m = modules_.at(module);
  const auto [at, fresh] = m.symbols.try_emplace(name);
  std::vector<std::byte>& copy = at->second;
  if (fresh) {
    m.hardware->make_current();
    CUdeviceptr address = 0;
    std::size_t bytes = 0;
    if (driver().cuModuleGetGlobal(&address, &bytes, m.module, name.c_str()) == CUDA_SUCCESS) {
      copy.resize(bytes);
      check(driver().cuMemcpyDtoH(copy.data(), address, bytes), cat("reading '", name, "' of a compiled kernel"));
    }
  }
  return copy.empty() ? nullptr : copy.data();
}

module_variable* module_table::variable(module_id module, const std::string& name) {
  const std::lock_guard lock(mutex_);
  loaded& m = modules_.at(module);
  const auto [at, fresh] = m.variables.try_emplace(name);
  if (fresh) {
    m.hardware->make_current();
    CUdeviceptr address = 0;
    std::size_t bytes = 0;
    if (driver().cuModuleGetGlobal(&address, &bytes, m.module, name.c_str()) == CUDA_SUCCESS)
      at->second = {reinterpret_cast<std::byte*>(address), static_cast<std::int64_t>(bytes), 0};
  }
  return at->second.address == nullptr ? nullptr : &at->second;
}

const reduction_code* module_table::reduction(module_id module, int parameter) {
  const std::lock_guard lock(mutex_);
  loaded& m = modules_.at(module);
  const auto [at, fresh] = m.reductions.try_emplace(parameter);
  reduction_code& code = at->second;
  if (!fresh) return &code;
  m.hardware->make_current();
  const auto find = [&](CUfunction& to, const char* name) {
    const std::string symbol = cat("tessera_", name, "_", parameter);
    if (driver().cuModuleGetFunction(&to, m.module, symbol.c_str()) == CUDA_SUCCESS) return;
    m.reductions.erase(at);
    throw compile_error(cat("a compiled kernel has no function '", symbol, "'"));
  };
  find(code.prepare, "prepare");
  find(code.combine, "combine");
  find(code.combine_few, "combine_few");
  find(code.finish, "finish");
  find(code.fold, "fold");
  find(code.fill, "fill");
  return &code;
}

CUfunction module_table::function(function_id id, std::int64_t shared_bytes) {
  const std::lock_guard lock(mutex_);
  entry& e = functions_.at(id);
  if (shared_bytes > e.shared_bytes) {
    const CUresult result = driver().cuFuncSetAttribute(e.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                        static_cast<int>(shared_bytes));
    if (result != CUDA_SUCCESS)
      throw argument_error(
          cat(".shared asks for ", shared_bytes, " bytes, more than ", e.hardware->name, " has for this kernel"));
    e.shared_bytes = shared_bytes;
  }
  return e.function;
}

}  // namespace tessera::device::cuda
