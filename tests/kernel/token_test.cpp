#include "tessera/kernel/source/token.h"

#include <doctest/doctest.h>

#include <random>

using namespace tessera::kernels;

namespace {

std::vector<std::string> texts(std::string_view source) {
  std::vector<std::string> result;
  for (const token& t : tokenise(source, "a.cu").tokens) result.emplace_back(t.text);
  return result;
}

using list = std::vector<std::string>;

}  // namespace

TEST_CASE("operators are as long as C++ allows, and a launch bracket is one token") {
  CHECK(texts("a<<<b>>=c->*d") == list{"a", "<<<", "b", ">>=", "c", "->*", "d"});
  CHECK(texts("v<v<int>>") == list{"v", "<", "v", "<", "int", ">>"});
}

TEST_CASE("numbers keep exponents, suffixes and separators") {
  CHECK(texts("1e-5f+0x1p-3 1'000u .5 0xe+1") == list{"1e-5f", "+", "0x1p-3", "1'000u", ".5", "0xe", "+", "1"});
}

TEST_CASE("what looks like code inside literals and comments is not code") {
  CHECK(texts(R"src("a//b" 'c' R"x(")" )x" u8"d" // e)src") ==
        list{"\"a//b\"", "'c'", "R\"x(\")\" )x\"", "u8\"d\"", "// e"});
  CHECK(texts("/* a // b */ c") == list{"/* a // b */", "c"});
}

TEST_CASE("a directive is one token with its continuations, and a hash elsewhere is not") {
  const token_list l = tokenise("#define A(x) x + \\\n  1\nint a = b # c;", "a.cu");
  CHECK(l.tokens[0].kind == token_kind::directive);
  CHECK(l.tokens[0].text == "#define A(x) x + \\\n  1");
  CHECK(l.tokens[1].text == "int");
  CHECK(l.tokens[1].line == 3);
  CHECK(l.tokens[5].text == "#");
  CHECK(l.tokens[5].kind == token_kind::punctuation);
}

TEST_CASE("positions count lines and columns and obey #line") {
  const token_list l = tokenise("int a;\n  b;\n#line 40 \"h.h\"\nc\nd", "a.cu");
  const auto find = [&](std::string_view text) {
    for (const token& t : l.tokens)
      if (t.text == text) return l.position(t);
    return std::string();
  };
  CHECK(find("b") == "a.cu:2:3");
  CHECK(find("c") == "h.h:40:1");
  CHECK(find("d") == "h.h:41:1");
}

TEST_CASE("any bytes are taken, and the tokens with the gaps between them are the text") {
  std::mt19937 random(7);
  const std::string alphabet = std::string("ab0.\"'\\\n\r\t #/*<>()R+-e_") + '\0' + '\xff';
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (auto i = random() % 40; i > 0; --i) text += alphabet[random() % alphabet.size()];
    std::size_t done = 0;
    for (const token& t : tokenise(text, "").tokens) {
      const auto start = static_cast<std::size_t>(t.text.data() - text.data());
      REQUIRE(start >= done);
      REQUIRE(!t.text.empty());
      for (char c : text.substr(done, start - done))
        REQUIRE(std::string_view(" \t\r\n\\").find(c) != std::string_view::npos);
      done = start + t.text.size();
      REQUIRE(done <= text.size());
    }
  }
}
