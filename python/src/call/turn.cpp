#include "python/src/call/turn.h"

#include <nanobind/nanobind.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tessera/base/threads/wait_hook.h"
#include "tessera/nd/refuse.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;

// All of this is read and written by threads that hold the GIL.
const void* owner = nullptr;  // whose turn it is
int waiting = 0;              // threads that want one
bool is_reserved = false;     // for one of these
bool is_used = false, is_forked = false, is_finalized = false;
bool has_ended = false;  // arrays, while a thread had the turn
call_site current{};

/// Where threads wait, without the GIL, for the end of a turn.
struct waiting_room {
  std::mutex mutex;
  std::condition_variable left;
  std::uint64_t ends = 0;  // of turns, while some thread waited
};
waiting_room& room() {
  static auto* const made = new waiting_room();
  return *made;
}

/// Arrays that ended while a thread had the turn. Never destroyed: arrays end until the process does.
std::vector<nd::array>& ended_arrays() {
  static auto* const arrays = new std::vector<nd::array>();
  return *arrays;
}

const void* this_thread() {
  thread_local char mark;
  return &mark;
}

/// Raises what handlers of signals raise, for a thread with the GIL.
void look_for_signals() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

/// The wait hook: called on threads that gave the GIL away.
void look_for_signals_while_waiting() {
  const nb::gil_scoped_acquire locked;
  look_for_signals();
}

void note_end() {
  {
    const std::lock_guard lock(room().mutex);
    ++room().ends;
  }
  room().left.notify_one();
}

/// The next turn is one that a thread waits for, however soon others come back.
void pass_on() {
  is_reserved = waiting > 0;
  if (is_reserved) note_end();
}

void wait_once() {
  std::unique_lock lock(room().mutex);  // before the GIL is given away: no end is missed
  const std::uint64_t before = room().ends;
  const without_gil unlocked;
  room().left.wait_for(lock, std::chrono::milliseconds(50), [&] { return room().ends != before; });
  lock.unlock();
}

void wait_for_turn() {
  ++waiting;
  try {
    do {
      wait_once();
      look_for_signals();
    } while (owner != nullptr);
  } catch (...) {
    --waiting;
    if (owner == nullptr) pass_on();
    throw;
  }
  --waiting;
  is_reserved = false;
}

void clear_ended() {
  std::vector<nd::array> ended;
  ended.swap(ended_arrays());
  has_ended = false;
}

std::string& package_folder() {
  static auto* const folder = new std::string();
  return *folder;
}

/// A file of the program, as messages name it.
struct source_file {
  std::string name;
  bool is_package = false;
};

const source_file& file_of(PyCodeObject* code) {
  static auto* const known = new std::unordered_map<PyObject*, source_file>();
  PyObject* const name = code->co_filename;
  const auto found = known->find(name);
  if (found != known->end()) return found->second;
  Py_INCREF(name);  // so that no other one gets its address
  const char* const text = PyUnicode_AsUTF8(name);
  if (text == nullptr) PyErr_Clear();
  source_file made{text != nullptr ? text : "?", false};
  made.is_package = !package_folder().empty() && made.name.starts_with(package_folder());
  return known->emplace(name, std::move(made)).first->second;
}

}  // namespace

turn::turn() {
  if (is_forked)
    throw error(
        "this process was forked from one that uses Tessera, whose threads did not come along; start processes with "
        "the method 'spawn'");
  if (is_finalized) throw error("the work with arrays has ended: tessera.finalize() was called before");
  if (owner != nullptr || is_reserved) {
    if (owner == this_thread())
      throw error(
          "arrays cannot be used while a call of this thread waits: a handler of a signal, or a destructor, tried");
    wait_for_turn();
  }
  owner = this_thread();
  is_used = true;
  if (has_ended) clear_ended();
}

turn::~turn() {
  owner = nullptr;
  if (waiting > 0) pass_on();
}

call_site python_line() {
  PyFrameObject* frame = PyEval_GetFrame();
  Py_XINCREF(frame);
  call_site found{};
  while (frame != nullptr) {
    PyCodeObject* const code = PyFrame_GetCode(frame);
    const source_file& file = file_of(code);
    Py_DECREF(code);
    if (!file.is_package) {
      found = {file.name.c_str(), PyFrame_GetLineNumber(frame)};
      Py_DECREF(frame);
      break;
    }
    PyFrameObject* const outer = PyFrame_GetBack(frame);
    Py_DECREF(frame);
    frame = outer;
  }
  current = found;
  return found;
}

void forget_line() { current = {}; }

const char* call_message(const char* message) {
  const std::string place = nd::place_of(current);
  return std::string_view(message).starts_with(place) ? message + place.size() : message;
}

void retire(nd::array&& ended) noexcept {
  if (is_forked) {
    new nd::array(std::move(ended));  // what it stands for belongs to the other process
    return;
  }
  if (owner == nullptr) {
    owner = this_thread();  // ending may wait, and handlers of signals run meanwhile
    ended = nd::array();
    owner = nullptr;
    if (waiting > 0) pass_on();
    return;
  }
  ended_arrays().push_back(std::move(ended));
  has_ended = true;
}

void prepare_calls() { set_wait_hook(look_for_signals_while_waiting); }

void set_package_folder(const std::string& path) { package_folder() = path; }

void refuse_calls() { is_finalized = true; }

void note_fork() { is_forked = is_used; }

}  // namespace tessera::python
