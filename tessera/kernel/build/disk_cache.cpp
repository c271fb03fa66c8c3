#include "tessera/kernel/build/disk_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <limits>
#include <string_view>

#include "tessera/base/file_descriptor.h"
#include "tessera/base/text.h"

namespace tessera::kernels {
namespace {

namespace fs = std::filesystem;

constexpr mode_t writable_by_others = S_IWGRP | S_IWOTH;
constexpr std::time_t hour = 3600;
constexpr std::string_view temporary_prefix = ".new-";
constexpr const char* claims_name = ".claims";  // of each entry that is being made, one byte is locked

/// What an entry begins with, in the byte order of this machine: binaries do not travel. The seal is over key and
/// payload, so that an entry under another's name is not accepted either.
struct entry_header {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t reserved;
  std::uint64_t length;
  digest seal;
};
constexpr std::array<char, 8> entry_magic{'t', 'e', 's', 's', 'e', 'r', 'a', '\n'};
constexpr std::uint32_t entry_version = 1;

digest seal_of(const digest& key, std::span<const std::byte> payload) {
  return sha256().add(std::as_bytes(std::span(key.bytes))).add(payload).finish();
}

bool read_all(int file, std::span<std::byte> into) {
  while (!into.empty()) {
    const ssize_t n = ::read(file, into.data(), into.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    into = into.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

bool write_all(int file, std::span<const std::byte> from) {
  while (!from.empty()) {
    const ssize_t n = ::write(file, from.data(), from.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    from = from.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

/// Opens the directory, or says in `reason` why it must not be used.
file_descriptor open_directory(const std::string& path, std::string& reason) {
  std::error_code ignored;
  fs::create_directories(fs::path(path).parent_path(), ignored);
  ::mkdir(path.c_str(), S_IRWXU);  // an existing one is judged below
  file_descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat found {};
  if (!directory || ::fstat(directory.get(), &found) != 0)
    reason = errno == ENOTDIR || errno == ELOOP ? "it is not a directory, or is a symbolic link" : std::strerror(errno);
  else if (found.st_uid != ::geteuid())
    reason = "it belongs to another user";
  else if ((found.st_mode & writable_by_others) != 0)
    reason = "others may write it; set its mode to 0700";
  if (!reason.empty()) return {};
  return directory;
}

/// Reads the open entry of `key`; nothing if it is not exactly what `store` wrote.
std::optional<std::vector<std::byte>> read_entry(int file, const digest& key) {
  struct stat found {};
  if (::fstat(file, &found) != 0 || !S_ISREG(found.st_mode) || found.st_uid != ::geteuid()) return std::nullopt;
  if ((found.st_mode & writable_by_others) != 0) return std::nullopt;
  if (found.st_nlink > 1) return std::nullopt;  // none: replaced by another writer since it was opened
  entry_header header{};
  const auto size = static_cast<std::uint64_t>(found.st_size);
  if (size < sizeof header || !read_all(file, std::as_writable_bytes(std::span(&header, 1)))) return std::nullopt;
  if (header.magic != entry_magic || header.version != entry_version) return std::nullopt;
  if (header.length != size - sizeof header) return std::nullopt;
  std::vector<std::byte> payload(static_cast<std::size_t>(header.length));
  if (!read_all(file, payload) || seal_of(key, payload) != header.seal) return std::nullopt;
  if (found.st_mtime + hour < std::time(nullptr)) ::futimens(file, nullptr);  // remembers the use
  return payload;
}

std::string temporary_name() {
  std::uint64_t random = 0;
  if (::getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random)
    random = static_cast<std::uint64_t>(std::time(nullptr));  // O_EXCL catches a clash
  return cat(temporary_prefix, ::getpid(), "-", random);
}

struct known_entry {
  std::string name;
  std::int64_t bytes;
  std::time_t used;
};

/// The entries of the directory, after removing what killed writers left.
std::vector<known_entry> list_entries(int directory) {
  std::vector<known_entry> entries;
  const int copy = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* stream = copy < 0 ? nullptr : ::fdopendir(copy);
  if (stream == nullptr) {
    if (copy >= 0) ::close(copy);
    return entries;
  }
  while (const dirent* item = ::readdir(stream)) {
    struct stat found {};
    if (::fstatat(directory, item->d_name, &found, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(found.st_mode)) continue;
    const bool unfinished = std::string_view(item->d_name).starts_with(temporary_prefix);
    if (unfinished && found.st_mtime + hour < std::time(nullptr)) ::unlinkat(directory, item->d_name, 0);
    if (!unfinished && item->d_name != std::string_view(claims_name))
      entries.push_back({item->d_name, found.st_size, found.st_mtime});
  }
  ::closedir(stream);
  return entries;
}

/// Removes the entries unused for longest until a quarter of the limit is free again, if it is passed.
void trim(int directory, std::int64_t max_bytes) {
  std::vector<known_entry> entries = list_entries(directory);
  std::int64_t total = 0;
  for (const known_entry& e : entries) total += e.bytes;
  if (total <= max_bytes) return;
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.used < b.used; });
  for (const known_entry& e : entries) {
    if (total <= max_bytes - max_bytes / 4) return;
    if (::unlinkat(directory, e.name.c_str(), 0) == 0) total -= e.bytes;
  }
}

/// Writes a file under a unique name. False if that failed; the file is then gone.
bool write_file(int directory, const std::string& name, const digest& key, std::span<const std::byte> bytes) {
  const entry_header header{entry_magic, entry_version, 0, bytes.size(), seal_of(key, bytes)};
  const file_descriptor file(
      ::openat(directory, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!file) return false;
  const bool written = write_all(file.get(), std::as_bytes(std::span(&header, 1))) && write_all(file.get(), bytes) &&
                       ::fsync(file.get()) == 0;
  if (!written) ::unlinkat(directory, name.c_str(), 0);
  return written;
}

/// A lock on the byte that stands for `key`. Locks of open files, not of processes: contexts of one process are others,
/// too, and the system releases what a killed process held.
struct flock lock_of(const digest& key) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_len = 1;
  static_assert(sizeof lock.l_start <= sizeof key.bytes);
  std::memcpy(&lock.l_start, key.bytes.data(), sizeof lock.l_start);
  lock.l_start &= std::numeric_limits<off_t>::max() >> 1;
  return lock;
}

file_descriptor open_claims(int directory) {
  return file_descriptor(
      ::openat(directory, claims_name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
}

}  // namespace

std::string default_cache_directory() {
  if (const char* place = std::getenv("XDG_CACHE_HOME"); place != nullptr && place[0] == '/')
    return cat(place, "/tessera");
  if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/') return cat(home, "/.cache/tessera");
  return {};
}

struct disk_cache::state {
  file_descriptor directory;
  std::int64_t max_bytes = 0;
  std::atomic<std::uint32_t> stores{0};
};

disk_cache::disk_cache(std::string directory, std::int64_t max_bytes) {
  if (directory.empty()) directory = default_cache_directory();
  while (directory.size() > 1 && directory.back() == '/') directory.pop_back();  // O_NOFOLLOW looks at the last part
  file_descriptor opened;
  if (directory.empty())
    reason_ = "neither XDG_CACHE_HOME nor HOME is set";
  else
    opened = open_directory(directory, reason_);
  if (!opened) {
    reason_ = cat("compiled kernels are not kept on disk: cannot use the cache directory '", directory, "': ", reason_);
    return;
  }
  state_ = std::make_unique<state>();
  state_->directory = std::move(opened);
  state_->max_bytes = max_bytes;
}

disk_cache::disk_cache(disk_cache&&) noexcept = default;
disk_cache& disk_cache::operator=(disk_cache&&) noexcept = default;
disk_cache::~disk_cache() = default;

std::optional<std::vector<std::byte>> disk_cache::find(const digest& key) noexcept try {
  if (!enabled()) return std::nullopt;
  const std::string name = to_string(key);
  const int directory = state_->directory.get();
  const file_descriptor file(::openat(directory, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file && errno != ELOOP) return std::nullopt;
  std::optional<std::vector<std::byte>> payload;
  if (file) payload = read_entry(file.get(), key);
  if (!payload) ::unlinkat(directory, name.c_str(), 0);
  return payload;
} catch (const std::exception&) {  // out of memory: as if it were not there
  return std::nullopt;
}

void disk_cache::store(const digest& key, std::span<const std::byte> bytes) noexcept try {
  constexpr std::uint32_t stores_per_trim = 64;
  if (!enabled() || static_cast<std::int64_t>(bytes.size()) > state_->max_bytes) return;
  const int directory = state_->directory.get();
  const std::string temporary = temporary_name();
  if (!write_file(directory, temporary, key, bytes)) return;
  if (::renameat(directory, temporary.c_str(), directory, to_string(key).c_str()) != 0)
    ::unlinkat(directory, temporary.c_str(), 0);
  if (state_->stores.fetch_add(1, std::memory_order_relaxed) % stores_per_trim == 0) trim(directory, state_->max_bytes);
} catch (const std::exception&) {  // out of memory: not stored
}

file_descriptor disk_cache::claim(const digest& key) noexcept {
  if (!enabled()) return {};
  file_descriptor claims = open_claims(state_->directory.get());
  struct flock lock = lock_of(key);
  if (!claims || ::fcntl(claims.get(), F_OFD_SETLK, &lock) != 0) return {};
  return claims;
}

bool disk_cache::is_claimed(const digest& key) noexcept {
  if (!enabled()) return false;
  const file_descriptor claims = open_claims(state_->directory.get());
  struct flock lock = lock_of(key);
  return claims && ::fcntl(claims.get(), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

}  // namespace tessera::kernels
