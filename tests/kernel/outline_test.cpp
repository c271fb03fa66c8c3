#include "tessera/kernel/source/outline.h"

#include <doctest/doctest.h>

#include <string>

using namespace tessera::kernels;

namespace {

/// The code of `text`, all of it, with its macros replaced.
std::string expanded(const std::string& text) {
  const token_list list = tokenise(text, "");
  const outline source = make_outline(select_active(list, {}));
  std::string result;
  for (const token& t : expand_macros(source, {0, source.code.size()}))
    result += (result.empty() ? "" : " ") + std::string(t.text);
  return result;
}

}  // namespace

TEST_CASE("a macro is not replaced within itself, as the preprocessor has it") {
  CHECK(expanded("#define T a T T\nT;") == "a T T ;");
  CHECK(expanded("#define A B A\n#define B A B\nA B") == "A B A B A B");
  CHECK(expanded("#define A B\n#define B 1\nA A B") == "1 1 1");
  CHECK(expanded("#define F(x) F(x)\nF(2)") == "F F ( x ) ( 2 )");
}

TEST_CASE("macros that double are given up before they fill the memory") {
  std::string text = "#define M0 x x\n";
  for (int i = 1; i < 64; ++i)
    text += "#define M" + std::to_string(i) + " M" + std::to_string(i - 1) + " M" + std::to_string(i - 1) + "\n";
  text += "M63";  // tokens point into it
  const token_list list = tokenise(text, "");
  const outline source = make_outline(select_active(list, {}));
  CHECK(expand_macros(source, {0, source.code.size()}).size() < 200'000);
}
