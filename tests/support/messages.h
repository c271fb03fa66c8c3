#pragma once

#include <doctest/doctest.h>

#include <exception>
#include <string>
#include <typeinfo>

namespace tessera::support {

/// The message of the `Error` that `call` must throw, exactly of this type.
template <class Error, class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Error& e) {
    CHECK(typeid(e) == typeid(Error));
    return e.what();
  } catch (const std::exception& e) {
    FAIL("another error: ", e.what());
  }
  FAIL("no error");
  return {};
}

/// True if `text` contains all `parts`; the first missing one is reported.
template <class... Parts>
bool says(const std::string& text, const Parts&... parts) {
  for (const std::string& part : {std::string(parts)...}) {
    if (text.find(part) != std::string::npos) continue;
    MESSAGE("'", part, "' is not in: ", text);
    return false;
  }
  return true;
}

}  // namespace tessera::support
