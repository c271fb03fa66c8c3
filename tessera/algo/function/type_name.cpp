#include "tessera/algo/function/type_name.h"

#include <array>

#include "tessera/kernel/scalar/opcode.h"

namespace tessera::algo {
namespace {

void remove_all(std::string& text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part)) text.erase(at, part.size());
}

std::string without_unnamed(std::string text) {
  for (const std::string_view unnamed : {"{anonymous}::", "(anonymous namespace)::", "<unnamed>::"})
    remove_all(text, unnamed);
  return text;
}

}  // namespace

std::string name_in_signature(std::string_view signature) {
  const std::size_t begin = signature.find("X = ") + 4;
  std::size_t end = begin;
  for (int depth = 0; end < signature.size(); ++end) {  // up to `]`, or `;` where the compiler lists more
    const char c = signature[end];
    if (depth == 0 && (c == ']' || c == ';')) break;
    depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
  }
  std::string name = without_unnamed(std::string(signature.substr(begin, end - begin)));
  if (!name.empty() && name[0] == '&') name.erase(0, 1);
  // GCC names functions with their types: "float(*)(float)user::f" does not occur, "user::f" and "user::f<float>" do.
  return name;
}

std::string scope_in_signature(std::string_view signature) {
  const std::string text = without_unnamed(std::string(signature));
  // "int user::f(int)::<lambda()>", "auto user::(anonymous class)::operator()() const": what stands before the first
  // parenthesis or angle bracket, from the last blank on.
  const std::size_t end = std::min(text.find('('), text.find('<'));
  const std::string before = text.substr(0, end);
  const std::size_t blank = before.rfind(' ');
  std::string scope = blank == std::string::npos ? before : before.substr(blank + 1);
  while (scope.size() >= 2 && scope.compare(scope.size() - 2, 2, "::") == 0) scope.erase(scope.size() - 2);
  return scope;
}

// Complex numbers are CUDA's pairs in functions that programs write.
std::string scalar_name(const dtype& type) {
  if (!type.is_complex()) return kernels::spelling(type.kind);
  return type.kind == scalar_kind::complex64 ? "float2" : "double2";
}

}  // namespace tessera::algo
