#include "tessera/device/links.h"

#include <algorithm>
#include <chrono>

namespace tessera::device {
namespace {

/// Memory of a device, or of the host for device -1.
class room {
 public:
  room(backend& b, int device, std::int64_t bytes) : backend_(b), device_(device), bytes_(bytes) {
    data_ = device < 0 ? b.allocate_host(bytes) : b.allocate(device, bytes);
    if (data_ != nullptr && device >= 0 && !b.back(device, data_, 0, bytes)) {
      b.deallocate(device, data_, bytes);
      data_ = nullptr;
    }
  }
  ~room() {
    if (data_ == nullptr) return;
    device_ < 0 ? backend_.deallocate_host(data_, bytes_) : backend_.deallocate(device_, data_, bytes_);
  }
  room(const room&) = delete;
  room& operator=(const room&) = delete;

  [[nodiscard]] std::byte* data() const { return data_; }

 private:
  backend& backend_;
  int device_;
  std::int64_t bytes_;
  std::byte* data_ = nullptr;
};

/// Bytes per second of the best of a few copies, on the queue that would do them; 0 if there is no room.
double measure(backend& b, int from, int to, std::int64_t bytes) {
  const room source(b, from, bytes), target(b, to, bytes);
  if (source.data() == nullptr || target.data() == nullptr) return 0;
  const queue_id queue = to >= 0 ? queue_id{to, queue_kind::copy_in} : queue_id{from, queue_kind::copy_out};
  double best = 0;
  constexpr int tries = 5;
  for (int k = 0; k < tries; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    b.copy({queue, {}, nullptr}, {{target.data(), {1}}, {source.data(), {1}}, {bytes}, 1}).wait();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    best = std::max(best, static_cast<double>(bytes) / taken.count());
  }
  return best;
}

}  // namespace

std::vector<link_speed> measure_links(backend& b, std::int64_t bytes) {
  std::vector<link_speed> speeds;
  const auto name = [&](int d) { return d < 0 ? std::string("host") : b.devices()[static_cast<std::size_t>(d)].name; };
  const auto add = [&](int from, int to) {
    if (const double speed = measure(b, from, to, bytes); speed > 0) speeds.push_back({name(from), name(to), speed});
  };
  const int devices = static_cast<int>(b.devices().size());
  for (int d = 0; d < devices; ++d) {
    add(-1, d);
    add(d, -1);
    add(d, devices > 1 ? (d + 1) % devices : d);
  }
  return speeds;
}

}  // namespace tessera::device
