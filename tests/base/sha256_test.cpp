#include "tessera/base/bytes/sha256.h"

#include <doctest/doctest.h>

using namespace tessera;

TEST_CASE("SHA-256 gives the values of the standard") {
  CHECK(to_string(sha256_of("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(to_string(sha256_of("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(to_string(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")) ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(to_string(sha256_of("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                            "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu")) ==
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  CHECK(to_string(sha256_of(std::string(1'000'000, 'a'))) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("SHA-256 does not depend on how the bytes are cut") {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 7);
  for (const std::size_t length : {0UL, 1UL, 55UL, 56UL, 57UL, 63UL, 64UL, 65UL, 119UL, 120UL, 128UL, 300UL}) {
    const std::string_view whole = std::string_view(text).substr(0, length);
    for (const std::size_t piece : {1UL, 3UL, 63UL, 64UL, 65UL}) {
      sha256 hash;
      for (std::size_t at = 0; at < whole.size(); at += piece) hash.add(whole.substr(at, piece));
      CHECK(hash.finish() == sha256_of(whole));
    }
  }
}

TEST_CASE("fields that join to the same text have different digests") {
  CHECK(sha256().add_field("ab").add_field("c").finish() != sha256().add_field("a").add_field("bc").finish());
  CHECK(sha256().add_field("").finish() != sha256().finish());
}
