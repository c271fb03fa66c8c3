# cmake -DOUTPUT=x.cpp -DNAMESPACE=a::b -DFUNCTION=f -DINPUTS=file;file -P embed_text.cmake
# Writes a source file that defines `std::string_view NAMESPACE::FUNCTION(std::string_view name)`: the text of the input
# file of that name (without folders), or nothing. `#pragma once` is left out, since the text is not included but
# compiled. Raw strings are cut into pieces that every compiler takes.
set(cases "")
set(number 0)
foreach(input IN LISTS INPUTS)
  file(READ "${input}" text)
  string(REPLACE "#pragma once\n" "" text "${text}")
  get_filename_component(name ${input} NAME)
  string(LENGTH "${text}" length)
  set(position 0)
  set(pieces "")
  while(position LESS length)
    string(SUBSTRING "${text}" ${position} 8000 piece)
    string(APPEND pieces "    R\"tessera(${piece})tessera\"\n")
    math(EXPR position "${position} + 8000")
  endwhile()
  string(APPEND cases "constexpr std::string_view text_${number} =\n${pieces}    ;\n")
  string(APPEND choices "  if (name == \"${name}\") return text_${number};\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "// Made by embed_text.cmake.
#include <string_view>

namespace ${NAMESPACE} {

std::string_view ${FUNCTION}(std::string_view name);

namespace {

${cases}
}  // namespace

std::string_view ${FUNCTION}(std::string_view name) {
${choices}  return {};
}

}  // namespace ${NAMESPACE}
")
