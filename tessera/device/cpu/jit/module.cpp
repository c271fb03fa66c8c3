#include "tessera/device/cpu/jit/module.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <unordered_map>

#include "tessera/base/bytes/sha256.h"
#include "tessera/base/error.h"
#include "tessera/base/file_descriptor.h"
#include "tessera/base/text.h"
#include "tessera/device/cpu/jit/elf.h"

namespace tessera::device {
namespace {

[[noreturn]] void throw_load_error(const char* what, const char* reason) {
  throw compile_error(cat("cannot load a compiled kernel: ", what, ": ", reason));
}

file_descriptor memory_file() {
  constexpr unsigned executable = 0x10;  // MFD_EXEC: newer systems ask for it, older ones do not know it
  const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  file_descriptor file(::memfd_create("tessera-module", flags | executable));
  if (!file) file = file_descriptor(::memfd_create("tessera-module", flags));
  if (!file) throw_load_error("no memory file", std::strerror(errno));
  return file;
}

/// A path of the open file that was never used before: the loader takes libraries of one name for one library, and
/// numbers of files come back. The steps "./" and ".//" lead nowhere and spell a serial number.
std::string unique_path(int file) {
  static std::atomic<std::uint64_t> loads{0};
  std::string path = "/proc/self/fd/";
  for (std::uint64_t serial = ++loads; serial != 0; serial /= 2) path += serial % 2 == 0 ? "./" : ".//";
  return path + std::to_string(file);
}

/// Loads a copy that nobody can change any more.
void* open_library(std::span<const std::byte> binary) {
  const file_descriptor file = memory_file();
  for (std::span<const std::byte> rest = binary; !rest.empty();) {
    const ssize_t n = ::write(file.get(), rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw_load_error("no memory", std::strerror(errno));
    rest = rest.subspan(static_cast<std::size_t>(n));
  }
  if (::fcntl(file.get(), F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) != 0)
    throw_load_error("cannot seal the copy", std::strerror(errno));
  void* library = ::dlopen(unique_path(file.get()).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw_load_error("dlopen", ::dlerror());
  return library;
}

/// The libraries of the process, by contents. Lives until the process ends.
class library_registry {
 public:
  static library_registry& instance() {
    static auto* registry = new library_registry;
    return *registry;
  }

  void* load(std::span<const std::byte> binary) {
    const library_facts facts = inspect_library(binary);
    if (!facts.whole) throw_load_error("damaged", "not a whole shared library");
    if (facts.variables) return open_library(binary);
    const digest contents = sha256_of(binary);
    const std::lock_guard lock(mutex_);
    void*& library = loaded_[contents];
    if (library == nullptr) library = open_library(binary);
    return library;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<digest, void*> loaded_;
};

struct place {
  std::size_t chunk;
  std::size_t offset;
};

place place_of(function_id function, std::size_t first_chunk) {
  const std::size_t scaled = function / first_chunk + 1;
  const auto chunk = static_cast<std::size_t>(std::bit_width(scaled) - 1);
  return {chunk, function - first_chunk * ((std::size_t{1} << chunk) - 1)};
}

}  // namespace

module_table::~module_table() {
  for (auto& chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
}

module_id module_table::load(std::span<const std::byte> binary) {
  void* library = library_registry::instance().load(binary);
  const std::lock_guard lock(mutex_);
  libraries_.push_back(library);
  return static_cast<module_id>(libraries_.size() - 1);
}

void* module_table::library(module_id module) const {
  const std::lock_guard lock(mutex_);
  if (module >= libraries_.size()) throw argument_error(cat("there is no module ", module));
  return libraries_[module];
}

const void* module_table::symbol(module_id module, const std::string& name) const {
  return ::dlsym(library(module), name.c_str());
}

function_id module_table::find(module_id module, const std::string& symbol) {
  void* address = ::dlsym(library(module), symbol.c_str());
  if (address == nullptr) throw compile_error(cat("the compiled module has no function '", symbol, "'"));
  const std::lock_guard lock(mutex_);
  const auto [at, added] = found_.try_emplace({module, symbol}, functions_);
  if (added) append(std::bit_cast<tessera_cpu_entry>(address));
  return at->second;
}

function_id module_table::adopt(tessera_cpu_entry entry) {
  const std::lock_guard lock(mutex_);
  append(entry);
  return functions_ - 1;
}

void module_table::append(tessera_cpu_entry entry) {
  const auto [chunk, offset] = place_of(functions_, first_chunk);
  tessera_cpu_entry* entries = chunks_[chunk].load(std::memory_order_relaxed);
  if (entries == nullptr) {
    entries = new tessera_cpu_entry[first_chunk << chunk]{};
    chunks_[chunk].store(entries, std::memory_order_release);
  }
  entries[offset] = entry;
  ++functions_;
}

tessera_cpu_entry module_table::entry(function_id function) const noexcept {
  const auto [chunk, offset] = place_of(function, first_chunk);
  return chunks_[chunk].load(std::memory_order_acquire)[offset];
}

}  // namespace tessera::device
