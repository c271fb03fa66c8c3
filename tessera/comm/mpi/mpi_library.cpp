#include "tessera/comm/mpi/mpi_library.h"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "tessera/base/error.h"
#include "tessera/base/launcher.h"
#include "tessera/base/text.h"

namespace tessera::comm::mpi {
namespace {

library* opened = nullptr;

/// Where the plugin may be: named by hand, beside what was built, or where it is installed.
const tessera_mpi_calls* find_plugin() {
  std::string paths, reasons;
  const char* by_hand = std::getenv("TESSERA_MPI_PLUGIN");
  for (const std::string& path : {std::string(by_hand != nullptr ? by_hand : ""), std::string(TESSERA_MPI_BUILT),
                                  std::string(TESSERA_MPI_INSTALLED)}) {
    if (path.empty()) continue;
    // Implementations of MPI open parts of their own that look for its symbols.
    void* const plugin = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (plugin == nullptr) {
      reasons += cat("\n  ", dlerror());
      continue;
    }
    const auto find = reinterpret_cast<const tessera_mpi_calls* (*)()>(dlsym(plugin, "tessera_mpi"));
    if (find != nullptr && find()->version == TESSERA_MPI_CALLS_VERSION) return find();
    reasons += cat("\n  ", path, " is of another version");
  }
  throw comm_error(
      cat("this process is one of ", this_process().ranks, " ranks, but Tessera's plugin for MPI cannot be opened: ",
          reasons, "\n  Install Open MPI (libopenmpi-dev) and build Tessera again, or name it in TESSERA_MPI_PLUGIN"));
}

}  // namespace

library& library::open() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (opened == nullptr) opened = new library;  // used by threads that outlive static objects
  return *opened;
}

library::library() : calls_(find_plugin()) {
  int ours = 0, level = 0;
  if (const int error = calls_->begin(&ours, &level); error != 0)
    throw comm_error(cat("MPI cannot be initialised: ", text_of(error)));
  if (ours != 0) std::atexit(finalise);
  if (level == 0)
    throw comm_error("MPI was initialised without threads; Tessera needs MPI_THREAD_SERIALIZED or better");
}

/// Finalising waits for all ranks. Where one of them may be gone for good, not longer than it is worth.
void library::finalise() noexcept {
  if (opened->failed_)
    std::thread([] {
      constexpr std::chrono::seconds patience(3);
      std::this_thread::sleep_for(patience);
      _exit(EXIT_FAILURE);
    }).detach();
  const std::lock_guard lock(opened->turn_);
  opened->calls_->end();
}

std::string library::text_of(int error) const {
  std::array<char, 512> text{};
  calls_->text_of(error, text.data(), static_cast<int>(text.size()));
  return text.data();
}

}  // namespace tessera::comm::mpi
