#include "tessera/nd/emit/text/gpu_piece_text.h"

#include <algorithm>

#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/nd/emit/reduction_evaluator.h"
#include "tessera/nd/number.h"

namespace tessera::nd {
namespace {

constexpr std::int64_t most_held_bytes = 16;  // per element: 128 registers of a thread that has 32
constexpr std::size_t most_repeated_steps = 32;

std::string unrolled(int count) { return cat("      #pragma unroll\n      for (int k = 0; k < ", count, "; ++k) {\n"); }

const char* memory_of(bool second) { return second ? "shared_squares" : "shared_lanes"; }

}  // namespace

bool fits_registers(const group& made, const std::set<int>& accesses, std::int64_t more_bytes) {
  std::int64_t bytes = more_bytes;
  for (const int access : accesses) bytes += size_of(made.arrays[index(made.accesses[index(access)].array)].type);
  return bytes <= most_held_bytes && made.body.steps().size() <= most_repeated_steps;
}

std::string warp_functions() {
  return "template <int Bytes>\nstruct nd_words {\n  unsigned each[Bytes / 4];\n};\n"
         "template <>\nstruct nd_words<2> {\n  unsigned short each[1];\n};\n"
         "template <>\nstruct nd_words<1> {\n  unsigned char each[1];\n};\n"
         "template <class T>\nND_FUNCTION T nd_down(const T& value, int distance) {\n"
         "  nd_words<(int)sizeof(T)> words = __builtin_bit_cast(nd_words<(int)sizeof(T)>, value);\n"
         "  for (auto& each : words.each) each = __shfl_down_sync(0xffffffffU, (unsigned)each, distance);\n"
         "  return __builtin_bit_cast(T, words);\n}\n"
         "template <class T>\nND_FUNCTION T nd_first(const T& value) {\n"
         "  nd_words<(int)sizeof(T)> words = __builtin_bit_cast(nd_words<(int)sizeof(T)>, value);\n"
         "  for (auto& each : words.each) each = __shfl_sync(0xffffffffU, (unsigned)each, 0);\n"
         "  return __builtin_bit_cast(T, words);\n}\n";
}

std::string gpu_share::threads() const {
  return cat("  const int lane = threadIdx.x", width == 32 ? " % 32" : "", ", thread = threadIdx.x % 32;\n");
}

gpu_share gpu_share::of(std::int64_t count, bool holds) {
  gpu_share made;
  if (count <= 32 * together) made.width = 32;
  const std::int64_t piece = std::min(count, reduction_order::piece);
  if (holds && made.width == 128 && piece % 128 == 0) made.held = static_cast<int>(piece / 128);
  return made;
}

std::string gpu_share::is_full() const { return cat("n == ", width * held); }

std::string gpu_share::full_loop(const std::string& body) const {
  return cat(unrolled(held), "          const long long e = begin + ", width, " * k + lane;\n", body, "      }\n");
}

std::string gpu_share::loop(const std::string& loads, const std::string& body) const {
  const auto part = [&](const std::string& text) {
    return cat(unrolled(together), "        if (from + ", width,
               " * k + lane < n) {\n          const long long e = begin + from + ", width, " * k + lane;\n", text,
               "        }\n      }\n");
  };
  return cat("      for (int from = 0; from < n; from += ", width * together, ") {\n", loads.empty() ? "" : part(loads),
             part(body), "      }\n");
}

std::string gpu_share::rows(const std::string& indices) const {
  const bool is_warp = width == 32;
  return cat("  for (long long y = (long long)blockIdx.y * s.ty", is_warp ? " + threadIdx.x / 32" : "",
             "; y < ((long long)blockIdx.y + 1) * s.ty && y < ny; y += ", is_warp ? "blockDim.x / 32" : "1", ") {\n",
             indices);
}

std::string gpu_piece_text::gpu_memory(const std::string& indent, bool turns) const {
  if (share_.width == 32) return "";
  const std::string size = turns ? "[2][128]" : "[128]";
  return cat(declared(memory_of(false), functions().lanes, size, indent, "__shared__ "),
             declared(memory_of(true), functions().squares, size, indent, "__shared__ "));
}

std::string gpu_piece_text::gpu_lanes(bool second, const std::string& indent) const {
  return second ? declared("squares", functions().squares, "[4]", indent)
                : declared("lanes", functions().lanes, "[4]", indent);
}

std::string gpu_piece_text::body(bool second, const std::string& is_first, const std::string& more) const {
  const std::string deep = "          ";
  return cat(indices(0, "e", deep), element(deep, place_of_element::held),
             second || more.empty() ? "" : cat(deep, more, "\n"),
             take(deep, second, is_first, share_.width == 32 ? "[k % 4]" : "[0]"));
}

std::string gpu_piece_text::gpu_pass(bool second, const std::string& more) const {
  const std::string deep = "          ";
  const std::set<int> accesses = moving(0);
  const std::string loaded = accesses.empty() ? "" : cat(indices(0, "e", deep), loads(accesses, deep));
  return cat("      {\n", held(accesses, gpu_share::together, "      "),
             share_.loop(loaded, body(second, cat("from == 0 && k < ", 128 / share_.width), more)), "      }\n");
}

std::string gpu_piece_text::gpu_full_pass(bool second, const std::string& more) const {
  return share_.full_loop(body(second, "k == 0", more));
}

std::string gpu_piece_text::gpu_fold(bool second, bool all, bool turns) const {
  const type_list& of = second ? functions().squares : functions().lanes;
  const char* const name = second ? "squares" : "lanes";
  const bool is_warp = share_.width == 32;
  std::string puts, gets, nexts, firsts;
  for (std::size_t k = 0; k < of.size(); ++k) {
    const std::string memory = cat(memory_of(second), k, turns ? "[turn]" : "");
    puts += cat(" ", memory, "[lane] = ", name, k, "[0];");
    gets += cat(" ", name, k, "[k] = ", memory, "[thread + 32 * k];");
    nexts += cat("        const auto next", k, " = nd_down(", name, k, "[0], half);\n");
    firsts += cat("      ", name, k, "[0] = nd_first(", name, k, "[0]);\n");
  }
  const auto joins = [&](const char* to, const std::string& from) {
    const std::string own = names(name, of, to);
    return cat(call(second ? "nd_add" : "nd_combine"), own, ", ", from, ", ", own, ");\n");
  };
  std::string text;
  if (!is_warp)
    text = cat("      if (lane < n) {", puts, " }\n      __syncthreads();\n", all ? "" : "      if (lane < 32) {\n",
               "      #pragma unroll\n      for (int k = 0; k < 4; ++k)\n        if (thread + 32 * k < n) {", gets,
               " }\n");
  return cat(text, "      if (thread + 64 < n) ", joins("[0]", names(name, of, "[2]")), "      if (thread + 96 < n) ",
             joins("[1]", names(name, of, "[3]")), "      if (thread + 32 < n) ", joins("[0]", names(name, of, "[1]")),
             "      #pragma unroll\n      for (int half = 16; half > 0; half /= 2) {\n", nexts,
             "        if (thread < half && thread + half < n) ", joins("[0]", names("next", of)), "      }\n",
             all       ? firsts
             : is_warp ? ""
                       : "      }\n");
}

}  // namespace tessera::nd
