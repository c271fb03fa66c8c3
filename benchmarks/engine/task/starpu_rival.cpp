// The task programs on StarPU, as a process of its own: reads one program per line ("shape tasks width rounds") and
// answers with a line "total submit checksum". Between programs StarPU is paused, so that its workers, which
// otherwise poll, take no time from the other side of the comparison.
#include <starpu.h>

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "benchmarks/engine/task/work.h"

namespace bench = tessera::bench;

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::uint32_t* element(void* buffer) { return reinterpret_cast<std::uint32_t*>(STARPU_VECTOR_GET_PTR(buffer)); }

std::uint64_t rounds_of(void* argument) { return *static_cast<const std::uint64_t*>(argument); }

void touch(void* buffers[], void* argument) {
  bench::busy(rounds_of(argument));
  *element(buffers[0]) = bench::touched(*element(buffers[0]));
}
void blend_inner(void* b[], void* argument) {
  bench::busy(rounds_of(argument));
  *element(b[0]) = bench::blended(*element(b[2]), *element(b[1]), *element(b[3]));
}
void blend_first(void* b[], void* argument) {
  bench::busy(rounds_of(argument));
  *element(b[0]) = bench::blended(0, *element(b[1]), *element(b[2]));
}
void blend_last(void* b[], void* argument) {
  bench::busy(rounds_of(argument));
  *element(b[0]) = bench::blended(*element(b[2]), *element(b[1]), 0);
}

starpu_codelet make_codelet(starpu_cpu_func_t function, int readers) {
  starpu_codelet c;
  starpu_codelet_init(&c);
  c.cpu_funcs[0] = function;
  c.nbuffers = 1 + readers;
  c.modes[0] = readers == 0 ? STARPU_RW : STARPU_W;
  for (int k = 1; k <= readers; ++k) c.modes[k] = STARPU_R;
  return c;
}

/// Single-element vectors, registered as long as this lives.
class data_set {
 public:
  explicit data_set(std::int64_t count)
      : values_(static_cast<std::size_t>(count), 1), handles_(static_cast<std::size_t>(count)) {
    for (std::size_t k = 0; k < values_.size(); ++k)
      starpu_vector_data_register(&handles_[k], STARPU_MAIN_RAM, reinterpret_cast<uintptr_t>(&values_[k]), 1,
                                  sizeof(std::uint32_t));
  }
  ~data_set() { unregister(); }
  data_set(const data_set&) = delete;
  data_set& operator=(const data_set&) = delete;

  [[nodiscard]] starpu_data_handle_t operator[](std::int64_t k) const { return handles_[static_cast<std::size_t>(k)]; }
  [[nodiscard]] std::uint32_t checksum() {
    unregister();
    std::uint32_t sum = 0;
    for (const std::uint32_t v : values_) sum = sum * 31 + v;
    return sum;
  }

 private:
  void unregister() {
    for (starpu_data_handle_t& h : handles_) starpu_data_unregister(h);
    handles_.clear();
  }

  std::vector<std::uint32_t> values_;
  std::vector<starpu_data_handle_t> handles_;
};

void submit(starpu_codelet& codelet, std::uint64_t& rounds, std::initializer_list<starpu_data_handle_t> data) {
  starpu_task* task = starpu_task_create();
  task->cl = &codelet;
  task->cl_arg = &rounds;
  task->cl_arg_size = sizeof rounds;
  int k = 0;
  for (starpu_data_handle_t h : data) task->handles[k++] = h;
  if (starpu_task_submit(task) != 0) throw std::runtime_error("StarPU refused a task");
}

class programs {
 public:
  bench::task_timing run(const bench::task_program& program) {
    rounds_ = program.rounds;
    switch (program.shape) {
      case bench::task_shape::touch:
        return run_touch(program);
      case bench::task_shape::stencil:
        return run_stencil(program);
      case bench::task_shape::latency:
        return run_latency(program);
    }
    return {};
  }

 private:
  bench::task_timing run_touch(const bench::task_program& program) {
    data_set data(program.width);
    const double begin = now();
    for (std::int64_t i = 0; i < program.tasks; ++i) submit(touch_, rounds_, {data[i % program.width]});
    return finish(begin, data);
  }

  bench::task_timing run_stencil(const bench::task_program& program) {
    data_set even(program.width), odd(program.width);
    data_set *from = &even, *to = &odd;
    const double begin = now();
    for (std::int64_t step = 0; step < program.tasks / program.width; ++step) {
      const data_set& in = *from;
      const data_set& out = *to;
      const std::int64_t last = program.width - 1;
      submit(first_, rounds_, {out[0], in[0], in[1]});
      for (std::int64_t k = 1; k < last; ++k) submit(inner_, rounds_, {out[k], in[k], in[k - 1], in[k + 1]});
      submit(last_, rounds_, {out[last], in[last], in[last - 1]});
      std::swap(from, to);
    }
    return finish(begin, *from);
  }

  bench::task_timing run_latency(const bench::task_program& program) {
    data_set data(1);
    const double begin = now();
    for (std::int64_t i = 0; i < program.tasks; ++i) {
      submit(touch_, rounds_, {data[0]});
      starpu_data_acquire(data[0], STARPU_R);
      starpu_data_release(data[0]);
    }
    return finish(begin, data);
  }

  static bench::task_timing finish(double begin, data_set& result) {
    const double submitted = now();
    starpu_task_wait_for_all();
    const double ended = now();
    return {ended - begin, submitted - begin, result.checksum()};
  }

  std::uint64_t rounds_ = 0;
  starpu_codelet touch_ = make_codelet(touch, 0);
  starpu_codelet inner_ = make_codelet(blend_inner, 3);
  starpu_codelet first_ = make_codelet(blend_first, 2);
  starpu_codelet last_ = make_codelet(blend_last, 2);
};

}  // namespace

int main() {
  if (starpu_init(nullptr) != 0) {
    std::fprintf(stderr, "starpu_rival: StarPU does not start\n");
    return 1;
  }
  starpu_pause();
  std::printf("ready\n");
  std::fflush(stdout);
  programs all;
  int shape = 0;
  bench::task_program program;
  while (std::scanf("%d %" SCNd64 " %" SCNd64 " %" SCNu64, &shape, &program.tasks, &program.width, &program.rounds) ==
         4) {
    program.shape = static_cast<bench::task_shape>(shape);
    starpu_resume();
    const bench::task_timing t = all.run(program);
    starpu_pause();
    std::printf("%.9f %.9f %" PRIu32 "\n", t.total, t.submit, t.checksum);
    std::fflush(stdout);
  }
  starpu_resume();
  starpu_shutdown();
  return 0;
}
