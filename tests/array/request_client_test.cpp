// A front end as the engine sees it: requests made by hand, arrays without types, kernels known by their contents.
#include <tessera/front_end.h>

#include <array>
#include <atomic>
#include <future>
#include <map>
#include <mutex>

#include "tessera/runtime/kernel_library.h"
#include "tests/array/on_ranks.h"
#include "tests/array/support.h"

using namespace tessera;
using support::counted;
using support::message_of;
using support::on_ranks;
using support::quiet;
using support::require;
using support::says;

namespace {

/// Thread i writes element i of parameter 0 and reads elements i - 1 to i + 1 of parameter 1.
std::shared_ptr<const plan::bound_accesses> neighbours() {
  using plan::expression;
  const expression i = expression::name(0), one = expression::constant(1);
  plan::access_pattern pattern;
  pattern.names = {{plan::bound_name::kind::global, 0, std::nullopt}};
  pattern.rules.push_back({0, plan::access_mode::write, {}, {}, {{i, i}}});
  pattern.rules.push_back(
      {1,
       plan::access_mode::read,
       {},
       {},
       {{expression::combine(expression::op::subtract, i, one), expression::combine(expression::op::add, i, one)}}});
  return plan::bind_accesses(std::move(pattern));
}

/// y[i] = x[i - 1] + x[i] + x[i + 1] times the first byte of the payload, where there is one.
native_definition sum_of_neighbours(std::vector<std::byte> payload = {}) {
  native_definition d;
  d.name = "sum_of_neighbours";
  d.parameters = "int* y, const int* x";
  d.payload = std::move(payload);
  d.functions = support::everywhere([](native_call& call) {
    const unsigned factor = call.payload().empty() ? 1 : static_cast<unsigned>(call.payload()[0]);
    const std::int64_t n = call.array(1).shape[0], end = std::min(call.points().hi[0], n);
    const auto* x = call.data<unsigned>(1);  // sums of many steps wrap around
    for (std::int64_t i = call.points().lo[0]; i < end; ++i)
      call.data<unsigned>(0)[i] = factor * ((i > 0 ? x[i - 1] : 0) + x[i] + (i + 1 < n ? x[i + 1] : 0));
  });
  return d;
}

runtime::launch_request request_of(const kernel& k, const array<int>& y, const array<int>& x) {
  runtime::launch_request request;
  request.kernel = k.entry();
  request.space = {{y.size()}, {20}};
  request.accesses = neighbours();
  request.arrays = {{0, y.record(), y.bounds()}, {1, x.record(), x.bounds()}};
  request.site = call_site::current();
  return request;
}

/// Another cut than the arrays have.
plan::split_spec uneven_blocks() {
  plan::split_spec split;
  split.form = plan::split_spec::kind::blocks;
  split.blocks = {7'000};
  return split;
}

std::vector<int> expected_sums(int n, int factor = 1) {
  std::vector<int> result;
  for (int i = 0; i < n; ++i) result.push_back(factor * ((i > 0 ? i - 1 : 0) + i + (i + 1 < n ? i + 1 : 0)));
  return result;
}

}  // namespace

TEST_CASE("a launch is made from access rules, without an annotation") {
  for (const char* devices : {"cpu", "cpu*3"}) {
    context ctx(quiet(devices));
    auto x = ctx.from<int>({200}, counted(200));
    auto y = ctx.empty<int>({200});
    const kernel k = ctx.native(sum_of_neighbours());
    ctx.engine()->launch(request_of(k, y, x));
    CHECK(y.read() == expected_sums(200));
    CHECK(says(ctx.engine()->explain(request_of(k, y, x)), "launch of 'sum_of_neighbours'"));
  }
}

TEST_CASE("a kernel with a text per kind of device is launched by request like any other") {
  constexpr const char* text = R"(
__global__ void sum_of_neighbours(int* y, const int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = (i > 0 ? x[i - 1] : 0) + x[i] + (i + 1 < n ? x[i + 1] : 0);
})";
  constexpr const char* cpu_text = R"(
__global__ void sum_of_neighbours(int* y, const int* x, int n) {
  const int begin = blockIdx.x * blockDim.x, end = min(n, begin + (int)(tessera_blocks * blockDim.x));
  for (int i = begin; i < end; ++i) y[i] = (i > 0 ? x[i - 1] : 0) + x[i] + (i + 1 < n ? x[i + 1] : 0);
})";
  on_ranks(2, "cpu*2", [&](context& ctx) {
    auto x = ctx.from<int>({20'000}, counted(20'000));
    auto y = ctx.empty<int>({20'000});
    const kernel k = ctx.compile(text, "sum_of_neighbours", {.cpu_source = cpu_text});
    runtime::launch_request request = request_of(k, y, x);
    request.scalars = {{2, bytes_of(20'000)}};
    ctx.engine()->launch(request);
    require(y.read() == expected_sums(20'000), "the automatic split");
    request.split = uneven_blocks();
    y.fill(0);
    ctx.engine()->launch(request);
    require(y.read() == expected_sums(20'000), "the uneven split");
  });
}

TEST_CASE("a request that cannot be is refused with its place") {
  context ctx(quiet("cpu*2")), other(quiet("cpu"));
  const kernel k = ctx.native(sum_of_neighbours());
  auto x = ctx.from<int>({20}, counted(20));
  auto y = ctx.empty<int>({20});
  const auto refusal = [&](auto change) {
    runtime::launch_request request = request_of(k, y, x);
    change(request);
    return message_of<argument_error>([&] { ctx.engine()->launch(std::move(request)); });
  };
  CHECK(says(refusal([](auto& r) { r.kernel = nullptr; }), "without a kernel"));
  CHECK(
      says(refusal([](auto& r) { r.accesses = nullptr; }), "request_client_test.cpp", "does not say what it accesses"));
  CHECK(says(refusal([](auto& r) { r.arrays[0].parameter = 5; }), "parameter 5 of 2"));
  CHECK(says(refusal([](auto& r) { r.arrays[0].array = nullptr; }), "'y'", "not created"));
  CHECK(says(refusal([](auto& r) { r.arrays[1].bounds.hi[0] = 21; }), "'x'", "outside the array"));
  auto foreign = other.zeros<int>({20});
  CHECK(says(refusal([&](auto& r) { r.arrays[0].array = foreign.record(); }), "another context"));
}

TEST_CASE("kernels known by their contents are the same on all ranks, in whatever order they are defined") {
  on_ranks(3, "cpu*2", [](context& ctx) {
    std::map<int, kernel> kernels;
    for (int k = 0; k < 3; ++k) {
      const int factor = 1 + (k + ctx.rank()) % 3;
      kernels[factor] = ctx.native(sum_of_neighbours({static_cast<std::byte>(factor)}));
    }
    auto x = ctx.from<int>({300}, counted(300));
    auto y = ctx.empty<int>({300});
    for (int factor = 1; factor <= 3; ++factor) {
      ctx.engine()->launch(request_of(kernels[factor], y, x));
      require(y.read() == expected_sums(300, factor), "a payload was mixed up");
    }
    native_definition newer = sum_of_neighbours();
    newer.version = 2;
    require(ctx.native(newer).entry()->id != ctx.native(sum_of_neighbours()).entry()->id, "versions are told apart");
  });
}

TEST_CASE("a native kernel gets the workspace that it asks for, and launches are cut so that it fits") {
  if (support::on_gpu()) return;
  options settings = quiet("cpu*2");
  settings.device_memory = "4MiB";
  settings.host_memory = "64MiB";
  context ctx(settings);
  std::mutex mutex;
  std::int64_t most = 0, calls = 0;
  native_definition d = sum_of_neighbours();
  d.name = "with_workspace";
  const auto compute = d.functions.at("cpu");
  d.workspace = [](const box& points) { return points.volume() * 1024; };
  d.functions["cpu"] = [&](native_call& call) {
    const std::span<std::byte> bytes = call.workspace();
    std::fill(bytes.begin(), bytes.end(), std::byte{1});
    {
      const std::lock_guard lock(mutex);
      most = std::max<std::int64_t>(most, std::ssize(bytes));
      ++calls;
    }
    compute(call);
  };
  auto x = ctx.from<int>({20'000}, counted(20'000));
  auto y = ctx.empty<int>({20'000});
  ctx.engine()->launch(request_of(ctx.native(d), y, x));
  CHECK(y.read() == expected_sums(20'000));
  CHECK(most > 0);
  CHECK(most <= 4 << 20);
  CHECK(calls > 2);
  d.workspace = [](const box&) { return std::int64_t{1} << 30; };
  d.version = 2;
  const kernel greedy = ctx.native(d);
  CHECK(says(message_of<out_of_memory>([&] { ctx.engine()->launch(request_of(greedy, y, x)); }), "never fits",
             "bytes of workspace"));
}

TEST_CASE("a launch finds its kernel although all handles are gone and thousands of others came") {
  if (support::on_gpu()) return;
  context ctx(quiet("cpu"));
  std::promise<void> gate;
  const std::shared_future<void> open = gate.get_future().share();
  auto y = ctx.zeros<int>({1});
  const auto add = [&](const std::string& name, native_kernel function) {
    return ctx.native(name, "int* y", "global i => readwrite y[i]", {{"cpu", std::move(function)}});
  };
  add("wait", [open](native_call&) { open.wait(); }).launch({.threads = {1}}, y);
  add("last", [](native_call& call) { ++call.data<int>(0)[0]; }).launch({.threads = {1}}, y);
  for (int k = 0; k < 5000; ++k) (void)add("other", [](native_call&) {});
  gate.set_value();
  CHECK(y.read()[0] == 1);
}

TEST_CASE("a native kernel keeps handles of libraries from one call to the next") {
  context ctx(quiet("cpu*2"));
  std::atomic<int> made{0};
  native_definition d;
  d.name = "with_handle";
  d.parameters = "int* y";
  d.annotation = "global i => write y[i]";
  d.functions = support::everywhere([&](native_call& call) {
    int& count = call.handle<int>("counter", [&] { return ++made, std::make_shared<int>(0); });
    ++count;
    for (std::int64_t i = call.points().lo[0]; i < call.points().hi[0]; ++i) call.data<int>(0)[i] = count;
  });
  auto y = ctx.empty<int>({2});
  const kernel k = ctx.native(d);
  for (int step = 0; step < 5; ++step) k.launch({.threads = {2}, .block = {1}}, y);
  CHECK(y.read() == std::vector<int>{5, 5});
  CHECK(made == 2);
}

TEST_CASE("arrays whose type is known at run time hold bytes, slices and names") {
  context ctx(quiet("cpu*3"));
  array_base a = ctx.empty({4, 3}, dtype_of<double>());
  CHECK(a.type() == dtype_of<double>());
  CHECK(a.size() == 12);
  a.fill_bytes(bytes_of(1.5));
  const std::array<double, 2> two{7, 8};
  a.slice({{1, 2}, {0, 2}}).write_bytes(std::as_bytes(std::span(two)));
  CHECK(array<double>(a).read() == std::vector<double>{1.5, 1.5, 1.5, 7, 8, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5});
  CHECK(a.slice({{1, 2}}).read_bytes().size() == 3 * sizeof(double));
  CHECK(a.name().starts_with("array "));
  a.set_name("temperature");
  CHECK(a.slice({{0, 1}}).name() == "temperature");
  CHECK(context::of(a).ranks() == 1);
  CHECK(says(message_of<argument_error>([&] { (void)array<float>(a); }), "float64", "float32"));
  CHECK(says(message_of<argument_error>([&] { a.fill_bytes(bytes_of(1.5f)); }), "4 bytes"));
  CHECK(
      says(message_of<argument_error>([&] { a.write_bytes(std::as_bytes(std::span(two))); }), "12 elements", "with 2"));
  CHECK(says(message_of<argument_error>([&] { a.write_bytes(std::as_bytes(std::span("odd"))); }), "with 4 bytes"));
  CHECK(says(message_of<argument_error>([] { (void)array_base().type(); }), "not created"));
  CHECK(says(message_of<argument_error>([] { (void)context::of({}); }), "not created"));
}

TEST_CASE("the default context is the one that was made current") {
  const context mine(quiet("cpu*2"));
  set_default_context(mine);
  CHECK(default_context().engine() == mine.engine());
  CHECK(default_context().devices().size() == 2);
  set_default_context(context(quiet("cpu")));
  CHECK(default_context().devices().size() == 1);
}

TEST_CASE("a kernel takes an object that says what its argument is") {
  struct container {
    array<int> elements;
    mutable int asked = 0;
    [[nodiscard]] argument as_argument() const { return ++asked, argument{elements}; }
  };
  context ctx(quiet("cpu*2"));
  const container x{ctx.from<int>({10}, counted(10))}, y{ctx.empty<int>({10})};
  support::make_increment(ctx).launch({.threads = {10}}, y, x);
  CHECK(y.elements.read()[9] == 10);
  CHECK(x.asked == 1);
}

TEST_CASE("the transfer log tells every movement, and its sum is what the statistics count") {
  context ctx(quiet("cpu*4"));
  std::mutex mutex;
  std::map<link_kind, std::int64_t> bytes;
  std::vector<transfer_record> records;
  ctx.on_transfer([&](const transfer_record& r) {
    const std::lock_guard lock(mutex);
    bytes[r.link] += r.bytes;
    records.push_back(r);
  });
  const statistics before = ctx.stats();
  auto x = ctx.from<int>({400}, counted(400));
  auto y = ctx.empty<int>({400});
  x.set_name("x");
  const kernel k = ctx.native(sum_of_neighbours());
  for (int step = 0; step < 3; ++step) {
    ctx.engine()->launch(request_of(k, y, x));
    std::swap(x, y);
  }
  (void)x.read();
  ctx.wait();
  ctx.on_transfer(nullptr);
  const statistics moved = ctx.stats() - before;
  const std::lock_guard lock(mutex);
  CHECK(bytes[link_kind::host_to_device] == moved.host_to_device_bytes);
  CHECK(bytes[link_kind::device_to_host] == moved.device_to_host_bytes);
  CHECK(bytes[link_kind::device_to_device] == moved.device_to_device_bytes);
  CHECK(bytes[link_kind::spilled] == moved.spilled_bytes);
  CHECK(bytes[link_kind::reloaded] == moved.reloaded_bytes);
  CHECK(moved.device_to_device_bytes > 0);
  const auto halo = std::find_if(records.begin(), records.end(), [](const transfer_record& r) {
    return r.link == link_kind::device_to_device && r.array == "x";
  });
  REQUIRE(halo != records.end());
  CHECK(halo->bytes == 4);
  CHECK(says(to_string(*halo), "x [", "4 bytes, device to device (same), ", " -> ", "request_client_test.cpp:"));
}

TEST_CASE("every rank knows the devices of all ranks") {
  on_ranks(2, "cpu*2", [](context& ctx) {
    const machine_description machine = ctx.machine();
    require(machine.ranks == 2 && machine.devices.size() == 4, "two devices of each of two ranks");
    for (std::size_t d = 0; d < machine.devices.size(); ++d) {
      const machine_description::device& device = machine.devices[d];
      require(device.rank == static_cast<int>(d / 2), "devices in the order of ranks");
      require(device.kind == (support::on_gpu() ? "cuda" : "cpu"), "the kind of a device");
      require(device.speeds.from_host > 0 && device.speeds.to_host > 0 && device.speeds.between > 0,
              "the speed of a link is missing");
      require(device.cores >= 1 && !device.name.empty(), "a device without cores or a name");
    }
  });
}

TEST_CASE("the machine of one rank lists its devices as the context does") {
  context ctx(quiet("cpu*3"));
  const machine_description machine = ctx.machine();
  CHECK(machine.ranks == 1);
  REQUIRE(machine.devices.size() == 3);
  for (std::size_t d = 0; d < 3; ++d) {
    CHECK(machine.devices[d].rank == 0);
    CHECK(machine.devices[d].name == ctx.devices()[d].name);
    CHECK(machine.devices[d].memory == ctx.devices()[d].memory);
    CHECK(machine.devices[d].cores == ctx.devices()[d].cores);
  }
  // The numbers of devices are those that splits and distributions take.
  auto x = ctx.from<int>({30}, counted(30), on_device(2));
  auto y = ctx.empty<int>({30}, on_device(2));
  runtime::launch_request request = request_of(ctx.native(sum_of_neighbours()), y, x);
  CHECK(says(ctx.engine()->explain(request), "on device 2"));
}

TEST_CASE("a rehearsal of ten launches foretells their bytes and what devices hold") {
  for (const int ranks : {1, 3})
    on_ranks(ranks, "cpu*4", [](context& ctx) {
      auto x = ctx.from<int>({40'000}, counted(40'000), blocks(10'000).halo(1));
      auto y = ctx.zeros<int>({40'000}, blocks(10'000));
      const kernel k = ctx.native(sum_of_neighbours());
      std::vector<runtime::launch_request> requests;
      for (int step = 0; step < 10; ++step) {
        requests.push_back(request_of(k, step % 2 == 0 ? y : x, step % 2 == 0 ? x : y));
        if (step == 4) requests.back().split = uneven_blocks();
      }
      const rehearsal foretold = ctx.engine()->rehearse(requests);
      const statistics before = ctx.stats();
      for (const runtime::launch_request& r : requests) ctx.engine()->launch(r);
      ctx.wait();
      const statistics moved = ctx.stats() - before;
      require(foretold.bytes_over(link_kind::device_to_device) == moved.device_to_device_bytes, "between devices");
      require(foretold.bytes_over(link_kind::host_to_device) == moved.host_to_device_bytes, "to devices");
      require(foretold.bytes_over(link_kind::sent) == moved.sent_bytes, "sent");
      require(foretold.bytes_over(link_kind::received) == moved.received_bytes, "received");
      require(foretold.superblocks == moved.superblocks && foretold.messages == moved.messages_sent, "numbers");
      require(foretold.transfer_seconds > 0, "no time for transfers");
      if (std::getenv("TEST_MEMORY") != nullptr) return;  // what spills holds less
      for (std::size_t d = 0; d < foretold.peak_bytes.size(); ++d) {
        const auto peak = static_cast<double>(moved.peak_bytes[d]), said = static_cast<double>(foretold.peak_bytes[d]);
        require(said >= 0.95 * peak && said <= 1.05 * peak, "the peak of a device");
      }
    });
}
