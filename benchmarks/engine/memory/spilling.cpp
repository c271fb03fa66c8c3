// Data that does not fit: streaming through host memory against the same copies and the same kernel by hand, spilling
// to disk against the disk itself, and what is brought back against the least possible.
#include <fcntl.h>
#include <unistd.h>

#include <tessera/tessera.h>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "benchmarks/engine/engine_benchmarks.h"
#include "benchmarks/engine/memory/reloads.h"
#include "benchmarks/frame/inputs.h"
#include "benchmarks/frame/thread_team.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

constexpr std::int64_t mib = std::int64_t{1} << 20;

options limited(const std::string& devices, std::int64_t device, std::int64_t host) {
  options settings;
  settings.devices = devices;
  if (device > 0) settings.device_memory = std::to_string(device);
  settings.host_memory = std::to_string(host);
  return settings;
}

constexpr const char* axpy_text = R"(
//@tessera global i => read x[i], readwrite y[i]
__global__ void axpy(long long n, float a, const float* x, float* y) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
})";

/// y = a x + y on two devices that together hold a quarter of x and y.
class stream_through_host {
 public:
  explicit stream_through_host(std::int64_t bytes)
      : n_(bytes / 8),
        context_(limited("cpu*2", bytes / 8, 2 * bytes)),
        kernel_(context_.compile(axpy_text, "axpy")),
        x_(context_.from<float>({n_}, contents({{n_}}, 1))),
        y_(context_.from<float>({n_}, contents({{n_}}, 2))) {}

  double pass() {
    return seconds_of([&] {
      kernel_.launch({.threads = {n_}, .block = {256}}, n_, 0.5f, x_, y_);
      context_.wait();
    });
  }
  [[nodiscard]] statistics stats() { return context_.stats(); }

 private:
  std::int64_t n_;
  context context_;
  kernel kernel_;
  array<float> x_, y_;
};

/// The hand-written rival: x and y copied to a place a quarter of their size, the kernel, y copied back, each alone.
class copies_and_kernel {
 public:
  explicit copies_and_kernel(std::int64_t bytes)
      : n_(bytes / 8), x_(contents({{n_}}, 1)), y_(contents({{n_}}, 2)), device_(static_cast<std::size_t>(bytes / 4)) {}

  double pass() {
    const auto part = [&](std::int64_t begin) { return device_.data() + begin * 4 % std::ssize(device_); };
    const auto each = [&](auto body) {
      constexpr std::int64_t chunk = mib / 4;
      return seconds_of([&] {
        team_.run(n_ / chunk, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t k = begin; k < end; ++k) body(k * chunk, chunk);
        });
      });
    };
    const auto bytes = [](std::int64_t count) { return static_cast<std::size_t>(count) * sizeof(float); };
    double sum =
        each([&](std::int64_t at, std::int64_t count) { std::memcpy(part(at), &x_[index(at)], bytes(count)); });
    sum += each([&](std::int64_t at, std::int64_t count) { std::memcpy(part(at), &y_[index(at)], bytes(count)); });
    sum += each([&](std::int64_t at, std::int64_t count) {
      for (std::int64_t i = at; i < at + count; ++i) y_[index(i)] = 0.5f * x_[index(i)] + y_[index(i)];
    });
    return sum +
           each([&](std::int64_t at, std::int64_t count) { std::memcpy(&y_[index(at)], part(at), bytes(count)); });
  }

 private:
  std::int64_t n_;
  std::vector<float> x_, y_;
  std::vector<char> device_;
  thread_team team_{2};
};

void measure_stream(session& s) {
  constexpr std::int64_t bytes = 512 * mib;
  stream_through_host ours(bytes);
  copies_and_kernel rival(bytes);
  const comparison c = compare([&] { return ours.pass(); }, [&] { return rival.pass(); }, s.scaled({.seconds = 4}));
  s.add_times("memory.stream", c, "copies and kernel by hand", 1e3, "ms/pass", 0.85);
}

/// A file like ours, written from memory of `memory` bytes and read into it, from its beginning to its end.
class plain_file {
 public:
  plain_file(std::int64_t bytes, std::int64_t memory) : bytes_(bytes), memory_(memory) {
    const char* variable = std::getenv("TMPDIR");
    const std::string directory = variable != nullptr && variable[0] == '/' ? variable : "/tmp";
    fd_ = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_DIRECT, 0600);
    if (fd_ < 0) fd_ = ::open(directory.c_str(), O_TMPFILE | O_RDWR, 0600);
    if (fd_ < 0 || ::posix_fallocate(fd_, 0, bytes) != 0) throw error("no file for the disk's own rate");
    data_.reset(static_cast<char*>(std::aligned_alloc(4096, static_cast<std::size_t>(memory))));
    std::memset(data_.get(), 1, static_cast<std::size_t>(memory));
  }
  ~plain_file() { ::close(fd_); }
  plain_file(const plain_file&) = delete;
  plain_file& operator=(const plain_file&) = delete;

  /// The seconds that writing and then reading so many bytes takes.
  double transfer(std::int64_t written, std::int64_t read) {
    return seconds_of([&] {
      for (std::int64_t at = 0; at < written; at += block_bytes)
        if (::pwrite(fd_, data_.get() + at % memory_, static_cast<std::size_t>(block_bytes), at % bytes_) !=
            block_bytes)
          throw error("the file could not be written");
      for (std::int64_t at = 0; at < read; at += block_bytes)
        if (::pread(fd_, data_.get() + at % memory_, static_cast<std::size_t>(block_bytes), at % bytes_) != block_bytes)
          throw error("the file could not be read");
    });
  }

 private:
  static constexpr std::int64_t block_bytes = 4 * mib;
  struct giver {
    void operator()(char* p) const { std::free(p); }
  };
  std::int64_t bytes_, memory_;
  int fd_ = -1;
  std::unique_ptr<char, giver> data_;
};

constexpr const char* scale_text = R"(
//@tessera global i => readwrite x[i]
__global__ void scale(long long n, float* x) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 0.5f * x[i] + 1.0f;
})";

void measure_disk(session& s) {
  constexpr std::int64_t host = 128 * mib, n = 2 * host / 4;
  context ctx{limited("cpu", 0, host)};
  const kernel scale = ctx.compile(scale_text, "scale");
  const array<float> x = ctx.from<float>({n}, contents({{n}}, 1));
  plain_file rival(2 * host, host);
  std::int64_t written = 0, read = 0;
  const auto pass = [&] {
    const statistics before = ctx.stats();
    const double seconds = seconds_of([&] {
      scale.launch({.threads = {n}, .block = {256}}, static_cast<long long>(n), x);
      ctx.wait();
    });
    const statistics after = ctx.stats();
    written = after.disk_written_bytes - before.disk_written_bytes;
    read = after.disk_read_bytes - before.disk_read_bytes;
    return seconds;
  };
  pass();
  const comparison c = compare(
      pass, [&] { return rival.transfer(written, read); }, s.scaled({.seconds = 4}));
  s.add_times("memory.disk", c, "the same bytes in a row", 1e3, "ms/pass", 0.80);
}

void measure_reloads(session& s) {
  constexpr std::int64_t memory = 256 * mib, n = memory * 3 / 2 / 4;
  constexpr int passes = 10;
  context ctx{limited("cpu*1", memory, 8 * memory)};
  const kernel scale = ctx.compile(scale_text, "scale");
  const array<float> x = ctx.full<float>({n}, 1.0f);
  scale.launch({.threads = {n}, .block = {256}}, static_cast<long long>(n), x);
  ctx.wait();
  const std::int64_t before = ctx.stats().reloaded_bytes;
  for (int k = 1; k < passes; ++k) scale.launch({.threads = {n}, .block = {256}}, static_cast<long long>(n), x);
  ctx.wait();
  add_reloads(s, "memory.reloaded", ctx.stats().reloaded_bytes - before,
              {.bytes = n * 4, .memory = memory, .page = 2 * mib, .passes = passes});
}

}  // namespace

std::vector<benchmark> memory_benchmarks() {
  return {{"memory.stream", measure_stream}, {"memory.disk", measure_disk}, {"memory.reloaded", measure_reloads}};
}

}  // namespace tessera::bench
