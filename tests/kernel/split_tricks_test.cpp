#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>

#include "tests/kernel/random_block_kernel.h"
#include "tests/kernel/split_kernel.h"

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::support;

/// Kernels that could be understood wrongly, and random kernels.

TEST_CASE("what changes a variable in an unusual way is seen, or the kernel is left to fibers") {
  struct trick {
    const char* before;
    const char* body;
  };
  const std::vector<trick> tricks = {
      {"", "constexpr int M = 3; if constexpr (M > 2) { result(0) = threadIdx.x; } __syncthreads(); result(1) = 1;"},
      {"template <int K> __device__ void bump(int& x) { x += K; }",
       "int v = 0; if (in[i] > 0) bump<3>(v); __syncthreads(); result(0) = v;"},
      {"struct op { static __device__ void apply(int& a, int b) { a += b; } };",
       "int v = 0; op::apply(v, in[i]); __syncthreads(); result(0) = v;"},
      {"struct add { __device__ void operator()(int& a, int b) const { a += b; } };",
       "int v = 0; add()(v, in[i]); __syncthreads(); result(0) = v;"},
      {"struct adder { int& x; __device__ void add(int b) { x += b; } };",
       "int v = 0, w = 0; adder{v}.add(t); adder a = {w}; a.add(t); __syncthreads(); result(0) = v + w;"},
      {"__device__ void raise(int& x, int by) { x += by; }",
       "int v = 0; raise((v), t); __syncthreads(); result(0) = v;"},
      {"struct vec { int x; };\n__device__ vec& operator<<(vec& v, int b) { v.x += b; return v; }",
       "vec v = {n}; v << t; __syncthreads(); result(0) = v.x;"},
      {"", "int x = 0; int& y = x; y += in[i]; __syncthreads(); result(0) = x;"},
      {"", "int a = 0, b = 0; { int& y = in[i] > 0 ? a : b; y = t; } __syncthreads(); result(0) = a * 100 + b;"},
      {"", "int& m = n; m += t; __syncthreads(); result(0) = n;"},
      {"__device__ void bump(int* p, int by) { *p += by; }",
       "int c = 0; bump(&(c), t); __syncthreads(); result(0) = c;"},
      {"#define ADD(x, v) atomicAdd(&x, v)", "int c = 0; ADD(c, t); __syncthreads(); result(0) = c;"},
      {"#define AS_INT(f) (*(int*)&(f))", "float f = 0; AS_INT(f) = in[i]; __syncthreads(); result(0) = f;"},
      {"", "int sum = 0; for (int n = 0; n < 3; ++n) { __syncthreads(); sum += n * 10 + t; } result(0) = sum;"},
      {"", "n += t; __syncthreads(); { int n = 5; __syncthreads(); result(0) = n; } result(1) = n;"},
      {"",
       "int k = n; const int w = k + t; int s = 0; for (int k = 9; k < 11; ++k) { __syncthreads(); s += w; } "
       "result(0) = s;"},
      {"",
       "int step = 2; const int w = step * t; __syncthreads(); { __shared__ int step; step = 9; __syncthreads(); "
       "result(0) = w + step; }"},
      {"",
       "int sum = 0; for (int k = 0; k < 2; ++k) { { __shared__ int a[64]; if (k == 0) a[t] = t; __syncthreads(); "
       "sum += a[t]; } { __shared__ int b[64]; b[t] = -5; __syncthreads(); sum += b[T - 1 - t]; } __syncthreads(); }"
       " result(0) = sum;"},
      {"", "dim3 p(threadIdx.x + 1, threadIdx.y + 2); __syncthreads(); result(0) = p.x; result(1) = p.y;"},
      {"",
       "const int* p = out + i * 8; result(0) = in[i]; int old = (int)*p; __syncthreads(); result(0) = 5; "
       "__syncthreads(); result(1) = old;"},
      {"struct reg { float r[4]; };\n__constant__ reg zero = {{0, 0, 0, 0}};",
       "reg acc = zero; for (int k = 0; k < 4; ++k) { acc.r[k] += in[i]; __syncthreads(); } result(0) = acc.r[3];"},
      {"struct view_t { int* p; int n; };",
       "int x = t; view_t v = {&x, 1}; __syncthreads(); *v.p += 5; __syncthreads(); result(0) = x + v.n;"},
      {"", "__shared__ int* kept[64]; int x = t; kept[t] = &x; __syncthreads(); *kept[t] += 5; result(0) = x;"},
      {"#define LAST if (threadIdx.x == blockDim.x - 1)",
       "__shared__ int total; LAST total = n + 1; __syncthreads(); result(0) = total;"},
      {"template <class A> struct span { A* p; };",
       "span<const int> s = {in}; __syncthreads(); s.p = in + t; __syncthreads(); result(0) = *s.p;"},
      {"#define LIMIT threadIdx.x",
       "int w = LIMIT + 1; __syncthreads(); result(0) = w;\n}\n#undef LIMIT\n"
       "#define LIMIT 5\n__device__ int other() { return LIMIT;"},
      {"",
       "int c = 0, d = 5; if (in[i] > 0) ++(c); if (in[i] > 0 and d++ == 5) c += 2; __syncthreads(); "
       "result(0) = c + d;"},
      {"", "int a = 0, b = 0; (in[i] > 0 ? a : b) = 7; ((int&)b) += t; __syncthreads(); result(0) = a - b;"},
      {"struct S { int a[4]; };",
       "S s; s.a[0] = t; int* p = s.a; int* q = &s.a[0]; __syncthreads(); p[0] += 100; *q += 7; result(0) = s.a[0];"},
      {"struct stack { int* data; int top; };\n"
       "__device__ void start(stack* s, int* data) { s->data = data; s->top = 0; }\n"
       "__device__ void push(stack* s, int v) { s->data[s->top++] = v; }",
       "int buffer[4]; stack st; start(&st, buffer); push(&st, t); __syncthreads(); push(&st, 7); result(0) = "
       "buffer[1];"},
      {"__device__ int* address(int& x) { return &x; }",
       "int b = in[i]; int* p = address(b); __syncthreads(); *p += 5; result(0) = b;"},
      {"struct list { int items[4]; int* head; __device__ void init(int v) { head = items; items[0] = v; } };",
       "list l; l.init(t); __syncthreads(); *l.head += 5; result(0) = l.items[0];"},
      {"", "const int a = n * 3 + 1, b = in[i]; const int* p = &a; __syncthreads(); result(1) = b; result(0) = *p;"},
      {"", "int* p = (int*)malloc(16); p[0] = t; __syncthreads(); result(0) = p[0]; free(p);"},
      {"__device__ int make_id(int a) { return a + threadIdx.x * 2; }",
       "int v = make_id(n); __syncthreads(); result(0) = v;"},
      {"__device__ int pow(int a, unsigned b) { return a + b * threadIdx.x; }",
       "int v = pow(n, 2u); __syncthreads(); result(0) = v;"},
      {"#define INOUT(T) T&\n__device__ void bump(INOUT(int) x, int by) { x += by; }",
       "int x = n; bump(x, t); __syncthreads(); result(0) = x;"},
      {"typedef int& ref;", "int x = n; { ref r = x; r = t; } __syncthreads(); result(0) = x;"},
      {"", "int x = n; { int (&r) = x; r = t; } x or_eq 8; __syncthreads(); result(0) = x;"},
      {"", "{ __shared__ int n; if (t == 0) n = 5; __syncthreads(); result(0) = n; __syncthreads(); } result(1) = n;"},
      {"#define REG(T) T",
       "int v = n; { REG(int) v = t * 2; __syncthreads(); result(0) = v; } "
       "{ alignas(16) int v = t * 3; __syncthreads(); result(1) = v; } result(2) = v;"},
      {"",
       "for (int j = 0; j < 6; j++) { int w = t + j; for (int k = 0; k < 2; k++, j++) { result(k) = w; "
       "__syncthreads(); } result(2) += w; }"},
      {"#define OFFSET(k) (n + (k))\n#define AT OFFSET", "n += t; __syncthreads(); result(0) = AT(1);"},
      {"__device__ int* pick(int* a, int* b) { return *a > *b ? a : b; }",
       "int a = t, b = n; int* p = pick(&a, &b); __syncthreads(); *p = 50; result(0) = a + b;"}};
  int cut = 0;
  for (const trick& t : tricks) {
    const std::string source = with(t.body, t.before);
    CAPTURE(source);
    const kernel_text text = parse_kernel(source, "kernel.cu");
    if (choose_tier(text.features) != tier::split) continue;
    ++cut;
    REQUIRE(run(text, tier::split, {64}, "g++", 5) == run(text, tier::fiber, {64}, "g++", 5));
  }
  CHECK(cut > 8);
}

TEST_CASE("a loop that halves the block's size from barrier to barrier is unrolled, and ends where it did") {
  struct form {
    const char* head;
    bool unrolled;
  };
  for (const form& f : {form{"int half = blockDim.x / 2; half > 0; half >>= 1", true},
                        form{"unsigned half = 1; half < blockDim.x; half *= 2", true},
                        form{"int half = blockDim.x / 2; half > n % 3; half /= 2", false},
                        form{"int half = 0; half < blockDim.x; half += 5", false}}) {
    const std::string source =
        with("  __shared__ int s[64];\n  s[t] = in[i];\n  __syncthreads();\n  for (" + std::string(f.head) +
             ") {\n    int other = s[(t + half) % T];\n    __syncthreads();\n"
             "    if (threadIdx.x < half) s[t] = s[t] * 3 + other;\n    __syncthreads();\n  }\n  result(0) = s[t];");
    const std::string text = make_cpu_source(parse_kernel(source, "kernel.cu"), {tier::split, {64}});
    CHECK((text.find("__tessera_unrolled for") != std::string::npos) == f.unrolled);
    same_as_fibers(source);
  }
}

TEST_CASE("random kernels give the same in every tier they allow") {
  const char* wanted = std::getenv("TEST_KERNELS");  // "300" or "300 from 1000"
  const int kernels = wanted != nullptr ? std::atoi(wanted) : 16;
  const char* from = wanted != nullptr ? std::strstr(wanted, "from ") : nullptr;
  const int first = from != nullptr ? std::atoi(from + 5) : 0;
  const std::vector<std::string> all = compilers();
  int cut = 0;
  for (int seed = first; seed < first + kernels; ++seed) {
    const bool plain = seed % 4 == 0 || seed % 4 == 3;
    random_block_kernel make(static_cast<unsigned>(seed));
    const std::string source = with((plain ? make.plain_body() : make.body()) + "  result(0) = (int)hash;",
                                    plain ? "" : random_block_kernel::functions());
    CAPTURE(seed);
    CAPTURE(source);
    const kernel_text text = parse_kernel(source, "kernel.cu");
    const tier form = choose_tier(text.features);
    REQUIRE((form == tier::loop) == plain);
    if (form == tier::split) ++cut;
    if (form == tier::fiber && wanted != nullptr) MESSAGE(seed, ": ", text.features.unsplit);
    const std::string& compiler = all[static_cast<std::size_t>(seed) % all.size()];
    CAPTURE(compiler);
    const extents block = seed % 8 < 4 ? extents{13, 4} : seed % 8 < 6 ? extents{64} : extents{32, 2};
    for (const int n : {0, 5})
      REQUIRE(run(text, form, block, compiler, n) == run(text, tier::fiber, block, compiler, n));
  }
  MESSAGE(cut, " of ", kernels, " kernels were cut");
  CHECK(cut * 3 > kernels);
}
