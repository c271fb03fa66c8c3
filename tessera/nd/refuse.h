#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tessera/base/call_site.h"
#include "tessera/base/text.h"
#include "tessera/nd/error.h"

/// How functions of arrays refuse what they are given: messages begin with the line of the program that made the call.
namespace tessera::nd {

/// "file:line: "; nothing without a line.
[[nodiscard]] inline std::string place_of(call_site here) {
  return here.line > 0 ? cat(here.file, ":", here.line, ": ") : std::string();
}

/// Throws `argument_error`, or the kind of it that is named. Functions that are not called by programs may leave the
/// line to their callers (`in_call`).
template <class Kind = argument_error, class... Parts>
[[noreturn]] void refuse(call_site here, const Parts&... parts) {
  throw Kind(cat(place_of(here), parts...));
}

/// Throws `linalg_error` if a factorisation says of one of its matrices that it is `fault`: by a number that is not 0.
inline void refuse_matrices(std::span<const std::int32_t> info, const char* fault, call_site here) {
  for (std::size_t k = 0; k < info.size(); ++k)
    if (info[k] != 0)
      throw linalg_error(
          cat(place_of(here), info.size() == 1 ? "the matrix" : cat("matrix ", k, " of the stack"), " is ", fault));
}

/// What `body` returns; an `argument_error` without the line `here` gets it.
template <class Body>
decltype(auto) in_call(call_site here, Body body) {
  const auto with_line = [&]<class Kind>(const Kind& e) {
    if (std::string_view(e.what()).starts_with(place_of(here))) throw;
    refuse<Kind>(here, e.what());
  };
  try {
    return body();
  } catch (const type_error& e) {
    with_line(e), throw;
  } catch (const index_error& e) {
    with_line(e), throw;
  } catch (const range_error& e) {
    with_line(e), throw;
  } catch (const argument_error& e) {
    with_line(e), throw;
  }
}

}  // namespace tessera::nd
