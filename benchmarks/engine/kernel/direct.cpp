// Compiled kernels called directly on one CPU device, without planner or context, against hand-written threaded loops
// on the same buffers with as many threads.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "benchmarks/engine/engine_benchmarks.h"
#include "benchmarks/engine/kernel/cases.h"
#include "benchmarks/frame/rival_kernel.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/device/backend.h"
#include "tessera/kernel/wrap/cpu_wrapper.h"

namespace tessera::bench {
namespace {

/// A problem's data on a device, and the launch that works on it.
class direct_problem {
 public:
  direct_problem(device::backend& backend, device::function_id function, const problem& instance) : backend_(backend) {
    launch_.function = function;
    launch_.block = instance.block;
    launch_.grid = instance.threads;
    launch_.begin = extents::uniform(instance.threads.rank(), 0);
    for (int a = 0; a < instance.threads.rank(); ++a)
      launch_.grid[a] = (instance.threads[a] + instance.block[a] - 1) / instance.block[a];
    launch_.end = launch_.grid;
    for (const auto& argument : instance.arguments)
      launch_.arguments.push_back(std::visit([&](const auto& value) { return bytes_of(value); }, argument));
  }
  ~direct_problem() {
    for (const buffer& b : buffers_) backend_.deallocate(0, b.data, b.bytes);
  }
  direct_problem(const direct_problem&) = delete;
  direct_problem& operator=(const direct_problem&) = delete;

  /// All arrays as they were at first.
  void reset() {
    std::uint32_t seed = 0;
    for (const buffer& b : buffers_) {
      const std::vector<float> values = contents(*b.input, ++seed);
      std::memcpy(b.data, values.data(), static_cast<std::size_t>(b.bytes));
    }
  }

  /// Runs the launch `times` times, one after the other, and waits for the last.
  void run(int times) {
    event last;
    for (int k = 0; k < times; ++k) last = backend_.launch({}, launch_);
    last.wait();
  }

  /// Addresses of the arguments' values.
  [[nodiscard]] std::vector<void*> parameters() {
    std::vector<void*> result;
    for (device::argument_value& a : launch_.arguments) result.push_back(a.data());
    return result;
  }

  /// The elements that the kernel writes.
  [[nodiscard]] std::vector<float> results() const {
    std::vector<float> all;
    for (const buffer& b : buffers_) {
      const auto* first = reinterpret_cast<const float*>(b.data);
      if (b.input->written) all.insert(all.end(), first, first + b.bytes / static_cast<std::int64_t>(sizeof(float)));
    }
    return all;
  }

 private:
  struct buffer {
    const array_input* input;
    std::byte* data;
    std::int64_t bytes;
  };

  template <class T>
  static std::vector<std::byte> bytes_of(const T& value) {
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    return {first, first + sizeof value};
  }
  std::vector<std::byte> bytes_of(const array_input& input) {
    const std::int64_t bytes = box::whole(input.shape).volume() * static_cast<std::int64_t>(sizeof(float));
    std::byte* data = backend_.allocate(0, bytes);
    if (data == nullptr) throw out_of_memory("no memory for a benchmark's array");
    buffers_.push_back({&input, data, bytes});
    return bytes_of<std::byte*>(data);
  }

  device::backend& backend_;
  device::launch_desc launch_;
  std::vector<buffer> buffers_;
};

void check_same_bits(const std::vector<float>& ours, const std::vector<float>& rival) {
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (std::memcmp(&ours[i], &rival[i], sizeof(float)) != 0)
      throw error(cat("element ", i, " is ", ours[i], ", but the rival with the same flags has ", rival[i]));
}

void check_near(const std::vector<float>& ours, const std::vector<float>& rival, double tolerance) {
  double largest = 0;
  for (const float value : ours) largest = std::max(largest, std::abs(static_cast<double>(value)));
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (!(std::abs(static_cast<double>(ours[i]) - static_cast<double>(rival[i])) <= tolerance * largest))
      throw error(cat("element ", i, " is ", ours[i], ", but the rival with its best flags has ", rival[i]));
}

/// One kernel, compiled for us and for both rivals.
class contest {
 public:
  explicit contest(const kernel_case& measured)
      : measured_(measured),
        backend_(device::make_cpu({})),
        team_(backend_->devices()[0].cores),
        text_(measured.parsed()),
        same_(kernel_path(measured.name + "_rival.cpp"), rival_flags::same, kernels::cpu_flags(text_)),
        best_(kernel_path(measured.name + "_rival.cpp"), rival_flags::best, {}) {
    const kernels::cpu_variant variant{kernels::choose_tier(text_.features), measured.large.block};
    const device::source_desc source{kernels::make_cpu_source(text_, variant), {}, kernels::cpu_flags(text_)};
    const device::module_id module = backend_->load(0, backend_->compile(0, source));
    function_ = backend_->find(module, kernels::cpu_entry_symbol);
  }

  void measure(session& s, const problem& instance, const std::string& size, double target) {
    direct_problem data(*backend_, function_, instance);
    const std::vector<void*> parameters = data.parameters();
    const auto once = [&](const rival_kernel& rival) { rival.run(team_, instance.items, parameters); };
    check(data, once);

    // Runs of some milliseconds: long enough to time, short enough that a disturbance hits both sides.
    data.run(3);
    const int times = std::clamp(static_cast<int>(12e-3 / seconds_of([&] { data.run(1); })), 1, 1000);
    const auto ours = [&] { return seconds_of([&] { data.run(times); }); };
    const auto theirs = [&](const rival_kernel& rival) {
      return seconds_of([&] {
        for (int k = 0; k < times; ++k) once(rival);
      });
    };
    const std::string name = cat("kernel.", measured_.name, ".", size);
    const pairing settings = s.scaled({.pairs = 25, .seconds = 1.0});
    s.add_times(name,
                compare(
                    ours, [&] { return theirs(same_); }, settings),
                "C++, same flags and math", 1e6 / times, "us/launch", target);
    s.add_times(name + ".best_flags",
                compare(
                    ours, [&] { return theirs(best_); }, settings),
                "C++, its best flags", 1e6 / times, "us/launch", std::nullopt);
  }

 private:
  template <class F>
  void check(direct_problem& data, F once) {
    data.reset();
    data.run(1);
    const std::vector<float> ours = data.results();
    data.reset();
    once(same_);
    check_same_bits(ours, data.results());
    data.reset();
    once(best_);
    check_near(ours, data.results(), measured_.tolerance);
    data.reset();
  }

  const kernel_case& measured_;
  std::unique_ptr<device::backend> backend_;
  thread_team team_;
  kernels::kernel_text text_;
  rival_kernel same_, best_;
  device::function_id function_ = 0;
};

}  // namespace

std::vector<benchmark> kernel_benchmarks() {
  std::vector<benchmark> all;
  for (const kernel_case& c : kernel_cases())
    all.push_back({cat("kernel.", c.name), [c](session& s) {
                     contest both(c);
                     both.measure(s, c.large, c.large_size, 0.90);
                     both.measure(s, c.small, c.small_size, 0.70);
                   }});
  return all;
}

}  // namespace tessera::bench
