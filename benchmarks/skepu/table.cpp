// Table 1: the bytes that move and the bytes that are allocated for three applications on two devices, summed over
// problem sizes.
#include <numeric>

#include "benchmarks/skepu/applications/application.h"
#include "benchmarks/skepu/byte_model/byte_model.h"
#include "benchmarks/skepu/skepu_benchmarks.h"
#include "tessera/base/text.h"

namespace tessera::bench::skepu {
namespace {

constexpr int device_count = 2;

void add(traffic& sum, const traffic& more) {
  sum.host_to_device += more.host_to_device;
  sum.within_device += more.within_device;
  sum.between_devices += more.between_devices;
  sum.device_to_host += more.device_to_host;
  sum.allocated += more.allocated;
}

struct mechanisms {
  traffic initial, updated, peers, ours;
};

void add_run(const session& s, const named_application& app, std::int64_t size, int steps, mechanisms& sum) {
  context ctx(shared_by_all(s, device_count));
  const auto made = app.make({.size = size, .steps = steps, .where = ctx});
  made->prepare();
  made->run();
  ctx.wait();
  const statistics seen = ctx.stats();
  add(sum.ours, {seen.host_to_device_bytes, 0, seen.device_to_device_bytes, seen.device_to_host_bytes,
                 std::accumulate(seen.allocated_bytes.begin(), seen.allocated_bytes.end(), std::int64_t{0})});
  made->check();
  add(sum.initial, replay(made->log(), mechanism::initial, device_count));
  add(sum.updated, replay(made->log(), mechanism::updated, device_count));
  add(sum.peers, replay(made->log(), mechanism::updated_with_peers, device_count));
}

double megabytes(std::int64_t bytes) { return static_cast<double>(bytes) / 1e6; }

/// The columns of the table, as rows that are only reported.
void add_columns(session& s, const std::string& name, const traffic& t) {
  const auto report = [&](const char* column, std::int64_t bytes) {
    s.add({cat(name, ".", column), megabytes(bytes), 0, "", "MB", 0, 0, 0, std::nullopt});
  };
  report("HTD", t.host_to_device);
  report("DTD", t.within_device);
  report("peer", t.between_devices);
  report("DTH", t.device_to_host);
  report("total", t.total());
  report("alloc", t.allocated);
}

void measure(session& s, const named_application& app, const std::vector<std::int64_t>& sizes, int steps,
             std::optional<double> allocation_target) {
  mechanisms sum;
  for (const std::int64_t size : sizes) add_run(s, app, size, steps, sum);
  const std::string name = "skepu.table1." + app.name;
  add_columns(s, name + ".initial", sum.initial);
  add_columns(s, name + ".new", sum.updated);
  add_columns(s, name + ".new_peer", sum.peers);
  add_columns(s, name + ".ours", sum.ours);
  s.add_figures(name + ".bytes", megabytes(sum.ours.total()), megabytes(sum.peers.total()),
                "SkePU's best mechanism, by its model", "MB", 1 / 0.52);
  s.add_figures(name + ".allocation", megabytes(sum.ours.allocated), megabytes(sum.peers.allocated),
                "SkePU's best mechanism, by its model", "MB", allocation_target);
}

}  // namespace

std::vector<benchmark> table_benchmarks() {
  // Four vectors where SkePU has six, less what whole pages take.
  const auto row = [](std::size_t k, std::vector<std::int64_t> sizes, int steps, std::optional<double> target) {
    const named_application& app = paper_applications()[k];
    return benchmark{"skepu.table1." + app.name,
                     [=](session& s) { measure(s, app, s.quick() ? std::vector{sizes[0]} : sizes, steps, target); }};
  };
  return {row(0, {1024, 2048, 4096}, 11, 1.49), row(1, {128, 256, 512}, 1, 1.49),
          row(2, {512, 1024, 2048}, 50, std::nullopt)};
}

}  // namespace tessera::bench::skepu
