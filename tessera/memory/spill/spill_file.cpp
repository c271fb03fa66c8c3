#include "tessera/memory/spill/spill_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::memory {
namespace {

constexpr std::int64_t sector = 4096;
constexpr std::int64_t scratch_bytes = std::int64_t{1} << 20;

std::int64_t round_up(std::int64_t n) { return (n + sector - 1) / sector * sector; }

bool is_aligned(const std::byte* data, std::int64_t bytes) {
  return reinterpret_cast<std::uintptr_t>(data) % sector == 0 && bytes % sector == 0;
}

/// Memory that the disk can reach without the page cache; one per thread.
std::byte* scratch() {
  struct giver {
    void operator()(std::byte* p) const { std::free(p); }
  };
  thread_local const std::unique_ptr<std::byte, giver> buffer(
      static_cast<std::byte*>(std::aligned_alloc(sector, scratch_bytes)));
  if (!buffer) throw std::bad_alloc();
  return buffer.get();
}

/// Calls `step` until all of `bytes` are done. A short count is continued, none at all is an error.
template <class Step>
void all_of(std::int64_t bytes, const std::string& directory, const char* verb, Step step) {
  for (std::int64_t done = 0; done < bytes;) {
    const std::int64_t n = step(done);
    if (n == -EINTR) continue;
    if (n <= 0)
      throw io_error(cat("the spill file in ", directory, " could not be ", verb, ": ",
                         n == 0 ? "it is shorter than it was" : std::strerror(static_cast<int>(-n))));
    done += n;
  }
}

int open_unnamed(const std::string& directory, int flags) {
  const int fd = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL | flags, 0600);
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return fd;
  std::string name = directory + "/tessera-spill-XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC | flags);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

file_calls file_calls::of_the_system() {
  return {[](int fd, const std::byte* data, std::int64_t bytes, std::int64_t offset) -> std::int64_t {
            const ssize_t n = ::pwrite(fd, data, static_cast<std::size_t>(bytes), offset);
            return n < 0 ? -errno : n;
          },
          [](int fd, std::byte* data, std::int64_t bytes, std::int64_t offset) -> std::int64_t {
            const ssize_t n = ::pread(fd, data, static_cast<std::size_t>(bytes), offset);
            return n < 0 ? -errno : n;
          },
          [](int fd, std::int64_t offset, std::int64_t bytes) -> std::int64_t {
            const int failed = ::posix_fallocate(fd, offset, bytes);
            return failed != 0 ? -failed : bytes;
          }};
}

spill_file::spill_file(std::string directory, std::int64_t limit, file_calls system)
    : directory_(std::move(directory)), limit_(limit), system_(std::move(system)) {}

spill_file::~spill_file() {
  if (fd_ >= 0) ::close(fd_);
}

void spill_file::open() {
  fd_ = open_unnamed(directory_, O_DIRECT);
  if (fd_ < 0 && errno == EINVAL) fd_ = open_unnamed(directory_, 0);  // a file system that knows no other way
  if (fd_ < 0)
    throw io_error(cat("no spill file can be made in ", directory_, ": ", std::strerror(errno),
                       "; TESSERA_SPILL_DIR names another directory"));
}

/// Reserves room at the end of the file.
void spill_file::grow(std::int64_t bytes) {
  constexpr std::int64_t usual = std::int64_t{64} << 20;
  if (fd_ < 0) open();
  for (const std::int64_t more : {std::max(bytes, std::min(usual, limit_ - size_)), bytes}) {
    if (size_ + more > limit_) break;
    const std::int64_t done = system_.reserve(fd_, size_, more);
    if (done == -ENOSPC || done == -EDQUOT || done == -EFBIG) continue;
    if (done < 0)
      throw io_error(
          cat("the spill file in ", directory_, " could not be extended: ", std::strerror(static_cast<int>(-done))));
    add_hole(std::exchange(size_, size_ + more), more);
    return;
  }
  throw out_of_memory(cat("the disk tier is full: ", used_, " bytes are spilled to ", directory_, ", ", bytes,
                          " more are needed, and the limit is ", limit_, " or the disk has no room; ",
                          "TESSERA_SPILL_DIR and TESSERA_SPILL_LIMIT change this"));
}

file_range spill_file::allocate(std::int64_t bytes) {
  const std::int64_t wanted = round_up(std::max<std::int64_t>(bytes, 1));
  const std::lock_guard lock(mutex_);
  const auto fits = [&](const auto& hole) { return hole.second >= wanted; };
  auto found = std::find_if(free_.begin(), free_.end(), fits);
  if (found == free_.end()) {
    grow(wanted);
    found = std::find_if(free_.begin(), free_.end(), fits);
  }
  const file_range made{found->first, wanted};
  if (found->second > wanted) free_.emplace(found->first + wanted, found->second - wanted);
  free_.erase(found);
  used_ += wanted;
  return made;
}

void spill_file::release(const file_range& s) noexcept {
  if (!s) return;
  const std::lock_guard lock(mutex_);
  used_ -= s.bytes;
  add_hole(s.offset, s.bytes);
}

/// Neighbours become one hole.
void spill_file::add_hole(std::int64_t offset, std::int64_t bytes) {
  auto here = free_.emplace(offset, bytes).first;
  if (const auto after = std::next(here); after != free_.end() && here->first + here->second == after->first) {
    here->second += after->second;
    free_.erase(after);
  }
  if (here == free_.begin()) return;
  if (const auto before = std::prev(here); before->first + before->second == here->first) {
    before->second += here->second;
    free_.erase(here);
  }
}

void spill_file::write(const file_range& to, const std::byte* data, std::int64_t bytes) {
  if (is_aligned(data, bytes))
    return all_of(bytes, directory_, "written",
                  [&](std::int64_t done) { return system_.write(fd_, data + done, bytes - done, to.offset + done); });
  for (std::int64_t at = 0; at < bytes; at += scratch_bytes) {
    const std::int64_t part = std::min(scratch_bytes, bytes - at), padded = round_up(part);
    std::byte* const buffer = scratch();
    std::memcpy(buffer, data + at, static_cast<std::size_t>(part));
    std::memset(buffer + part, 0, static_cast<std::size_t>(padded - part));
    all_of(padded, directory_, "written",
           [&](std::int64_t done) { return system_.write(fd_, buffer + done, padded - done, to.offset + at + done); });
  }
}

void spill_file::read(const file_range& from, std::byte* data, std::int64_t bytes) {
  if (is_aligned(data, bytes))
    return all_of(bytes, directory_, "read",
                  [&](std::int64_t done) { return system_.read(fd_, data + done, bytes - done, from.offset + done); });
  for (std::int64_t at = 0; at < bytes; at += scratch_bytes) {
    const std::int64_t part = std::min(scratch_bytes, bytes - at), padded = round_up(part);
    std::byte* const buffer = scratch();
    all_of(padded, directory_, "read",
           [&](std::int64_t done) { return system_.read(fd_, buffer + done, padded - done, from.offset + at + done); });
    std::memcpy(data + at, buffer, static_cast<std::size_t>(part));
  }
}

std::int64_t spill_file::used() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

}  // namespace tessera::memory
