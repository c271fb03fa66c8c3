#include "tessera/algo/container/element_copy.h"

#include <numeric>
#include <string>

#include "tessera/array/context.h"
#include "tessera/base/text.h"
#include "tessera/runtime/array_record.h"

namespace tessera::algo {
namespace {

/// Elements as words of the size of their alignment: a copy moves whole words.
std::string element_text(const dtype& type) {
  const std::uint32_t word = std::gcd(std::gcd(type.size, type.alignment), 8U);
  const char* names[] = {"", "unsigned char", "unsigned short", "", "unsigned int", "", "", "", "unsigned long long"};
  return cat("struct element { ", names[word], " words[", type.size / word, "]; };\n");
}

/// "x / s0, x / s1 % n1, x % n2" of an array of three axes: element x, counted row by row.
std::string index_text(int rank) {
  if (rank == 1) return "x";
  std::string text;
  for (int k = 0; k < rank; ++k) {
    if (k > 0) text += ", ";
    text += k + 1 < rank ? cat("x / s", k) : std::string("x");
    if (k > 0) text += cat(" % n", k);
  }
  return text;
}

/// The kernel for boxes of `rank` axes: thread x copies element x of the box. n: extents, s: elements of the box per
/// index, a and b: elements of either array per index.
std::string kernel_text(const dtype& type, int rank) {
  std::string parameters = "element* to, const element* from, long long n", to, from;
  for (int k = 0; k + 1 < rank; ++k) {
    parameters += cat(", long long s", k, ", long long n", k + 1, ", long long a", k, ", long long b", k);
    const std::string index = k == 0 ? cat("x / s", k) : cat("x / s", k, " % n", k);
    to += cat("(", index, ") * a", k, " + ");
    from += cat("(", index, ") * b", k, " + ");
  }
  const std::string last = rank == 1 ? "x" : cat("x % n", rank - 1);
  return cat(element_text(type), "//@tessera global x < n => read from[", index_text(rank), "], write to[",
             index_text(rank), "]\n__global__ void copy_elements(", parameters,
             ") {\n  const long long x = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n  if (x < n) to[", to, last,
             "] = from[", from, last, "];\n}\n");
}

}  // namespace

void copy_elements(const array_base& to, const array_base& from, call_site here) {
  const std::int64_t count = to.size();
  if (count == 0) return;
  const int rank = to.rank();
  const kernel copy = context::of(to).compile(kernel_text(to.type(), rank), "copy_elements");
  std::vector<argument> arguments{argument::from(to), argument::from(from), argument::from(count)};
  const extents inner = dense_strides(to.shape(), 1), of_to = dense_strides(to.record()->plan_shape, 1),
                of_from = dense_strides(from.record()->plan_shape, 1);
  for (int k = 0; k + 1 < rank; ++k)
    for (const std::int64_t number : {inner[k], to.shape()[k + 1], of_to[k], of_from[k]})
      arguments.push_back(argument::from(number));
  copy.launch_with({.threads = {count}, .name = "copy of elements", .file = here.file, .line = here.line}, arguments);
}

}  // namespace tessera::algo
