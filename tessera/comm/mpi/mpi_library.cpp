#include "tessera/comm/mpi/mpi_library.h"

#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "tessera/base/error.h"
#include "tessera/base/log.h"
#include "tessera/base/text.h"
#include "tessera/device/host/launcher.h"

namespace tessera::comm::mpi {
namespace {

library* opened = nullptr;

constexpr std::chrono::seconds timeout(1);  // with ranks that may be gone

/// Where the plugin may be: named by hand, beside what was built, or where it is installed.
const tessera_mpi_calls* find_plugin() {
  std::string paths, reasons;
  const char* by_hand = std::getenv("TESSERA_MPI_PLUGIN");
  for (const std::string& path : {std::string(by_hand != nullptr ? by_hand : ""), std::string(TESSERA_MPI_BUILT),
                                  std::string(TESSERA_MPI_INSTALLED)}) {
    if (path.empty()) continue;
    // Implementations of MPI open parts of their own that look for its symbols.
    void* const plugin = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (plugin == nullptr) {
      reasons += cat("\n  ", dlerror());
      continue;
    }
    const auto find = reinterpret_cast<const tessera_mpi_calls* (*)()>(dlsym(plugin, "tessera_mpi"));
    if (find != nullptr && find()->version == TESSERA_MPI_CALLS_VERSION) return find();
    reasons += cat("\n  ", path, " is of another version");
  }
  throw comm_error(
      cat("this process is one of ", this_process().ranks, " ranks, but Tessera's plugin for MPI cannot be opened: ",
          reasons, "\n  Install Open MPI (libopenmpi-dev) and build Tessera again, or name it in TESSERA_MPI_PLUGIN"));
}

}  // namespace

library& library::open() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (opened == nullptr) opened = new library;  // used by threads that outlive static objects
  return *opened;
}

library::library() : calls_(find_plugin()) {
  int ours = 0, level = 0;
  if (const int error = calls_->begin(&ours, &level); error != 0)
    throw comm_error(cat("MPI cannot be initialised: ", text_of(error)));
  if (level == 0) {
    if (ours != 0) calls_->end();
    throw comm_error("MPI was initialised without threads; Tessera needs MPI_THREAD_SERIALIZED or better");
  }
  if (ours != 0) on_exit(finalise, nullptr);
}

template <class Start>
void library::in_turns(const char* doing, const std::shared_ptr<void>& memory, Start start) {
  const auto check = [&](int error) {
    if (error != 0) throw comm_error(cat("MPI fails while ", doing, ": ", text_of(error)));
  };
  tessera_mpi_handle request{};
  {
    const std::lock_guard turn(turn_);
    check(start(&request));
  }
  using clock = std::chrono::steady_clock;
  const auto begin = clock::now();
  constexpr std::chrono::seconds worth_a_word(10);
  constexpr std::chrono::microseconds soon(500), moment(100);
  bool said = false;
  for (int ended = 0; ended == 0;) {
    const auto waited = std::chrono::duration<double>(clock::now() - begin);
    if (waited > soon)
      std::this_thread::sleep_for(moment);
    else
      sched_yield();
    if (!said && waited > worth_a_word) {
      log(log_level::warning, "this rank makes a context and waits for the other ranks to make one, too");
      said = true;
    }
    if (patience_ > 0 && waited.count() > patience_) {
      job_failed();
      static_cast<void>(new std::shared_ptr<void>(memory));  // MPI may touch it until the process ends
      throw comm_error(cat("the other ranks make no context, for ", patience_, " s (TESSERA_TIMEOUT)"));
    }
    const std::lock_guard turn(turn_);
    tessera_mpi_status status{};
    check(calls_->test(1, &request, &ended, &status));
    check(status.error);
  }
}

library::group library::open(const tessera_mpi_handle* given) {
  const auto made = std::make_shared<group>();
  in_turns("making a communicator", made,
           [&](tessera_mpi_handle* request) { return calls_->open(given, &made->comm, request); });
  const std::lock_guard turn(turn_);
  if (const int error = calls_->look_at(made->comm, &made->rank, &made->size, &made->most_tag); error != 0)
    throw comm_error(cat("MPI gives no communicator: ", text_of(error)));
  return *made;
}

void library::gather(const group& among, std::span<const std::byte> mine, std::span<std::byte> all) {
  const auto memory = std::make_shared<std::vector<std::byte>>(mine.begin(), mine.end());
  memory->resize(mine.size() + all.size());
  std::byte* const received = memory->data() + mine.size();
  in_turns("telling who is who", memory, [&](tessera_mpi_handle* request) {
    return calls_->gather(among.comm, memory->data(), static_cast<int>(mine.size()), received, request);
  });
  std::copy_n(received, all.size(), all.begin());
}

library::control_line library::control(const tessera_mpi_handle* given) {
  if (given != nullptr) return {open(given).comm, 1};
  if (most_tag_ == 0) {
    const group all = open(nullptr);
    world_.comm = all.comm;
    most_tag_ = all.most_tag;
  }
  world_.tag = world_.tag % most_tag_ + 1;
  return world_;
}

void library::attach(transport& live, std::function<void()> finish) {
  const std::lock_guard lock(live_mutex_);
  if (finish && !std::exchange(finishes_, true)) on_exit(finish_all, nullptr);
  const auto known = std::find_if(live_.begin(), live_.end(), [&](const auto& l) { return l.first == &live; });
  if (known == live_.end())
    live_.emplace_back(&live, std::move(finish));
  else
    known->second = std::move(finish);
}

void library::detach(transport& live) {
  const std::lock_guard lock(live_mutex_);
  std::erase_if(live_, [&](const auto& l) { return l.first == &live; });
}

/// A program that ends in order may leave contexts alive, in global objects perhaps: they finish what they have to do.
void library::finish_all(int status, void*) noexcept {
  if (status != 0 || opened->calls_->is_over() != 0) return;
  std::unique_lock lock(opened->live_mutex_);
  const auto live = opened->live_;
  lock.unlock();
  for (const auto& [t, finish] : live)
    if (finish && !t->failed()) finish();
}

/// Finalising waits for all ranks. Where one of them may be gone for good, or waits for what this one will never send,
/// not longer than it is worth.
void library::finalise(int status, void*) noexcept {
  {
    const std::lock_guard lock(opened->live_mutex_);
    for (const auto& [t, finish] : opened->live_) {
      t->abort(cat("rank ", t->rank().value, " ended in the middle of the job, with status ", status));
      for (auto end = std::chrono::steady_clock::now() + timeout;
           !t->failed() && std::chrono::steady_clock::now() < end;)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  constexpr std::chrono::seconds grace(5);  // for ranks that have not heard of anything and end in order
  if (opened->failed_ || status != 0)
    std::thread([status, most = opened->failed_ ? timeout : grace] {
      std::this_thread::sleep_for(most);
      _exit(status != 0 ? status : EXIT_FAILURE);
    }).detach();
  const std::lock_guard lock(opened->turn_);
  opened->ended_ = true;
  opened->calls_->end();
  if (opened->failed_ && status == 0) _exit(EXIT_FAILURE);  // whatever the program made of it
}

std::string library::text_of(int error) const {
  std::array<char, 512> text{};
  calls_->text_of(error, text.data(), static_cast<int>(text.size()));
  return text.data();
}

}  // namespace tessera::comm::mpi
