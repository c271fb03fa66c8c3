#include "tessera/runtime/engine.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <future>

#include "tessera/base/error.h"
#include "tessera/base/log.h"
#include "tessera/base/sha256.h"
#include "tessera/base/text.h"
#include "tessera/kernel/disk_cache.h"

namespace tessera::runtime {
namespace {

std::int64_t machine_memory() { return sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE); }

bool checks(const options& o, std::string_view what) {
  std::string_view list = o.check;
  bool found = false;
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), word.size() + 1));
    if (word != "all" && word != "uninitialised" && word != "unwritten")
      throw argument_error(
          cat("'", word, "' is no check; all, uninitialised or unwritten is expected in TESSERA_CHECK"));
    found = found || word == "all" || word == what;
  }
  return found;
}

device::chaos disturbance(const options& o) {
  if (o.disturb.empty()) return {};
  std::uint64_t seed = 0;
  const auto [rest, status] = std::from_chars(o.disturb.data(), o.disturb.data() + o.disturb.size(), seed);
  if (status != std::errc{} || rest != o.disturb.data() + o.disturb.size())
    throw argument_error(cat("TESSERA_DISTURB is '", o.disturb, "'; a number is expected"));
  return {seed, 30'000};
}

/// The GPUs that a request names, each as often as logical devices are wanted on it.
std::vector<int> gpus_of(const device_request& r) {
  std::string why;
  const int there = device::count_gpus(&why);
  if (there == 0) throw device_error(cat("cuda devices were asked for, but ", why));
  std::vector<int> gpus;
  for (int g = 0; g < there; ++g)
    if (r.ordinal < 0 || r.ordinal == g) gpus.insert(gpus.end(), static_cast<std::size_t>(r.count), g);
  if (gpus.empty()) throw argument_error(cat("there is no GPU ", r.ordinal, "; this machine has ", there));
  return gpus;
}

std::unique_ptr<device::backend> make_host_devices(const device_request& r, const options& how) {
  if (r.kind != "cpu" && r.kind != "null")
    throw argument_error(
        cat("there are no devices of kind '", r.kind, "'; cpu, cuda and null exist, for example ", "cpu*4"));
  if (r.ordinal >= 0) throw argument_error(cat("'", r.kind, ":", r.ordinal, "': only cuda devices have numbers"));
  device::cpu_options o;
  o.devices = r.count;
  o.disturbance = disturbance(how);
  if (!how.device_memory.empty()) o.memory = parse_bytes(how.device_memory, machine_memory(), "TESSERA_DEVICE_MEMORY");
  return r.kind == "cpu" ? device::make_cpu(o) : device::make_null(o);
}

/// The cache of compiled kernels, for what backends compile for themselves.
class cache_of_binaries final : public device::binary_cache {
 public:
  explicit cache_of_binaries(const std::string& directory) : cache_(directory) {}
  std::vector<std::byte> find(const std::string& key) override {
    return cache_.find(digest_of(key)).value_or(std::vector<std::byte>());
  }
  void store(const std::string& key, std::span<const std::byte> binary) override {
    cache_.store(digest_of(key), binary);
  }

 private:
  static digest digest_of(const std::string& key) {
    sha256 hash;
    hash.add_field(key);
    return hash.finish();
  }
  kernels::disk_cache cache_;
};

/// Complaints about the environment are made once per process.
void complain_once() {
  static const bool done = [] {
    for (const std::string& text : environment_complaints()) log(log_level::warning, text);
    return true;
  }();
  (void)done;
}

}  // namespace

engine::engine(const options& given) {
  const options how = with_environment(given);
  set_log_level(parse_log_level(how.log));
  complain_once();
  network_ = how.comm ? how.comm : comm::make_alone();
  make_devices(how);
  if (!how.trace.empty()) {
    const bool alone = network_->size() == 1;
    trace_ = std::make_unique<trace>(alone ? how.trace : cat(how.trace, ".", node().value), node().value);
    name_rows();
  }
  copies_ = std::make_unique<memory::copy_store>(devices_);
  std::vector<device::backend*> backends;
  for (const auto& b : backends_) backends.push_back(b.get());
  kernels_ = std::make_unique<kernel_library>(std::move(backends), how.cache_dir, how.cpu_tier);
  splits_ = std::make_unique<plan::split_cache>(exchange_tables(), node());
  planner_ = std::make_unique<plan::planner>(machine(), node(), plan::planner_options{checks(how, "uninitialised")});
  executor_ = std::make_unique<executor>(services{devices_, *copies_, *network_, *kernels_, failures_, tickets_,
                                                  counters_, trace_.get(), checks(how, "unwritten")});
  planner_thread_ = std::thread([this] { plan_loop(); });
  executor_thread_ = std::thread([this] { execute_loop(); });
}

engine::~engine() {
  commands_.close();
  planner_thread_.join();
  instructions_.close();
  executor_thread_.join();
  executor_.reset();  // waits for the devices
  if (const std::exception_ptr lost = failures_.take_unreported()) {
    try {
      std::rethrow_exception(lost);
    } catch (const std::exception& e) {
      log(log_level::error, cat("a failure that nobody waited for: ", e.what()));
    }
  }
}

void engine::make_devices(const options& how) {
  std::string no_gpu;
  const std::string fallback = how.devices.empty() && device::count_gpus(&no_gpu) > 0 ? "cuda" : "cpu";
  if (!no_gpu.empty()) log(log_level::info, cat("working on the CPU: ", no_gpu));
  device::cuda_options cuda;
  std::vector<std::size_t> cuda_places;
  for (const device_request& r : parse_devices(how.devices.empty() ? fallback : how.devices)) {
    if (r.kind == "cuda") {
      const std::vector<int> gpus = gpus_of(r);
      cuda.gpus.insert(cuda.gpus.end(), gpus.begin(), gpus.end());
      for (std::size_t n = 0; n < gpus.size(); ++n) cuda_places.push_back(devices_.size()), devices_.emplace_back();
      continue;
    }
    backends_.push_back(make_host_devices(r, how));
    for (int d = 0; d < r.count; ++d) devices_.push_back({backends_.back().get(), d});
  }
  if (cuda.gpus.empty()) return;
  // One backend for all GPUs, so that their queues wait for each other without the host.
  cuda.disturbance = disturbance(how);
  cuda.cache = std::make_shared<cache_of_binaries>(how.cache_dir);
  if (!how.device_memory.empty())
    cuda.memory = parse_bytes(how.device_memory, device::gpu_memory(cuda.gpus.front()), "TESSERA_DEVICE_MEMORY");
  if (!how.kernel_timeout.empty())
    cuda.kernel_timeout = std::chrono::nanoseconds(
        static_cast<std::int64_t>(parse_seconds(how.kernel_timeout, "TESSERA_KERNEL_TIMEOUT") * 1e9));
  backends_.push_back(device::make_cuda(cuda));
  for (std::size_t n = 0; n < cuda_places.size(); ++n)
    devices_[cuda_places[n]] = {backends_.back().get(), static_cast<int>(n)};
}

void engine::name_rows() {
  constexpr std::array queues{"compute", "copy in", "copy out"};
  for (std::size_t d = 0; d < devices_.size(); ++d)
    for (std::size_t q = 0; q < queues.size(); ++q)
      trace_->name_row(
          static_cast<int>(d * queues.size() + q),
          cat(devices_[d].backend->devices()[static_cast<std::size_t>(devices_[d].index)].name, " ", queues[q]));
}

plan::machine_table engine::exchange_tables() {
  std::vector<plan::device_spec> mine;
  for (const memory::local_device& d : devices_)
    mine.push_back({d.backend->name(), d.backend->devices()[static_cast<std::size_t>(d.index)].memory});
  std::vector<std::vector<plan::device_spec>> all(static_cast<std::size_t>(network_->size()));
  const std::vector<std::byte> record = plan::machine_table::encode(mine);
  std::vector<std::vector<std::byte>> records(all.size(), std::vector<std::byte>(record.size()));
  std::vector<event> events;
  for (int r = 0; r < network_->size(); ++r) {
    if (node_id(r) == node()) continue;
    events.push_back(network_->send(node_id(r), 1, record));
    events.push_back(network_->receive(node_id(r), 1, records[static_cast<std::size_t>(r)]));
  }
  for (const event& e : events) e.wait();
  for (std::size_t r = 0; r < all.size(); ++r)
    all[r] = node_id(static_cast<int>(r)) == node() ? mine : plan::machine_table::decode(records[r]);
  return plan::machine_table(std::move(all));
}

void engine::submit(task_body what, plan::call_site where) {
  throw_if_stopped();
  std::lock_guard lock(submit_mutex_);
  live_statistics::add(counters_.tasks, 1);
  if (cores_to_spare_) instructions_.expect();
  if (!commands_.push(plan::task{task_id(++last_task_), where, std::move(what)})) throw_if_stopped();
}

array_id engine::adopt_host(const extents& shape, const dtype& type, std::byte* data) {
  const array_id id(++last_buffer_);
  copies_->adopt(id, shape, type, data);
  return id;
}

void engine::release_host(array_id buffer) {
  copies_->release(buffer);
  if (failures_.any()) failures_.forget(buffer);
}

std::pair<std::shared_ptr<ticket>, std::uint64_t> engine::new_ticket() {
  auto made = std::make_shared<ticket>();
  const std::uint64_t number = tickets_.add(made);
  return {std::move(made), number};
}

void engine::wait(ticket& t, array_id buffer) {
  t.wait();
  throw_if_stopped();
  if (!failures_.any()) return;
  if (const failure why = failures_.reason_for(buffer)) {
    failures_.reported(why);
    std::rethrow_exception(why.reason);
  }
}

void engine::wait_all() {
  auto [t, number] = new_ticket();
  submit(plan::fence_task{number});
  t->wait();
  throw_if_stopped();
  if (const std::exception_ptr reason = failures_.take_unreported()) std::rethrow_exception(reason);
}

void engine::ask_planner(const std::function<void(const plan::planner&)>& look) {
  throw_if_stopped();
  std::promise<void> answered;
  std::function<void(const plan::planner&)> command = [&](const plan::planner& now) {
    try {
      look(now);
      answered.set_value();
    } catch (...) {
      answered.set_exception(std::current_exception());
    }
  };
  if (!commands_.push(std::move(command))) throw_if_stopped();
  answered.get_future().get();
}

std::vector<plan::instruction> engine::rehearse(task_body what) {
  std::vector<plan::instruction> out;
  ask_planner([&](const plan::planner& now) {
    plan::planner copy = now;
    copy.plan({task_id(0), {}, std::move(what)}, out);
  });
  return out;
}

void engine::plan_loop() {
  std::vector<command> batch;
  std::vector<plan::instruction> out;
  while (commands_.pop_all(batch)) {
    const auto begin = std::chrono::steady_clock::now();
    try {
      for (command& c : batch) {
        if (auto* t = std::get_if<plan::task>(&c))
          planner_->plan(*t, out);
        else
          std::get<1>(c)(*planner_);
        constexpr std::size_t enough = 256;  // hand over early so that devices need not wait for a long batch
        if (out.size() < enough) continue;
        live_statistics::add(counters_.instructions, static_cast<std::int64_t>(out.size()));
        instructions_.push_all(out);
      }
      live_statistics::add(counters_.instructions, static_cast<std::int64_t>(out.size()));
      if (!out.empty()) instructions_.push_all(out);
    } catch (...) {
      stop_with(std::current_exception());
    }
    const auto spent = std::chrono::steady_clock::now() - begin;
    live_statistics::add(counters_.planning_ns, std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count());
  }
}

void engine::execute_loop() {
  std::vector<plan::instruction> batch;
  while (instructions_.pop_all(batch)) {
    try {
      for (plan::instruction& i : batch) executor_->issue(std::move(i));
    } catch (...) {
      stop_with(std::current_exception());
    }
  }
}

/// A defect of Tessera itself, or memory exhausted while planning: nothing can be promised any more.
void engine::stop_with(const std::exception_ptr& reason) {
  {
    std::lock_guard lock(stopped_mutex_);
    if (!stopped_) stopped_ = reason;
  }
  commands_.close();
  instructions_.close();
  tickets_.release_all();
  if (network_->size() > 1) network_->abort(cat("rank ", node().value, " stopped"));
}

void engine::throw_if_stopped() {
  std::lock_guard lock(stopped_mutex_);
  if (stopped_) std::rethrow_exception(stopped_);
}

statistics engine::stats() {
  statistics s;
  s.tasks = counters_.tasks;
  s.instructions = counters_.instructions;
  s.launches = counters_.launches;
  s.superblocks = counters_.superblocks;
  s.copies = counters_.copies;
  s.host_to_device_bytes = counters_.host_to_device;
  s.device_to_host_bytes = counters_.device_to_host;
  s.device_to_device_bytes = counters_.device_to_device;
  s.sent_bytes = counters_.sent;
  s.received_bytes = counters_.received;
  s.messages_sent = counters_.messages;
  s.planning_ns = counters_.planning_ns;
  ask_planner([&](const plan::planner& now) { s.tracked_state = static_cast<std::int64_t>(now.tracked()); });
  const kernels::compile_counters c = kernels_->counters();
  s.kernels_compiled = c.compiled;
  s.kernel_cache_hits = c.disk_hits;
  for (std::size_t d = 0; d < devices_.size(); ++d) s.peak_bytes.push_back(copies_->peak_bytes(static_cast<int>(d)));
  return s;
}

}  // namespace tessera::runtime
