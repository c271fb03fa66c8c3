#pragma once

#include <set>
#include <string>
#include <string_view>

namespace tessera::algo {

using word_set = std::set<std::string, std::less<>>;

/// The identifiers of a piece of C++ text.
struct block_words {
  word_set used;             ///< All but words of the language and those of the next line.
  word_set used_of_library;  ///< What is named as a part of this library: `plus` in `ts::plus`.
  word_set declared;         ///< Those outside of all braces and parentheses, without parameters of templates: names
                             ///< that the text gives, and some more.
  word_set types;            ///< Names of structs, classes, unions and enumerations that it defines.
};
[[nodiscard]] block_words words_of_block(std::string_view text);

}  // namespace tessera::algo
