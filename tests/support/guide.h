#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace tessera::support {

/// Checks that every block of code of `docs/guide/<guide>` stands in `tests/<test>`, and that there are
/// `expected`.
inline void check_guide(const std::string& guide, const std::string& test, int expected) {
  const auto contents = [](const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(TESSERA_SOURCE_FOLDER "/" + path).rdbuf();
    return text.str();
  };
  const std::string text = contents("docs/guide/" + guide), code = contents("tests/" + test);
  const std::string begin = "```cpp\n", end = "```";
  int blocks = 0;
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
    at += begin.size();
    const std::string block = text.substr(at, text.find(end, at) - at);
    CAPTURE(block);
    CHECK(code.find(block) != std::string::npos);
    ++blocks;
  }
  CHECK(blocks == expected);
}

}  // namespace tessera::support
