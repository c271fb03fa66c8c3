// The paper's programs on the cores of a machine, against threads by hand.
#include <thread>

#include "benchmarks/frame/program.h"
#include "benchmarks/paper/rivals/threads/threads.h"
#include "benchmarks/paper/rows.h"

int main(int argc, char** argv) {
  using namespace tessera::bench;
  thread_team team(static_cast<int>(std::thread::hardware_concurrency()));
  const auto make = [&team](const paper::paper_program& p, const paper::problem& size) {
    return p.threads(team, size);
  };
  const paper::own_side own{&paper::paper_program::cpu_n, 256e6, {}};
  std::vector<benchmark> all =
      paper::in_memory_rows({"threads by hand", make, &paper::paper_program::cpu_n, 0.90, true});
  for (benchmark& b : paper::beyond_memory_rows(own)) all.push_back(std::move(b));
  for (benchmark& b : paper::weak_scaling_rows(own)) all.push_back(std::move(b));
  const paper::numpy_side numpy{{paper::paper_program_named("cocluster").cpu_n}, {}, 4.35};
  for (benchmark& b : paper::numpy_rows(numpy)) all.push_back(std::move(b));
  return run_program(argc, argv, all);
}
