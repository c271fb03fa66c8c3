// The kernels of direct.cpp through a context, as a program uses them: 100 launches and the wait for the last, against
// 100 rounds of the hand-written loop.
#include <sys/mman.h>

#include <tessera/tessera.h>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "benchmarks/engine/engine_benchmarks.h"
#include "benchmarks/engine/kernel/cases.h"
#include "benchmarks/frame/rival_kernel.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/kernel/wrap/cpu_wrapper.h"

namespace tessera::bench {
namespace {

/// Our side: the arguments as arrays of a context.
class our_loop {
 public:
  our_loop(const kernel_case& measured, context& ctx)
      : instance_(measured.large),
        kernel_(ctx.load_kernel(measured.path(), {.cpu_source = measured.cpu_text()})),
        ctx_(ctx) {
    std::uint32_t seed = 0;
    for (const auto& a : instance_.arguments)
      arguments_.push_back(std::visit([&](const auto& value) { return made(value, seed); }, a));
  }

  void run(int launches) {
    for (int k = 0; k < launches; ++k) {
      kernel_.launch_with({.threads = instance_.threads, .block = instance_.block}, arguments_);
      std::swap(arguments_[index(instance_.swapped[0])], arguments_[index(instance_.swapped[1])]);
    }
    ctx_.wait();
  }

  /// The array that stands at position `k` now.
  [[nodiscard]] std::vector<float> read(std::size_t k) const {
    return array<float>(std::get<array_base>(arguments_[k].value)).read();
  }

 private:
  template <class T>
  argument made(const T& value, std::uint32_t&) {
    return argument::from(value);
  }
  argument made(const array_input& a, std::uint32_t& seed) {
    return argument::from(ctx_.from<float>(a.shape, contents(a, ++seed)));
  }

  const problem& instance_;
  kernel kernel_;
  context& ctx_;
  std::vector<argument> arguments_;
};

struct free_memory {
  void operator()(float* p) const { std::free(p); }
};

/// Memory in large pages, as a program that cares for speed would use.
std::unique_ptr<float, free_memory> in_large_pages(const std::vector<float>& values) {
  constexpr std::size_t page = std::size_t{2} << 20;
  const std::size_t bytes = (values.size() * sizeof(float) + page - 1) / page * page;
  std::unique_ptr<float, free_memory> memory(static_cast<float*>(std::aligned_alloc(page, bytes)));
  if (!memory) throw std::bad_alloc();
  madvise(memory.get(), bytes, MADV_HUGEPAGE);
  std::memcpy(memory.get(), values.data(), values.size() * sizeof(float));
  return memory;
}

/// The rival's side: plain memory.
class rival_loop {
 public:
  rival_loop(const kernel_case& measured, thread_team& team, const std::vector<std::string>& flags)
      : instance_(measured.large),
        kernel_(kernel_path(measured.name + "_rival.cpp"), rival_flags::same, flags),
        team_(team) {
    std::uint32_t seed = 0;
    values_.resize(instance_.arguments.size());
    for (std::size_t k = 0; k < values_.size(); ++k) {
      if (const auto* a = std::get_if<array_input>(&instance_.arguments[k])) {
        arrays_.push_back(in_large_pages(contents(*a, ++seed)));
        keep(k, arrays_.back().get());
      } else {
        std::visit([&](const auto& value) { keep(k, value); }, instance_.arguments[k]);
      }
    }
  }

  void run(int rounds) {
    std::vector<void*> parameters;
    for (std::vector<std::byte>& v : values_) parameters.push_back(v.data());
    for (int k = 0; k < rounds; ++k) {
      kernel_.run(team_, instance_.items, parameters);
      std::swap(parameters[index(instance_.swapped[0])], parameters[index(instance_.swapped[1])]);
    }
    if (rounds % 2 == 1) std::swap(values_[index(instance_.swapped[0])], values_[index(instance_.swapped[1])]);
  }

  [[nodiscard]] const float* read(std::size_t k) const {
    const float* data = nullptr;
    std::memcpy(&data, values_[k].data(), sizeof data);
    return data;
  }

 private:
  template <class T>
  void keep(std::size_t k, const T& value) {
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    values_[k].assign(first, first + sizeof value);
  }

  const problem& instance_;
  rival_kernel kernel_;
  thread_team& team_;
  std::vector<std::unique_ptr<float, free_memory>> arrays_;
  std::vector<std::vector<std::byte>> values_;
};

void check(const problem& instance, const our_loop& ours, const rival_loop& rival) {
  for (std::size_t k = 0; k < instance.arguments.size(); ++k) {
    if (!std::holds_alternative<array_input>(instance.arguments[k])) continue;
    const std::vector<float> values = ours.read(k);
    if (std::memcmp(values.data(), rival.read(k), values.size() * sizeof(float)) != 0)
      throw error(cat("argument ", k, " differs from the rival's after the same launches"));
  }
}

void measure(session& s, const kernel_case& measured) {
  options settings;
  settings.devices = "cpu";
  context ctx{settings};
  thread_team team(ctx.devices()[0].cores);
  our_loop ours(measured, ctx);
  rival_loop rival(measured, team, kernels::cpu_flags(measured.parsed()));
  constexpr int launches = 100, bursts = 10;
  ours.run(3);
  rival.run(3);
  check(measured.large, ours, rival);
  const pairing pairs = s.scaled({.warm_up = 0, .bursts = bursts, .seconds = 0});
  const auto timed = [](auto& side) { return seconds_of([&] { side.run(launches / bursts); }); };
  const comparison c = compare([&] { return timed(ours); }, [&] { return timed(rival); }, pairs);
  s.add_times(cat("end_to_end.", measured.name, ".", measured.large_size), c, "C++, same flags and math",
              1e3 / (pairs.bursts * launches / bursts), "ms/launch", 0.90);
}

}  // namespace

std::vector<benchmark> end_to_end_benchmarks() {
  std::vector<benchmark> all;
  for (const kernel_case& c : kernel_cases())
    all.push_back({cat("end_to_end.", c.name), [c](session& s) { measure(s, c); }});
  return all;
}

}  // namespace tessera::bench
