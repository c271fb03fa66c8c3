#pragma once

#include <Python.h>
#include <tessera/nd.h>

#include <string>
#include <utility>

/// How calls into `nd` are made: one thread at a time, without the GIL where they may take long, with the line of the
/// program that makes them (docs/design/0065-the-python-package.md).
namespace tessera::python {

/// The right to use arrays, while it lives. Taken by a thread that holds the GIL, which it gives away while it waits
/// for another thread. Throws `nb::python_error` for what a signal's handler raised meanwhile, and `error` in a handler
/// that interrupted a call, and in a process that was forked from one that used arrays.
class turn {
 public:
  turn();
  ~turn();
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;
};

class without_gil {
 public:
  without_gil() : state_(PyEval_SaveThread()) {}
  ~without_gil() { PyEval_RestoreThread(state_); }
  without_gil(const without_gil&) = delete;
  without_gil& operator=(const without_gil&) = delete;

 private:
  PyThreadState* state_;
};

/// The line of the program that makes the current call: that of the innermost frame outside of this package. Valid for
/// ever. Also what `call_message` leaves out.
[[nodiscard]] call_site python_line();
void forget_line();

/// The message of an exception without the line of the current call, which the traceback has.
[[nodiscard]] const char* call_message(const char* message);

/// Ends an array: at once if no thread has the turn, else with the next turn.
void retire(nd::array&& ended) noexcept;

/// Has the wait hook look for signals, and forked processes refused.
void prepare_calls();
/// Whose files are not the program's.
void set_package_folder(const std::string& path);
/// From now on no call is made: `tessera.finalize()`.
void refuse_calls();
/// In a process that was just forked.
void note_fork();

/// What `body(line)` returns, called in a turn without the GIL.
template <class Body>
auto in_turn(Body body) {
  const turn held;
  const call_site here = python_line();
  const without_gil unlocked;
  return body(here);
}

/// As `in_turn`, but with the GIL and without a line where `is_brief()`, asked in the turn, is true: for operations
/// that take no longer than that.
template <class IsBrief, class Body>
auto in_brief_turn(IsBrief is_brief, Body body) {
  const turn held;
  if (is_brief()) {
    forget_line();
    return body(call_site{});
  }
  const call_site here = python_line();
  const without_gil unlocked;
  return body(here);
}

}  // namespace tessera::python
