#pragma once

#include <string>
#include <string_view>

namespace tessera {

/// Checks of programs that a context makes, at some cost.
struct check_list {
  bool uninitialised = false;  ///< Launches that read what was never written fail instead of running.
  bool unwritten = false;      ///< Launches must write what they declare `write`.
  bool access = false;         ///< Kernels on CPU devices must touch only what they declare (rule A8).
  bool overdeclared = false;   ///< Rules that declare far more than kernels on CPU devices use are logged (rule A8).
  bool guards = false;         ///< Launches must not write just outside of their arrays.
  bool lines = false;          ///< A kernel that crashes on a CPU is named with its own line (rule H31).
  bool ranks = false;          ///< What every rank writes is compared (rule C4).

  [[nodiscard]] static constexpr check_list all() { return {true, true, true, true, true, true, true}; }
  bool operator==(const check_list&) const = default;
};

/// "all" or a list of names separated by commas; empty: none. Throws `argument_error` for a name that is no check.
[[nodiscard]] check_list parse_checks(std::string_view text);
/// As `parse_checks` takes it.
[[nodiscard]] std::string to_string(const check_list& checks);

}  // namespace tessera
