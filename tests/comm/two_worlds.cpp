// A program that owns MPI gives half of its ranks to one context and half to another, then all of them to a third.
#include <mpi.h>
#include <tessera/tessera.h>

#include <chrono>
#include <iostream>
#include <numeric>
#include <thread>
#include <vector>

namespace ts = tessera;

namespace {

/// A second context is made while ranks still owe each other messages of the first.
void make_context_beside(ts::context& first) {
  constexpr int n = 64;
  const int rank = first.rank();
  const auto dawdle = [rank](ts::native_call&) {
    if (rank == 0) std::this_thread::sleep_for(std::chrono::milliseconds(200));
  };
  const ts::kernel set = first.native("set", "int* x", "global i => write x[i]", {{"cpu", dawdle}});
  const ts::kernel turn = first.native("turn", "int n, int* y, const int* x", "global i => read x[n-1-i], write y[i]",
                                       {{"cpu", [](ts::native_call&) {}}});
  const auto x = first.zeros<int>({n}), y = first.zeros<int>({n});
  set.launch({.threads = {n}, .block = {1}}, x);
  turn.launch({.threads = {n}, .block = {1}}, n, y, x);
  static_cast<void>(y.slice({{n / 2, n}}).read_own());  // the first rank owns none of it
  ts::context second;
}

/// True if all ranks of the context together have the right sum of the squares of 0, 1, ... n - 1.
bool sums_up(ts::context& ctx, int n) {
  const ts::kernel square = ctx.compile(R"(
    //@tessera global i => read x[i], reduce(+) sum
    __global__ void square(int n, long long* sum, const long long* x) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) atomicAdd((unsigned long long*)sum, (unsigned long long)(x[i] * x[i]));
    })",
                                        "square");
  std::vector<long long> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto x = ctx.from<long long>({n}, numbers), sum = ctx.zeros<long long>({1});
  square.launch({.threads = {n}}, n, sum, x);
  return sum.read().at(0) == static_cast<long long>(n - 1) * n * (2LL * n - 1) / 6;
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0, rank = 0, ranks = 0, wrong = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  const auto expect = [&](bool is, const char* sentence) {
    if (!is) std::cerr << "rank " << rank << ": " << sentence << '\n', ++wrong;
  };
  ts::options settings;  // outlives MPI
  settings.comm = ts::communicator(half);
  MPI_Comm_free(&half);
  {
    ts::context ctx(settings);
    expect(ctx.ranks() == (ranks + 1 - rank % 2) / 2, "a context has the ranks of its communicator");
    expect(ctx.rank() == rank / 2, "they are numbered as there");
    expect(sums_up(ctx, 1000 + rank % 2), "both halves compute for themselves");
  }
  {
    ts::context ctx;
    expect(ctx.ranks() == ranks && ctx.rank() == rank, "without a communicator all ranks belong to a context");
    expect(sums_up(ctx, 2000), "all ranks compute together");
    make_context_beside(ctx);
  }
  int finalised = 0;
  MPI_Finalized(&finalised);
  expect(finalised == 0, "MPI is the program's to finalise");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
