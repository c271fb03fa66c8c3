#include <deque>
#include <memory>
#include <utility>

#include "tessera/device/backend.h"
#include "tessera/device/host/queued_backend.h"

namespace tessera::device {
namespace {

class null_runner final : public operation_runner {
 public:
  [[nodiscard]] int cores() const override { return 1; }
  bool execute(work&, worker_team&) override { return true; }
};

/// Queues and events as on a CPU device, without the work. Every module and function exists.
class null_backend final : public queued_backend {
 public:
  explicit null_backend(const cpu_options& options) : queued_backend("null", options) {
    for (std::size_t d = 0; d < devices().size(); ++d) add_queues(nothing_);
  }
  ~null_backend() override { end_queues(); }

  [[nodiscard]] std::string name() const override { return "null"; }
  event launch(const order& ordering, launch_desc launch) override {
    return enqueue(ordering, launch_work{std::move(launch), nullptr});
  }
  [[nodiscard]] std::vector<std::byte> compile(int, const source_desc&) override { return {}; }
  [[nodiscard]] std::string compiler_identity(int) override { return "null"; }
  [[nodiscard]] module_id load(int, std::span<const std::byte>) override { return 0; }
  void unload(module_id) noexcept override {}
  [[nodiscard]] function_id find(module_id, const std::string&) override { return 0; }
  [[nodiscard]] const void* symbol(module_id, const std::string&) override { return nullptr; }

 private:
  null_runner nothing_;
};

}  // namespace

std::unique_ptr<backend> make_null(const cpu_options& options) { return std::make_unique<null_backend>(options); }

}  // namespace tessera::device
