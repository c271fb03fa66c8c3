#pragma once

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tessera::support {

/// Makes the body of a kernel at random: statements, loops and conditions around barriers, variables that are the same
/// for all threads and others, names that hide others, threads that end early. Between two barriers threads either
/// write their own elements of `s` and `c` or read those of others, so that every order of threads gives one result.
/// The body uses `n`, `in[64]`, `t` (the thread), `T` (how many there are) and leaves its result in `hash`. Warps meet
/// where all their threads do that have not ended.
class random_block_kernel {
 public:
  explicit random_block_kernel(unsigned seed) : random_(seed) {}

  std::string body() {
    out_ = "  __shared__ unsigned s[64], c[64];\n  unsigned hash = 1;\n  ";
    out_ += "  for (unsigned k = t; k < 64u; k += T) s[k] = k * 7u, c[k] = k;\n  __syncthreads();\n";
    out_ += "  const int column = threadIdx.x;\n";
    warps_ = chance(60);
    names_ = {"hash"};
    shared_names_ = {};
    around_barriers(2 + below(3));
    for (const std::string& name : names_) out_ += "  hash = hash * 31u + " + name + ";\n";
    if (warps_ && chance(60)) sum_for_some();
    return out_;
  }

  /// A whole kernel `k(int n, int m, const int* in, int* out)` without barriers, whose threads find their elements of
  /// `out[n]` by an index of any type: guarded, or in a loop with the grid's size as its stride. `in` has 64 elements.
  std::string loop_kernel() {
    shares_ = false, free_block_ = chance(85);
    index_type_ = pick({"int", "unsigned", "size_t", "int64_t", "long long", "unsigned long long", "auto", "int"});
    out_ = "__global__ void k(int n, int m, const int* in, int* out) {\n";
    const unsigned form = below(6);
    const bool accumulates = chance(15);
    if (accumulates) line("unsigned total = 3u;");
    if (form >= 2 && chance(30)) line("const unsigned once = (unsigned)n * " + number() + ";");
    if (form == 0) guarded("if (i < n) {", "}");
    if (form == 1) guarded("if (i >= n) return;\n  {", "}");
    if (form == 2 || form == 3) strided_for();
    if (form == 4) strided_while();
    if (form == 5) strided_through_names();
    if (accumulates) line("if (total % 7u == 1u) out[0] = out[0];");
    return out_ + "}\n";
  }

  /// The functions that bodies call.
  static std::string functions() {
    return R"(
__device__ unsigned warp_mix(unsigned x, unsigned by) {
  unsigned a = __shfl_xor_sync(0xffffffffu, x, by % 32u);
  for (unsigned o = 16; o > 0; o /= 2) a += __shfl_down_sync(0xffffffffu, a, o);
  return a * 3u + x;
}
__device__ unsigned block_mix(unsigned* shared, unsigned x) {
  __shared__ unsigned part[64];
  const unsigned a = threadIdx.x + blockDim.x * threadIdx.y, b = blockDim.x * blockDim.y;
  __syncthreads();
  shared[a] = x;
  part[a] = x * 5u;
  __syncthreads();
  unsigned sum = shared[(a + 1u) % b] ^ warp_mix(shared[b - 1u - a] + part[a], 3u);
  if (a / 32u == 1u) sum = warp_mix(sum, 2u);
  __syncthreads();
  return sum;
}
template <class A> __device__ A typed_mix(A x, A& y) { y ^= __shfl_up_sync(0xffffffffu, x, 1u); return x + y; }
)";
  }

  /// A body without barriers and shared memory.
  std::string plain_body() {
    out_ = "  unsigned hash = 1;\n  const int column = threadIdx.x;\n";
    names_ = {"hash"};
    shares_ = false;
    statements(4 + below(8), 0);
    for (const std::string& name : names_) out_ += "  hash = hash * 31u + " + name + ";\n";
    return out_;
  }

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  bool chance(unsigned percent) { return below(100) < percent; }
  std::string pick(const std::vector<std::string>& from) { return from[below(static_cast<unsigned>(from.size()))]; }
  std::string number() { return std::to_string(1 + below(9)) + "u"; }

  std::string index_sum() {
    const std::string cast = index_type_ == "auto" || index_type_ == "int" ? "(size_t)" : "(" + index_type_ + ")";
    const std::string wide = index_type_.size() < 9 || chance(50) ? cast : "(int64_t)";
    return pick({"blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x + blockDim.x * blockIdx.x",
                 wide + "blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x + blockIdx.x * " + wide + "blockDim.x"});
  }
  std::string stride() {
    return pick({"blockDim.x * gridDim.x", "gridDim.x * blockDim.x", "(size_t)blockDim.x * gridDim.x",
                 "(int)(blockDim.x * gridDim.x)"});
  }

  /// What a thread does with element `i`.
  void element() {
    line("const unsigned t = (unsigned)i;\n  unsigned hash = t;");
    names_ = {"hash"};
    if (out_.find("total") != std::string::npos) line("total += t;");
    inside([&] {
      statements(1 + below(5), 1);
      while (!in_strided_loop_ && chance(60)) strip_loop();
      for (const std::string& name : names_) line("hash = hash * 31u + " + name + ";");
    });
    line("out[i] = out[i] * 3 + (int)hash;");
  }
  /// A loop that strides through memory, whose turns neighbouring threads may take together.
  void strip_loop() {
    const std::string counter = "r" + std::to_string(count_++);
    line("for (int " + counter + " = 0; " + counter + " < " + pick({"m", "m * 2", "5", "m + 1"}) + "; ++" + counter +
         ") {");
    inside([&] {
      if (chance(60)) line("const unsigned at_" + counter + " = " + counter + " * 2 + i;");
      statements(below(3), 2);
      if (chance(30)) line("if (m % 3 == " + std::to_string(below(3)) + ") " + pick({"break", "continue"}) + ";");
      line(pick(names_) + pick({" += ", " ^= "}) + "(unsigned)in[" + counter + " * 3 + i];");
    });
    line("}");
    if (chance(30)) statements(1, 1);
  }
  void guarded(const std::string& before, const std::string& after) {
    line(index_type_ + " i = " + index_sum() + ";\n  " + before);
    element();
    line(after);
  }
  void strided_for() {
    const bool sums = chance(50);
    line("for (" + index_type_ + " i = " + index_sum() + "; i < n; " + (sums ? "i = i + " : "i += ") + stride() +
         ") {");
    in_strided_loop_ = true;
    element();
    line("}");
  }
  void strided_while() {
    line(index_type_ + " i = " + index_sum() + ";\n  while (i < n) {");
    element();
    line("i += " + stride() + ";\n  }");
  }
  void strided_through_names() {
    line("const int step = " + stride() + ";\n  const " + index_type_ + " first = " + index_sum() + ";");
    line("for (" + index_type_ + " i = first; i < (n " + pick({"+ 0", "- 1", "/ 2"}) + "); i += step) {");
    in_strided_loop_ = true;
    element();
    line("}");
  }

  /// An expression with one value for all threads.
  std::string shared_expression(int depth = 0) {
    if (depth > 1 || chance(40)) {
      if (!shared_names_.empty() && chance(60)) return pick(shared_names_);
      if (!index_type_.empty() && free_block_) return chance(50) ? number() : pick({"(unsigned)n", "(unsigned)m"});
      return chance(50) ? number() : pick({"(unsigned)n", "blockIdx.x", "blockDim.x", "gridDim.x"});
    }
    return "(" + shared_expression(depth + 1) + pick({" + ", " * ", " ^ "}) + shared_expression(depth + 1) + ")";
  }

  /// Of `s`, for all threads or for some.
  std::string element_of_another() {
    const std::string by = std::to_string(1 + below(9)), sign = chance(50) ? "u" : "";
    if (chance(30)) {
      const std::string other = pick({"column ^ " + by, by + " ^ threadIdx.x", "column ^ " + shared_expression(2)});
      return "((" + other + ") < 64u ? " + pick({"c", "s"}) + "[" + other + "] : 5u)";
    }
    if (chance(50)) return "s[(t + " + by + "u) % T]";
    if (chance(50)) return "(t >= " + by + sign + " ? s[t - " + by + sign + "] : " + number() + ")";
    return "(t + " + by + sign + " < T ? s[" + by + sign + " + t] : " + number() + ")";
  }

  std::string expression(int depth = 0) {
    if (depth > 2 || chance(30)) {
      const unsigned kind = below(6);
      if (kind == 0) return number();
      if (kind == 1) return "(unsigned)t";
      if (kind == 2) return shared_expression(2);
      if (kind == 3) return "(unsigned)in[" + pick(names_) + " % 64u]";
      if (kind == 4 && shares_ && reads_) return element_of_another();
      if (kind == 4 && shares_) return chance(50) ? "s[t]" : "(threadIdx.y == 0 ? c[column ^ " + across_ + "] : 3u)";
      return pick(names_);
    }
    const std::string left = expression(depth + 1), right = expression(depth + 1);
    if (chance(15)) return "(" + left + " % 3u ? " + right + " : " + number() + ")";
    return "(" + left + pick({" + ", " - ", " * ", " ^ ", " & ", " | "}) + right + ")";
  }

  std::string new_name() {
    // Now and then one that is there already, which it hides; never what a loop around barriers counts with.
    const std::string hidden = !outer_.empty() && chance(20) ? pick(outer_) : "hash";
    std::erase(outer_, hidden);
    return hidden != "hash" ? hidden : "v" + std::to_string(count_++);
  }

  /// Statements of one thread, without a barrier.
  void statements(unsigned count, int depth) {
    for (unsigned k = 0; k < count; ++k) statement(depth);
  }

  void statement(int depth) {
    const unsigned kind = below(depth > 2 ? 5 : 9);
    if (kind == 0) return declare();
    if (kind == 1 && shares_ && !reads_ && chance(50)) return line("s[t] = " + expression() + ";");
    if (kind == 1 && shares_ && !reads_) return write_across();
    if (kind <= 3) return line(pick(names_) + pick({" = ", " += ", " ^= ", " -= "}) + expression() + ";");
    if (kind == 4) return line(pick(names_) + "++;");
    if (kind == 5 && chance(30)) {
      const std::string ending = in_strided_loop_ ? pick({"return", "continue", "break"}) : "return";
      return line("if (" + expression() + " % 5u == 0) " + ending + ";");
    }
    if (kind == 5 && index_type_.empty() && chance(60)) return bounded(depth);
    if (kind <= 6) {
      line("if (" + expression() + " % 2u) {");
      inside([&] { statements(1 + below(3), depth + 1); });
      if (chance(50)) {
        line("} else {");
        inside([&] { statements(1 + below(2), depth + 1); });
      }
      return line("}");
    }
    const std::string counter = "c" + std::to_string(count_++);
    const std::string limit = index_type_.empty() ? number() : pick({number(), "(unsigned)m", "t % 5u", "m * 2u"});
    line("for (unsigned " + counter + " = 0; " + counter + " < " + limit + "; ++" + counter + ") {");
    inside([&] {
      statements(1 + below(2), depth + 1);
      if (chance(40)) line("if (" + expression() + " % 4u == 0) " + pick({"break", "continue"}) + ";");
      line(pick(names_) + " += " + counter + ";");
    });
    line("}");
  }

  /// Each thread of the first row has an element of `c` that no other one writes before the next barrier.
  void write_across() {
    line("if (" + pick({"t < blockDim.x", "threadIdx.y == 0"}) + pick({"", " && t % 3u == 1u", " && hash % 2u"}) +
         ") {");
    inside([&] {
      if (chance(30)) statements(1, 3);
      line("c[column ^ " + across_ + "]" + (chance(80) ? " = " : " += ") + expression() + ";");
    });
    line("}");
  }

  /// A condition on the thread's index.
  void bounded(int depth) {
    line("if (" + pick({"threadIdx.x", "threadIdx.y", "column"}) + pick({" < ", " >= ", " <= ", " > ", " == "}) +
         shared_expression() + " % 9u" + (chance(30) ? " && " + expression() + " % 2u" : "") + ") {");
    inside([&] { statements(1 + below(3), depth + 1); });
    if (chance(30)) {
      line("} else {");
      inside([&] { statements(1 + below(2), depth + 1); });
    }
    line("}");
  }

  /// A call at which the threads of a warp meet.
  std::string meeting(int depth = 0) {
    const std::string value = depth == 0 && chance(20) ? meeting(1) : chance(40) ? pick(names_) : expression(1);
    const std::string lane = chance(60) ? shared_expression() + " % 40u" : "(" + expression(1) + ") % 33u";
    const std::string width = chance(30) ? ", " + pick({"2", "4", "8", "16", "32"}) : "";
    const unsigned kind = below(16);
    if (kind < 4)
      return pick({"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"}) + "(0xffffffffu, " + value +
             ", " + lane + width + ")";
    if (kind < 7) return pick({"__shfl_xor_sync", "__shfl_down_sync"}) + "(~0u, " + value + ", " + number() + ")";
    if (kind == 7) return "__ballot_sync(0xffffffffu, " + value + " % 3u == 0)";
    if (kind == 8) return "(unsigned)" + pick({"__any_sync", "__all_sync"}) + "(0xffffffffu, " + value + " % 9u != 0)";
    if (kind == 9) return "(unsigned)" + pick({"__syncthreads_count", "__syncthreads_or"}) + "(" + value + " % 4u)";
    if (kind == 10)
      return pick({"__reduce_add_sync", "__reduce_max_sync", "__reduce_xor_sync"}) + "(~0u, " + value + ")";
    if (kind == 11) return chance(50) ? "__activemask()" : "__match_any_sync(~0u, " + value + " % 4u)";
    if (kind < 14) return "warp_mix(" + value + ", " + lane + ")";
    return "block_mix(s, " + value + ")";
  }

  /// A sum over a warp that few threads read.
  void sum_for_some() {
    line("unsigned sum = " + expression() + ";");
    if (chance(30)) line("__syncthreads();");
    line("for (" + pick({"unsigned o = 16; o > 0; o /= 2", "int o = 8; o > 0; o >>= 1"}) +
         ") sum += __shfl_down_sync(~0u, sum, o);");
    if (chance(30)) line("sum = sum * 3u + " + expression() + ";");
    if (chance(20)) line("sum ^= " + meeting() + ";");
    line("__syncthreads();");
    line("if (" + pick({"threadIdx.x == 0", "threadIdx.x % 32 == 0", "threadIdx.x < 5"}) + ") { hash ^= sum; }");
  }

  /// Statements around such calls.
  void meet() {
    const unsigned kind = below(9);
    if (kind == 7) {
      const std::string name = "w" + std::to_string(count_++), type = pick({"int", "unsigned", "const unsigned"});
      line(type + " " + name + "_i = blockIdx.x * blockDim.x + threadIdx.x, " + name + " = " +
           pick({name + "_i / 32", "(blockIdx.x * blockDim.x + threadIdx.x) / 32", name + "_i >> 5"}) + ";");
      return line("hash ^= " + name + " * 3u + " + meeting() + ";");
    }
    if (kind == 8) {
      const std::string name = "l" + std::to_string(count_++), limit = shared_expression() + " % 90u";
      line("const unsigned " + name + " = " + pick({"threadIdx.x % 32", "threadIdx.x & 31"}) + ";");
      line("for (unsigned j = " + name + "; j < " + limit + "; j += 32) hash += (unsigned)in[j % 64u] ^ j;");
      return line("hash += " + meeting() + ";");
    }
    if (kind == 0) return line("hash += " + meeting() + " * 3u + " + meeting() + ";");
    if (kind == 1) {
      const std::string name = "v" + std::to_string(count_++);
      line("unsigned " + name + " = " + expression() + ", " + name + "_w = " + meeting() + " ^ " + expression() + ";");
      names_.push_back(name + "_w");
      return;
    }
    if (kind == 2) {
      const std::string name = pick(names_);
      return line("for (unsigned o = 16; o > 0; o /= 2) " + name + " += __shfl_down_sync(~0u, " + name + ", o);");
    }
    if (kind == 3) {
      line("if (t / 32 == " + std::to_string(below(2)) + ") {");
      inside([&] {
        statements(1, 2);
        line(pick(names_) + " ^= warp_mix(" + expression() + ", " + number() + ");");
      });
      return line("}");
    }
    if (kind == 4) return line("if (__any_sync(~0u, " + expression() + " % 7u == 1)) hash += " + expression() + ";");
    if (kind == 5) return line("typed_mix(" + pick(names_) + ", hash);");
    line(pick(names_) + pick({" = ", " += ", " ^= "}) + meeting() + ";");
  }

  void declare() {
    const std::string name = new_name();
    const bool hides = name != "v" + std::to_string(count_ - 1);
    const unsigned kind = hides ? 4 * below(2) : below(5);  // the other kinds declare a second name
    std::erase(names_, name);                               // what it begins as cannot mention it
    if (kind == 0) {
      line("const unsigned " + name + " = t * " + number() + " + " + shared_expression() + ";");
      return line("hash += " + name + ";");
    }
    if (kind == 1) {
      line("unsigned " + name + "_a[3] = {" + expression() + ", 2u, " + number() + "};");
      line("unsigned " + name + " = " + name + "_a[" + expression() + " % 3u];");
    } else if (kind == 2) {
      line("unsigned " + name + " = " + expression() + ", " + name + "_b = " + shared_expression() + ";");
      names_.push_back(name + "_b");
    } else if (kind == 3) {
      line("const int* " + name + "_p = in + " + expression() + " % 32u;");
      line("unsigned " + name + " = (unsigned)*" + name + "_p;");
    } else {
      line("unsigned " + name + " = " + expression() + ";");
    }
    names_.push_back(name);
  }

  void barrier() {
    line("__syncthreads();");
    reads_ = chance(50);
    across_ = std::to_string(below(10)) + (chance(50) ? "u" : "");
  }

  /// Statements, barriers, and loops and conditions around barriers.
  void around_barriers(unsigned rounds, int depth = 0) {
    for (unsigned k = 0; k < rounds; ++k) {
      statements(1 + below(4), 0);
      if (chance(40)) share();
      while (warps_ && chance(40)) meet();
      barrier();
      if (chance(30)) {
        reads_ = false;
        write_across();
        barrier();
      }
      if (depth < 2 && chance(50)) control(depth);
    }
    barrier();
  }

  /// A variable that is the same for all threads, or a change of one.
  void share() {
    if (changeable_.empty() || chance(60)) {
      const std::string name = "u" + std::to_string(count_++);
      line("unsigned " + name + " = " + shared_expression() + ";");
      shared_names_.push_back(name);
      changeable_.push_back(name);
    } else {
      line(pick(changeable_) + pick({" = ", " += "}) + shared_expression() + ";");
    }
  }

  void control(int depth) {
    const std::string counter = "k" + std::to_string(count_++);
    const unsigned kind = below(4);
    if (kind == 3) {
      line("unsigned " + counter + " = threadIdx.x;");
      line("hash += " + counter + ";\n  for (" + counter + " = 0; " + counter + " < 3; ++" + counter + ") {");
    }
    if (kind == 0) line("if (" + shared_expression() + " % 2u) {");
    if (kind == 1) line("for (unsigned " + counter + " = 0; " + counter + " < 3; ++" + counter + ") {");
    if (kind == 2) line("unsigned " + counter + " = 4;\n  while (" + counter + " != 0) {");
    inside([&] {
      if (kind > 0) shared_names_.push_back(counter);
      around_barriers(1 + below(2), depth + 1);
      if (kind == 1 && chance(40)) line("if (" + shared_expression() + " % 5u == 0) break;");
      if (kind == 2) line(counter + " /= 2;");
    });
    if (kind == 0 && chance(50)) {
      line("} else {");
      inside([&] { around_barriers(1, depth + 1); });
    }
    line("}");
    barrier();
  }

  template <class Fill>
  void inside(Fill fill) {
    const auto names = names_, shared_names = shared_names_, changeable = changeable_;
    const auto outer = std::exchange(outer_, names_);
    fill();
    names_ = names, shared_names_ = shared_names, changeable_ = changeable, outer_ = outer;
  }

  void line(const std::string& text) { out_ += "  " + text + "\n"; }

  std::mt19937 random_;
  std::string out_;
  std::vector<std::string> names_, shared_names_, changeable_;
  std::vector<std::string> outer_;  // of the blocks around this one: may be hidden
  unsigned count_ = 0;
  std::string index_type_;  // of kernels with loops; empty for others
  bool free_block_ = true;  // which do not mention their block
  bool in_strided_loop_ = false;
  bool shares_ = true;
  bool warps_ = false;
  bool reads_ = true;          // elements of other threads, since the last barrier
  std::string across_ = "1u";  // how far the elements of `c` are away that threads write
};

}  // namespace tessera::support
