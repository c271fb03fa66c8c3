#include "tessera/device/cpu/jit/private_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <set>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::device {
namespace {

namespace fs = std::filesystem;

constexpr const char* prefix = "tessera-build-";

std::string temporary_folder() {
  const char* variable = std::getenv("TMPDIR");
  return variable != nullptr && variable[0] == '/' ? variable : "/tmp";
}

/// True if `path` is not used any more: ours, old, and its lock is free.
bool abandoned(const fs::path& path) {
  constexpr std::time_t old_seconds = 600;  // far longer than the time between making a directory and locking it
  const file_descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat found {};
  return directory && ::fstat(directory.get(), &found) == 0 && found.st_uid == ::geteuid() &&
         found.st_mtime + old_seconds < std::time(nullptr) && ::flock(directory.get(), LOCK_EX | LOCK_NB) == 0;
}

void remove_abandoned(const std::string& folder) noexcept {
  try {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (!entry.path().filename().string().starts_with(prefix) || !abandoned(entry.path())) continue;
      std::error_code ignored;
      fs::remove_all(entry.path(), ignored);
    }
  } catch (const std::exception&) {  // an unreadable folder only means that nothing is cleaned
  }
}

void remove_abandoned_once(const std::string& folder) {
  static std::mutex mutex;
  static auto& cleaned = *new std::set<std::string>;  // used by threads that outlive static objects
  const std::lock_guard lock(mutex);
  if (cleaned.insert(folder).second) remove_abandoned(folder);
}

}  // namespace

private_directory::private_directory() {
  const std::string folder = temporary_folder();
  remove_abandoned_once(folder);
  path_ = cat(folder, "/", prefix, "XXXXXX");
  if (::mkdtemp(path_.data()) == nullptr)
    throw compile_error(cat("cannot make a directory in ", folder, ": ", std::strerror(errno),
                            "; set TMPDIR to a folder that can be written"));
  lock_ = file_descriptor(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (lock_) ::flock(lock_.get(), LOCK_EX | LOCK_NB);
}

private_directory::~private_directory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace tessera::device
