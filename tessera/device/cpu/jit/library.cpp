#include "tessera/device/cpu/jit/library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <vector>

#include "tessera/base/bytes/sha256.h"
#include "tessera/base/containers/recent_map.h"
#include "tessera/base/containers/weak_map.h"
#include "tessera/base/error.h"
#include "tessera/base/file_descriptor.h"
#include "tessera/base/text.h"
#include "tessera/device/cpu/jit/elf.h"
#include "tessera/device/cpu/jit/loaded_lines.h"

namespace tessera::device {
namespace {

[[noreturn]] void throw_load_error(const char* step, const char* reason) {
  throw compile_error(cat("cannot load a compiled kernel: ", step, ": ", reason));
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

/// Loads a copy that cannot be changed any more.
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

std::unique_ptr<const loaded_lines> lines_of(void* handle, std::span<const std::byte> binary) {
  line_table table = line_table::decode(binary);
  const link_map* place = nullptr;
  if (table.empty() || ::dlinfo(handle, RTLD_DI_LINKMAP, &place) != 0) return nullptr;
  return std::make_unique<const loaded_lines>(std::move(table), place->l_addr);
}

std::shared_ptr<const library> make(std::span<const std::byte> binary, const library_facts& facts) {
  void* const handle = open_library(binary);
  return std::make_shared<const library>(handle, facts.per_thread, lines_of(handle, binary));
}

/// The libraries of the process, by contents. Lives until the process ends.
class library_registry {
 public:
  static library_registry& instance() {
    static auto* registry = new library_registry;
    return *registry;
  }

  std::shared_ptr<const library> load(std::span<const std::byte> binary) {
    const library_facts facts = inspect_library(binary);
    if (!facts.whole) throw_load_error("damaged", "not a whole shared library");
    if (facts.variables) return make(binary, facts);
    const digest contents = sha256_of(binary);
    std::shared_ptr<const library> gone;  // is unloaded when the lock is free
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const library> found = loaded_.find(contents);
    if (found == nullptr) {
      found = make(binary, facts);
      loaded_.insert(contents, found);
      if (facts.per_thread) permanent_.push_back(found);
    }
    if (recent_.find(contents) == nullptr)
      if (auto last = recent_.insert(contents, found)) gone = *std::move(last);
    return found;
  }

 private:
  static constexpr std::size_t most_unused = 128;

  std::mutex mutex_;
  weak_map<digest, const library> loaded_;
  recent_map<digest, std::shared_ptr<const library>> recent_{most_unused};
  std::vector<std::shared_ptr<const library>> permanent_;
};

}  // namespace

std::shared_ptr<const library> library::load(std::span<const std::byte> binary) {
  return library_registry::instance().load(binary);
}

library::library(void* handle, bool stays, std::unique_ptr<const loaded_lines> lines)
    : handle_(handle), stays_(stays), lines_(std::move(lines)) {}

library::~library() {
  if (!stays_) lines_.reset();  // before other code may lie at its addresses
  if (!stays_) ::dlclose(handle_);
}

void* library::find(const std::string& symbol) const { return ::dlsym(handle_, symbol.c_str()); }

}  // namespace tessera::device
