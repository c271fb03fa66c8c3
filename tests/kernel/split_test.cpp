#include <doctest/doctest.h>

#include "tests/kernel/split_kernel.h"
#include "tests/support/messages.h"

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::support;

/// Kernels cut at their barriers do what they do on fibers, bit by bit; what cannot be cut is left to fibers.

namespace {

std::string refusal(const std::string& body, const std::string& before = {}) {
  const kernel_text text = parse_kernel(with(body, before), "kernel.cu");
  CHECK(choose_tier(text.features) == tier::fiber);
  return text.features.unsplit;
}

}  // namespace

TEST_CASE("variables of every kind live across barriers") {
  same_as_fibers(with(R"(
  __shared__ int s[64];
  int a = in[i];
  const long long b = a * 3LL + in[i + 1];
  unsigned char c = a;
  float f = a * 0.5f;
  float4 v = make_float4(f, f + 1, a, t);
  const int* p = in + a % 7 + 7;
  bool odd = a & 1;
  int late;
  s[t] = a;
  __syncthreads();
  late = s[(t + 1) % T];
  a += late;
  c += 200;
  v.y = a;
  __syncthreads();
  result(0) = a; result(1) = (int)b; result(2) = c; result(3) = (int)(f * 4); result(4) = (int)(v.x + v.y * 3 + v.w);
  result(5) = p[1]; result(6) = odd; result(7) = late;)"));
}

TEST_CASE("arrays of a thread live across barriers") {
  same_as_fibers(with(R"(
  int own[3] = {t, in[i], 5}, grid[2][2];
  const int weights[2] = {2, 3};
  grid[t % 2][1] = in[i];
  grid[1 - t % 2][1] = 8;
  __syncthreads();
  own[1] += weights[1];
  grid[0][0] = own[0]; grid[1][0] = 4;
  __syncthreads();
  result(0) = own[0] + own[1] * weights[0]; result(1) = own[2]; result(2) = grid[0][0] + grid[1][0] + grid[t % 2][1];)"));
}

TEST_CASE("threads that end early do nothing later, and blocks without any do nothing at all") {
  same_as_fibers(with(R"(
  __shared__ int s[64];
  s[t] = 1;
  if (i >= n) return;
  const int share = 1000 / n;  // for no thread, if n is 0
  s[t] = in[i];
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    if (in[i] < -50 + k) return;
    __syncthreads();
    if (t + k + 1 < T) s[t] += k; else { result(7) = k; if (k == 2) return; }
    __syncthreads();
  }
  result(0) = s[t] + share;
  if (t % 2) return;
  result(1) = 1;)"));
  same_as_fibers(with(R"(
  if (n == 0) return;
  int s = 0;
  while (s != n) { __syncthreads(); s += 1; }
  result(0) = s;)"));
}

TEST_CASE("loops and conditions around barriers run once for the block") {
  same_as_fibers(with(R"(
  __shared__ int s[64];
  s[t] = in[i];
  __syncthreads();
  for (int d = 32; d > 0; d >>= 1) {
    if (t < d && t + d < T) s[t] += s[t + d];
    __syncthreads();
  }
  result(0) = s[0];
  __syncthreads();
  s[t] = t;
  __syncthreads();
  int d = blockDim.x / 2;
  while (d != 0) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
    d /= 2;
  }
  result(1) = s[0] + d;
  for (int d = 0, e = n; d < 3; ++d, e += 2) {
    const int w = d * t + e;
    __syncthreads();
    if (d == 1) { s[t] = w; __syncthreads(); result(2) = s[T - 1 - t] + w; } else if (n > 3) result(3) = w; else
      result(4) = w;
    __syncthreads();
  }
  if (n > 3) {
    __syncthreads();
    result(5) = s[0];
  } else
    for (int k = 0; k < n; k++)
      __syncthreads();)"));
}

TEST_CASE("jumps that all threads make leave loops around barriers") {
  same_as_fibers(with(R"(
  __shared__ int s[64];
  int sum = 0;
  for (int k = 0; k < 10; ++k) {
    s[t] = k + in[i];
    if (k == 2) continue;
    __syncthreads();
    for (int j = 0; j < 10; ++j) { if (j > t) break; if (j % 2) continue; sum += s[j % T]; }
    __syncthreads();
    if (k > n) { break; }
  }
  switch (t % 3) { case 0: sum += 1; break; default: sum += 2; }
  result(0) = sum;)"));
}

TEST_CASE("what is the same for all threads may change between barriers, and what was computed from it stays") {
  same_as_fibers(with(R"(
  int step = n;
  const int then = step + t;
  int moved = step * 2 + t;
  step += 3;
  __syncthreads();
  result(0) = then + step * 1000;
  step = step * 2 + 1;
  ++step;
  __syncthreads();
  result(1) = moved; result(2) = step; result(3) = then;)"));
}

TEST_CASE("parameters that a kernel changes belong to the thread") {
  same_as_fibers(with(R"(
  in += t;
  if (t % 2) n += t;
  __syncthreads();
  result(0) = *in + n;
  in += 2, n -= 1;
  __syncthreads();
  result(1) = in[0] * 3 + n;)"));
}

TEST_CASE("names that come again mean what they mean") {
  same_as_fibers(with(R"(
  __shared__ int s[64];
  int x = in[i], j = t;
  for (int k = 0; k < 2; ++k) {
    int x = t * 2 + k;
    s[t] = x;
    __syncthreads();
    { int x = 5; s[t] += x; }
    result(k) = x + s[t];
    for (int j = 0; j < 3; ++j) x += j;
    result(2 + k) = x;
    __syncthreads();
  }
  for (int k = 5; k < 7; ++k) { __syncthreads(); int y = k + x; result(k) = y; }
  result(4) = x + j;)"));
}

TEST_CASE("functions may change what they are given by reference, and use the thread's index") {
  same_as_fibers(with(R"(
  __shared__ int s[64];
  int a = t, b = n, c = n;
  raise(a, 3);
  raise(b, t);
  s[t] = plus(c, index());
  __syncthreads();
  std::swap(a, b);
  __syncthreads();
  result(0) = a; result(1) = b; result(2) = c + s[(t + 1) % T];)",
                      R"(
__device__ void raise(int& x, int by) { x += by; }
__device__ int plus(int x, int y) { return x + y; }
__device__ int index() { return threadIdx.x * 10 + blockIdx.x; })"));
}

TEST_CASE("shared memory of every kind is one for the block") {
  same_as_fibers(with(R"(
  extern __shared__ int dynamic[];
  static __shared__ int s[64];
  __shared__ volatile float f[8][8];
  __shared__ struct pair p;
  constexpr int R = 4;
  __shared__ int more[R * 16];
  static const int table[3] = {5, 6, 7};
  number q = table[t % 3];
  dynamic[t] = in[i]; s[t] = t; f[t / 8 % 8][t % 8] = t; more[t] = t * R;
  if (t == 0) p.x = n, p.y = 3;
  __syncthreads();
  const unsigned other = (t + 1) % T;
  result(0) = dynamic[other] + s[other]; result(1) = (int)f[other / 8 % 8][other % 8] + p.x * p.y;
  result(2) = more[other] + q + outer(t);)",
                      "struct pair { int x, y; };\ntypedef int number;\n__shared__ int everywhere[64];\n"
                      "__device__ int outer(int t) { everywhere[t] = t; return everywhere[t]; }"));
}

TEST_CASE("shared memory without a barrier is enough to be cut") {
  same_as_fibers(with("  __shared__ int s[64];\n  s[t] = in[i];\n  result(0) = s[t] + 1;"));
}

TEST_CASE("macros, pragmas and types that are not written are understood") {
  same_as_fibers(with(R"(
  __shared__ int s[64];
  const auto mine = t * 2 + n;
  REAL sum = 0;
  for (int k = 0; k < ROUNDS; ++k) {
    s[t] = SQUARE(t + k);
    __syncthreads();
    #pragma unroll
    for (int j = 0; j < 4; ++j) sum += s[(t + j) % T];
    __syncthreads();
  }
#if ROUNDS > 2
  result(0) = (int)sum + mine;
#else
  result(0) = 0;
#endif
  // a remark behind the last statement)",
                      "#define ROUNDS 3\n#define REAL float\n#define SQUARE(x) ((x) * (x))"));
}

TEST_CASE("pointers to shared memory live across barriers, also beside arrays of a thread") {
  same_as_fibers(with(R"(
  __shared__ int s[128];
  int* mine = s + t;
  int* next = &s[64];
  int sums[2] = {0, 0};
  for (int k = 0; k < 3; ++k) {
    mine[0] = in[i] + k;
    __syncthreads();
    sums[k % 2] += s[(t + k) % T];
    mine = k % 2 ? s + t : next + t;
    __syncthreads();
  }
  result(0) = sums[0]; result(1) = sums[1];)"));
}

TEST_CASE("what may differ between threads, or is not understood, is left to fibers, and the reason names the line") {
  CHECK(says(refusal("if (t < n)\n __syncthreads();"), "line 8", "condition", "differ between threads"));
  CHECK(says(refusal("for (int k = t; k < 9; ++k) __syncthreads();"), "loop", "differ between threads"));
  CHECK(says(refusal("int k = 0; while (k < 9) { if (t) k += 2; else ++k; __syncthreads(); }"), "condition"));
  CHECK(says(refusal("for (int k = 0; k < in[0]; ++k) __syncthreads();"), "condition"));
  CHECK(says(refusal("for (int k = 0; k < 9; ++k) { if (in[i]) break; __syncthreads(); }"), "condition"));
  CHECK(says(refusal("for (int k = 0; k < 9; ++k) { if (t) { result(0) = 1; break; } __syncthreads(); }"), "jump"));
  CHECK(says(refusal("do { __syncthreads(); } while (n > 1000);"), "inside of this statement"));
  CHECK(says(refusal("again: __syncthreads(); if (n > 1000) goto again;"), "goto"));
  CHECK(says(refusal("int x = in[i]; int& y = x; __syncthreads(); result(0) = y;"), "a reference"));
  CHECK(says(refusal("int x = in[i]; int* y = &x; __syncthreads(); *y = 3; result(0) = x;"), "address of `x`"));
  CHECK(says(refusal("int x[2][2] = {}; int* y = x[1]; __syncthreads(); *y = 3; result(0) = x[1][0];"),
             "address of `x`"));
  CHECK(says(refusal("const auto f = [=](int x) { return x + t; }; __syncthreads(); result(0) = f(1);"), "lambda"));
  CHECK(says(refusal("struct s { int x; }; __syncthreads();"), "local type"));
  CHECK(says(refusal("SYNC; result(0) = 1;", "#define SYNC __syncthreads()"), "macro `SYNC`"));
  CHECK(says(
      refusal("result(0) = wait();", "__device__ int wait() { __syncthreads(); if (threadIdx.x) return 1; return 2; }"),
      "line 8", "function `wait`", "return before its end"));
  CHECK(says(refusal("wait();",
                     "struct s { __device__ void f() { __syncthreads(); } };\n__device__ void wait() { s x; x.f(); }"),
             "function"));
  CHECK(says(refusal("float (*row)[4] = 0; __syncthreads();"), "this declaration"));
  CHECK(says(refusal("while (__any_sync(~0u, in[i] > n)) n += 9;"), "head of a loop"));
  CHECK(says(refusal("result(0) = n > 3 && __any_sync(~0u, in[i] > n);"), "not all of them evaluate"));
  CHECK(says(refusal("result(0) = n++ + __shfl_sync(~0u, n, 1);"), "changes something besides"));
}

TEST_CASE("declarations, casts and calls of everyday kernels do not keep them from being cut") {
  same_as_fibers(with(R"(
  __align__(16) __shared__ int s[64];
  const int R = 4, tx = threadIdx.x;
  __shared__ int wide[R * 16];
  int total = 0, k, rounds = CEIL_DIV(n, 4);
  if (rounds > 3) rounds = 3;
  const int weights[] = {1, 2, 3};
  static const int steps = 2;
  dim3 own = threadIdx;
  volatile int noted = in[i];
  auto sum = 0.5f;
  own.x += n;
  for (k = 0; k < static_cast<int>(rounds) + steps; k++) {
    s[t] = scaled(in[i], k) + weights[k % 3];
    wide[t] = tx + (int)ceilf(n / 2.0f);
    __syncthreads();
    total += s[T - 1 - t] + wide[t];
    sum += MIN(total, k);
    __syncthreads();
  }
  int* first = s;
  int* second = &first[T / 2];
  float sine, cosine;
  sincosf(0.1f * t, &sine, &cosine);
  __syncthreads();
  result(0) = total; result(1) = own.x + own.y; result(2) = noted; result(3) = (int)sum; result(4) = *second;
  result(5) = __float_as_int(sine + cosine) >> 8;)",
                      "#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))\n#define MIN(a, b) ((a) < (b) ? (a) : (b))\n"
                      "__device__ int scaled(int x, int by) { return x * by; }"));
}

TEST_CASE("a number that is cast in parentheses is only read, and not kept") {
  const std::string source = with(R"(
  int j = threadIdx.x;
  result(0) = (int)(j);
  __syncthreads();
  result(1) = (unsigned char)(j) + (int)((long long)(j) * 3);)");
  same_as_fibers(source);
  const std::string text = make_cpu_source(parse_kernel(source, "kernel.cu"), {tier::split, {64}});
  CHECK(text.find("__tessera_k1[") == std::string::npos);
  CHECK(text.find("__tessera_k0[") == std::string::npos);
}

TEST_CASE("subscripts made of the thread's index are computed in 64 bits, and mean what they meant") {
  const std::string source = with(R"(
  __shared__ int s[64];
  s[t] = in[i];
  __syncthreads();
  for (int o = 1; o < 64; o *= 2) {
    int v = t >= o ? s[t - o] : 0;
    unsigned u = t;
    if (u + o < T) v += 2 * s[u + o] + s[o + (u - 1) + 1];
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  for (unsigned o = 1; o < T; o *= 2) {
    int v = 0;
    const unsigned back = 0u - o, x = threadIdx.x;
    if (threadIdx.x >= o) v = s[threadIdx.x - o] + s[back + threadIdx.x] + s[x + 1 - o - 1u];
    __syncthreads();
    s[t] ^= v;
    __syncthreads();
  }
  const int* p = s;
  for (int t = 0, o = 3; t < 2; ++t) result(t) = p[(t + o) * 0] + t;
  result(2) = s[t];)");
  same_as_fibers(source);
  const std::string text = make_cpu_source(parse_kernel(source, "kernel.cu"), {tier::split, {64}});
  CHECK(text.find("s[__tessera_subscript(t - o,") != std::string::npos);
  CHECK(text.find("s[__tessera_shared_subscript(threadIdx.x - o,") != std::string::npos);
  CHECK(text.find("s[__tessera_shared_subscript(back + threadIdx.x,") != std::string::npos);
}

TEST_CASE("atomics on shared memory are plain changes, and give what they gave") {
  const std::string source = with(R"(
  __shared__ int bins[4 * 4], grid[4][4], last;
  __shared__ unsigned char unused[4];
  __shared__ float sum;
  extern __shared__ unsigned words[];
  for (int k = t; k < 16; k += T) bins[k] = k, grid[k / 4][k % 4] = -1, words[k] = 3;
  if (t == 0) last = 5, sum = 0, unused[0] = 0;
  __syncthreads();
  atomicAdd(&bins[(in[i] + 100) % 16], 2);
  atomicAdd(&sum, 1.0f);
  atomicMax(&grid[t % 4][1], t);
  atomicMin(bins + 3, -t);
  atomicInc(&words[0], 7u);
  atomicOr(words + 1, 1u << (t % 32));
  atomicSub(words, 0u);
  result(0) = atomicCAS(&last, -1, 7) + atomicExch(&grid[0][0], -1);
  __syncthreads();
  result(1) = bins[t % 16] + grid[t % 4][1] + (int)sum;
  result(2) = (int)(words[0] + words[1]);
  atomicAdd(&out[(long long)i * 8 + 3], 1);)");
  same_as_fibers(source);
  const std::string text = make_cpu_source(parse_kernel(source, "kernel.cu"), {tier::split, {64}});
  for (const char* const call : {"atomicAdd(&bins", "atomicAdd(&sum", "atomicMax(&grid", "atomicMin(bins",
                                 "atomicInc(&words", "atomicOr(words", "atomicCAS(&last", "atomicExch(&grid"})
    CHECK(text.find(std::string("__tessera_shared_") + call) != std::string::npos);
  CHECK(text.find("__tessera_shared_atomicAdd(&out") == std::string::npos);
}

TEST_CASE("atomics stay atomic where a name may mean other than shared memory") {
  const auto is_plain = [](const std::string& body, const std::string& before = "") {
    const kernel_text text =
        parse_kernel(with("  __shared__ int s[64];\n  s[t] = 0;\n  __syncthreads();\n" + body, before), "k.cu");
    return make_cpu_source(text, {tier::fiber, {64}}).find("__tessera_shared_atomicAdd(&") != std::string::npos;
  };
  CHECK(is_plain("  atomicAdd(&s[t], 1);"));
  CHECK_FALSE(is_plain("  { int* s = out; atomicAdd(&s[t], 1); }"));
  CHECK_FALSE(is_plain("  __shared__ int* p; p = out;\n  atomicAdd(&p[t], 1);"));
  CHECK_FALSE(is_plain("  __shared__ int* p[2 * 2]; p[0] = out;\n  atomicAdd(&p[0][t], 1);"));
  CHECK_FALSE(is_plain("  int* q = out;\n  atomicAdd(&q[t], 1);"));
  CHECK_FALSE(is_plain("  atomicAdd(&s[t], 1);", "__device__ int atomicAdd(int* p, char v) { return *p += v; }"));
  CHECK_FALSE(is_plain("  atomicAdd(&PLACE[t], 1);", "#define PLACE out"));
}

TEST_CASE("a kernel that cannot be compiled when cut is compiled for fibers") {
  const std::string source = with(R"(
  HIDDEN(x);
  __syncthreads();
  result(0) = x + t;)",
                                  "#define HIDDEN(name) int name(3)");
  const kernel_text text = parse_kernel(source, "kernel.cu");
  REQUIRE(text.features.unsplit == "");
  device::source_desc desc{make_cpu_source(text, {tier::split, {32}}), {}, cpu_flags(text), {}};
  CHECK_THROWS_AS((void)device::compile_shared_object(desc), compile_error);
  desc.otherwise = make_cpu_source(text, {tier::fiber, {32}});
  CHECK_FALSE(device::compile_shared_object(desc).empty());
}
