#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace tessera::memory {

/// A place in the spill file.
struct file_range {
  std::int64_t offset = -1;
  std::int64_t bytes = 0;
  explicit operator bool() const { return offset >= 0; }
};

/// What the spill file asks of the system, so that tests can make it fail. All return a number of bytes, or -errno.
struct file_calls {
  std::function<std::int64_t(int fd, const std::byte* data, std::int64_t bytes, std::int64_t offset)> write;
  std::function<std::int64_t(int fd, std::byte* data, std::int64_t bytes, std::int64_t offset)> read;
  std::function<std::int64_t(int fd, std::int64_t offset, std::int64_t bytes)> reserve;

  static file_calls of_the_system();
};

/// The spill file: one file without a name, so that nothing is left behind whatever happens to the process (rule E7).
/// Room is reserved on the disk before it is used: a write never finds the disk full. Opened when it is first needed,
/// without the page cache where the file system allows. Thread-safe.
class spill_file {
 public:
  /// Uses at most `limit` bytes in `directory`.
  spill_file(std::string directory, std::int64_t limit, file_calls system = file_calls::of_the_system());
  ~spill_file();
  spill_file(const spill_file&) = delete;
  spill_file& operator=(const spill_file&) = delete;

  /// Throws `out_of_memory` if the limit or the disk has not that much left, `io_error` if there can be no file.
  [[nodiscard]] file_range allocate(std::int64_t bytes);
  void release(const file_range& s) noexcept;

  /// Both throw `io_error`, naming what the system says. Addresses and sizes need no alignment.
  void write(const file_range& to, const std::byte* data, std::int64_t bytes);
  void read(const file_range& from, std::byte* data, std::int64_t bytes);

  [[nodiscard]] std::int64_t used() const;
  [[nodiscard]] std::int64_t limit() const { return limit_; }
  [[nodiscard]] const std::string& directory() const { return directory_; }

 private:
  void open();
  void grow(std::int64_t bytes);
  void add_hole(std::int64_t offset, std::int64_t bytes);

  const std::string directory_;
  const std::int64_t limit_;
  const file_calls system_;
  mutable std::mutex mutex_;
  int fd_ = -1;
  std::int64_t size_ = 0, used_ = 0;
  std::map<std::int64_t, std::int64_t> free_;  // bytes by offset; neighbours are joined
};

}  // namespace tessera::memory
