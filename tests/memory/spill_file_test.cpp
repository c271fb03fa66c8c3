#include <doctest/doctest.h>

#include <cerrno>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "tessera/base/error.h"
#include "tessera/memory/spill/disk_queue.h"
#include "tessera/memory/spill/spill_file.h"

using namespace tessera;
using namespace tessera::memory;

namespace {

constexpr std::int64_t kib = 1024;

std::vector<std::byte> numbers(std::int64_t n, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes(static_cast<std::size_t>(n));
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  return bytes;
}

/// Writes a page and reads it back through a queue; what came of either.
struct journey {
  std::exception_ptr written, read;
  std::vector<std::byte> back;
};

journey travel(spill_file& file, std::int64_t bytes) {
  disk_queue queue(file);
  journey j;
  const std::vector<std::byte> data = numbers(bytes, 3);
  const auto record = std::make_shared<disk_record>();
  record->position = file.allocate(bytes);
  record->bytes = bytes;
  record->identity = 77;
  j.back.resize(data.size());
  queue.write(record, data.data(), {}, [&](std::exception_ptr reason, auto) { j.written = std::move(reason); }).wait();
  queue.read(record, j.back.data(), {}, [&](std::exception_ptr reason, auto) { j.read = std::move(reason); }).wait();
  if (!j.written && !j.read) CHECK(j.back == data);
  return j;
}

bool is_io_error(const std::exception_ptr& reason) {
  if (!reason) return false;
  try {
    std::rethrow_exception(reason);
  } catch (const io_error&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

TEST_CASE("slots never overlap, and room that is given back is used again") {
  spill_file file("/tmp", 4096 * kib);
  std::mt19937 random(1);
  std::map<std::int64_t, file_range> held;
  for (int round = 0; round < 3000; ++round) {
    if (held.size() > 20 || (!held.empty() && random() % 2 == 0)) {
      const auto gone = std::next(held.begin(), static_cast<std::ptrdiff_t>(random() % held.size()));
      file.release(gone->second);
      held.erase(gone);
      continue;
    }
    const file_range s = file.allocate(1 + static_cast<std::int64_t>(random() % (100 * kib)));
    const auto after = held.lower_bound(s.offset);
    if (after != held.end()) CHECK(s.offset + s.bytes <= after->first);
    if (after != held.begin()) CHECK(std::prev(after)->second.offset + std::prev(after)->second.bytes <= s.offset);
    held.emplace(s.offset, s);
  }
  for (const auto& [offset, s] : held) file.release(s);
  CHECK(file.used() == 0);
  CHECK(file.allocate(4096 * kib).offset == 0);  // all of it is one piece again
}

TEST_CASE("pages of any size and alignment come back as they were") {
  spill_file file("/tmp", std::int64_t{64} << 20);
  for (const std::int64_t bytes : {1L, 100L, 4096L, 4097L, 1000000L, 1048576L, 3000001L}) {
    const journey j = travel(file, bytes);
    CHECK_FALSE(j.written);
    CHECK_FALSE(j.read);
  }
}

TEST_CASE("the limit is kept, and going beyond it says what to do") {
  spill_file file("/tmp", 64 * kib);
  const file_range s = file.allocate(60 * kib);
  try {
    (void)file.allocate(8 * kib);
    FAIL("no error");
  } catch (const out_of_memory& e) {
    CHECK(std::string(e.what()).find("TESSERA_SPILL_LIMIT") != std::string::npos);
  }
  file.release(s);
  CHECK(file.allocate(64 * kib).offset == 0);
}

TEST_CASE("a directory that does not exist is named") {
  spill_file file("/nowhere/at/all", 1 << 20);
  CHECK_THROWS_AS((void)file.allocate(1), io_error);
}

TEST_CASE("a disk that is full when room is reserved is out of memory") {
  file_calls system = file_calls::of_the_system();
  system.reserve = [](int, std::int64_t, std::int64_t) -> std::int64_t { return -ENOSPC; };
  spill_file file("/tmp", 1 << 20, system);
  CHECK_THROWS_AS((void)file.allocate(4096), out_of_memory);
}

TEST_CASE("errors of the disk are errors with a name, and interruptions and short counts are not") {
  for (const int failing : {EIO, ENOSPC}) {
    file_calls system = file_calls::of_the_system();
    system.write = [failing](int, const std::byte*, std::int64_t, std::int64_t) -> std::int64_t { return -failing; };
    spill_file file("/tmp", 1 << 20, system);
    CHECK(is_io_error(travel(file, 10'000).written));
  }
  file_calls broken = file_calls::of_the_system();
  broken.read = [](int, std::byte*, std::int64_t, std::int64_t) -> std::int64_t { return -EIO; };
  spill_file unreadable("/tmp", 1 << 20, broken);
  CHECK(is_io_error(travel(unreadable, 10'000).read));

  const file_calls real = file_calls::of_the_system();
  file_calls slow = real;
  int calls = 0;
  slow.write = [&](int fd, const std::byte* data, std::int64_t bytes, std::int64_t offset) -> std::int64_t {
    return ++calls % 3 == 0 ? -EINTR : real.write(fd, data, std::min<std::int64_t>(bytes, 4096), offset);
  };
  slow.read = [&](int fd, std::byte* data, std::int64_t bytes, std::int64_t offset) -> std::int64_t {
    return ++calls % 3 == 0 ? -EINTR : real.read(fd, data, std::min<std::int64_t>(bytes, 4096), offset);
  };
  spill_file halting("/tmp", 1 << 20, slow);
  const journey j = travel(halting, 100'000);
  CHECK_FALSE(j.written);
  CHECK_FALSE(j.read);
}

TEST_CASE("every flipped bit, lost write and truncation is found when a page is read") {
  const file_calls real = file_calls::of_the_system();
  constexpr std::int64_t bytes = 20'000;
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    file_calls system = real;
    const auto at = static_cast<std::int64_t>(random() % bytes);
    const int bit = static_cast<int>(random() % 8);
    system.read = [&](int fd, std::byte* data, std::int64_t count, std::int64_t offset) {
      const std::int64_t n = real.read(fd, data, count, offset);
      if (offset <= at && at < offset + n) data[at - offset] ^= static_cast<std::byte>(1 << bit);
      return n;
    };
    spill_file file("/tmp", 1 << 20, system);
    CHECK(is_io_error(travel(file, bytes).read));
  }
  file_calls forgetful = real;
  forgetful.write = [](int, const std::byte*, std::int64_t count, std::int64_t) { return count; };
  spill_file lost("/tmp", 1 << 20, forgetful);
  CHECK(is_io_error(travel(lost, bytes).read));
  file_calls cut = real;
  cut.read = [&](int fd, std::byte* data, std::int64_t count, std::int64_t offset) -> std::int64_t {
    return offset >= 8192 ? 0 : real.read(fd, data, std::min<std::int64_t>(count, 8192 - offset), offset);
  };
  spill_file truncated("/tmp", 1 << 20, cut);
  CHECK(is_io_error(travel(truncated, bytes).read));
}
