#pragma once

#include <complex>
#include <optional>
#include <sstream>
#include <string>

#include "tests/fuzz/frame/subject.h"
#include "tests/nd/fuzz/program/program.h"

namespace tessera::fuzz {

/// A part of an array as Python writes it: "v2[1:, ::-1].T".
[[nodiscard]] std::string text_of(const part& p);
/// The statement in Python.
[[nodiscard]] std::string text_of(const step& s);
/// The program in Python on top of NumPy, with its setting and what was wrong as comments. Functions that NumPy has not
/// are named as in tessera/nd.
[[nodiscard]] std::string as_python(const program& p, const std::optional<failure>& wrong);

/// An element.
template <class T>
std::string text_of(const T& element) {
  std::ostringstream text;
  text.precision(17);
  if constexpr (sizeof(T) == 1)
    text << static_cast<int>(element);
  else
    text << element;
  return text.str();
}

}  // namespace tessera::fuzz
