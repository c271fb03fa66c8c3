#include "tessera/kernel/build/compile_service.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "tessera/base/bytes/sha256.h"
#include "tessera/base/containers/weak_map.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/base/threads/thread_name.h"
#include "tessera/kernel/build/source_key.h"

namespace tessera::kernels {

device::module_id module_request::module() const {
  if (failure_) std::rethrow_exception(failure_);
  return module_;
}

device::function_id module_request::function() const {
  if (failure_) std::rethrow_exception(failure_);
  return function_;
}

class compile_service::implementation {
 public:
  implementation(device::backend& backend, std::optional<disk_cache> cache, const device::random_delays& disturbance)
      : backend_(backend), cache_(std::move(cache)), disturbance_(disturbance), random_(disturbance.seed) {}
  ~implementation();

  std::shared_ptr<module_request> request(int device, device::source_desc source, std::string symbol);
  [[nodiscard]] compile_counters counters() const;
  [[nodiscard]] std::size_t remembered() const;

 private:
  static constexpr std::size_t max_threads = 2;

  struct job {
    std::shared_ptr<module_request> request;
    int device = 0;
    device::source_desc source;
    source_key key;
    std::string symbol;
  };

  struct build;

  /// A binary on a device. Keeps the binary for other devices that ask.
  struct loaded_module {
    device::backend& on;
    device::module_id id;
    std::shared_ptr<build> from;

    loaded_module(device::backend& backend, device::module_id module, std::shared_ptr<build> binary)
        : on(backend), id(module), from(std::move(binary)) {}
    loaded_module(const loaded_module&) = delete;
    loaded_module& operator=(const loaded_module&) = delete;
    ~loaded_module() { on.unload(id); }
  };

  /// A binary: being made until `done`, then either there or failed, and constant.
  struct build {
    bool done = false;
    std::vector<job> waiting;  // asked while it was being made
    std::vector<std::byte> binary;
    std::exception_ptr failure;
    std::mutex loading;
    std::map<int, std::weak_ptr<loaded_module>> modules;  // by device; guarded by `loading`
  };

  void work();
  void serve(job item);
  [[nodiscard]] digest build_key(const job& item);
  void make(const std::shared_ptr<build>& target, const job& first, const digest& key);
  [[nodiscard]] std::optional<std::vector<std::byte>> find_or_claim(const digest& key, file_descriptor& claim);
  void await_others(const digest& key);
  [[nodiscard]] std::vector<std::byte> compile(const job& item);
  void load(const std::shared_ptr<build>& from, const job& item);
  static void fail(const job& item, std::exception_ptr reason, std::shared_ptr<const void> owner = nullptr);

  device::backend& backend_;
  std::optional<disk_cache> cache_;
  const device::random_delays disturbance_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  weak_map<std::tuple<int, digest, std::string>, module_request> requests_;
  weak_map<digest, build> builds_;
  std::deque<job> queue_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool stopping_ = false;
  std::mt19937_64 random_;  // delays
  compile_counters counters_;
};

compile_service::implementation::~implementation() {
  std::deque<job> abandoned;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    abandoned.swap(queue_);
  }
  changed_.notify_all();
  for (const job& item : abandoned)
    fail(item, std::make_exception_ptr(
                   compile_error(cat("'", item.symbol, "' was not compiled: its context ended before its turn"))));
  for (std::thread& thread : threads_) thread.join();
}

std::shared_ptr<module_request> compile_service::implementation::request(int device, device::source_desc source,
                                                                         std::string symbol) {
  const source_key key = key_of(source);
  const std::lock_guard lock(mutex_);
  ++counters_.requests;
  std::tuple name(device, key.contents, symbol);
  if (std::shared_ptr<module_request> known = requests_.find(name)) {
    ++counters_.memory_hits;
    return known;
  }
  if (queue_.size() >= idle_ && threads_.size() < max_threads) threads_.emplace_back(&implementation::work, this);
  auto result = std::make_shared<module_request>();
  queue_.push_back({result, device, std::move(source), key, std::move(symbol)});
  requests_.insert(name, result);
  changed_.notify_one();
  return result;
}

void compile_service::implementation::work() {
  name_this_thread("tessera compile");
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    changed_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
    --idle_;
    if (queue_.empty()) return;
    job next = std::move(queue_.front());
    queue_.pop_front();
    const std::chrono::nanoseconds pause(
        disturbance_.max_delay_ns > 0
            ? static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(disturbance_.max_delay_ns))
            : 0);
    lock.unlock();
    if (pause.count() > 0) std::this_thread::sleep_for(pause);
    serve(std::move(next));
    lock.lock();
  }
}

void compile_service::implementation::serve(job item) try {
  const digest key = build_key(item);
  std::unique_lock lock(mutex_);
  std::shared_ptr<build> target = builds_.find(key);
  const bool first = target == nullptr;
  if (first) {
    target = std::make_shared<build>();
    builds_.insert(key, target);
  } else {
    ++counters_.memory_hits;
    if (!target->done) {
      target->waiting.push_back(std::move(item));
      return;
    }
  }
  lock.unlock();
  if (first)
    make(target, item, key);
  else
    load(target, item);
} catch (...) {
  fail(item, std::current_exception());
}

digest compile_service::implementation::build_key(const job& item) {
  return sha256()
      .add(std::as_bytes(std::span(item.key.contents.bytes)))
      .add_field(backend_.name())
      .add_field(backend_.compiler_identity(item.device))
      .finish();
}

void compile_service::implementation::make(const std::shared_ptr<build>& target, const job& first, const digest& key) {
  const bool cached = cache_ && first.key.complete;
  bool compiled = false;
  file_descriptor claim;  // until the binary is on disk
  try {
    std::optional<std::vector<std::byte>> found;
    if (cached) found = find_or_claim(key, claim);
    compiled = !found;
    target->binary = found ? *std::move(found) : compile(first);
  } catch (...) {
    target->failure = std::current_exception();
  }
  std::vector<job> waiting;
  {
    const std::lock_guard lock(mutex_);
    target->done = true;
    waiting.swap(target->waiting);
  }
  load(target, first);
  for (const job& item : waiting) load(target, item);
  // Last: no request waits for the disk here.
  if (compiled && cached && !target->failure) cache_->store(key, target->binary);
}

/// The binary, if the cache has it. If not, one of the processes that ask now gets the claim, and the others look again
/// when it is given up. If there is nothing then either, it did not compile, and all of them find out why at the same
/// time.
std::optional<std::vector<std::byte>> compile_service::implementation::find_or_claim(const digest& key,
                                                                                     file_descriptor& claim) {
  std::optional<std::vector<std::byte>> found = cache_->find(key);
  if (!found) {
    claim = cache_->claim(key);
    if (!claim) await_others(key);
    found = cache_->find(key);
  }
  const std::lock_guard lock(mutex_);
  if (found) ++counters_.disk_hits;
  return found;
}

/// Returns when no process makes the binary any more, when this service ends, or when the one that makes it takes so
/// long that it may have been stopped.
void compile_service::implementation::await_others(const digest& key) {
  constexpr std::chrono::seconds longest(60);
  constexpr std::chrono::milliseconds first_pause(1), last_pause(20);
  const auto end = std::chrono::steady_clock::now() + longest;
  const auto stopping = [&] {
    const std::lock_guard lock(mutex_);
    return stopping_;
  };
  for (auto pause = first_pause; cache_->is_claimed(key); pause = std::min(2 * pause, last_pause)) {
    if (stopping() || std::chrono::steady_clock::now() > end) return;
    std::this_thread::sleep_for(pause);
  }
}

std::vector<std::byte> compile_service::implementation::compile(const job& item) {
  const auto start = std::chrono::steady_clock::now();
  const auto count = [&] {
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    const std::lock_guard lock(mutex_);
    ++counters_.compiled;
    counters_.compile_milliseconds += taken.count();
  };
  try {
    std::vector<std::byte> binary = backend_.compile(item.device, item.source);
    count();
    return binary;
  } catch (const missing_compiler&) {
    count();
    throw;
  } catch (const compile_error& e) {
    count();
    if (item.source.shown.empty()) throw;
    throw compile_error(cat(e.what(), "\nof the text\n", item.source.shown));
  } catch (...) {
    count();
    throw;
  }
}

void compile_service::implementation::load(const std::shared_ptr<build>& from, const job& item) {
  if (from->failure) return fail(item, from->failure, from);
  try {
    const std::lock_guard lock(from->loading);
    std::shared_ptr<loaded_module> module = from->modules[item.device].lock();
    if (module == nullptr) {
      module = std::make_shared<loaded_module>(backend_, backend_.load(item.device, from->binary), from);
      from->modules[item.device] = module;
    }
    item.request->function_ = backend_.find(module->id, item.symbol);
    item.request->module_ = module->id;
    item.request->owner_ = std::move(module);
  } catch (...) {
    return fail(item, std::current_exception(), from);
  }
  item.request->line_.advance(1);
}

/// `owner` remembers why.
void compile_service::implementation::fail(const job& item, std::exception_ptr reason,
                                           std::shared_ptr<const void> owner) {
  item.request->failure_ = std::move(reason);
  item.request->owner_ = std::move(owner);
  item.request->line_.advance(1);
}

std::size_t compile_service::implementation::remembered() const {
  const std::lock_guard lock(mutex_);
  return requests_.size() + builds_.size();
}

compile_counters compile_service::implementation::counters() const {
  const std::lock_guard lock(mutex_);
  return counters_;
}

compile_service::compile_service(device::backend& backend, std::optional<disk_cache> cache,
                                 const device::random_delays& disturbance)
    : implementation_(std::make_unique<implementation>(backend, std::move(cache), disturbance)) {}

compile_service::~compile_service() = default;

std::shared_ptr<module_request> compile_service::request(int device, device::source_desc source, std::string symbol) {
  return implementation_->request(device, std::move(source), std::move(symbol));
}

compile_counters compile_service::counters() const { return implementation_->counters(); }

std::size_t compile_service::remembered() const { return implementation_->remembered(); }

}  // namespace tessera::kernels
