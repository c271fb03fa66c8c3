// How contexts and processes end, and contexts that are not made everywhere: lifetimes WHAT.
#include <tessera/tessera.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ts = tessera;

namespace {

ts::array<int> kept;                       // ends after main, and its context with it
std::unique_ptr<ts::context> whole_world;  // likewise

void use(ts::context& ctx) {
  const ts::kernel add = ctx.native("add", "int* y", "global i => readwrite y[i]", {{"cpu", [](ts::native_call&) {}}});
  kept = ctx.full<int>({100}, 7);
  add.launch({.threads = {100}, .block = {1}}, kept);
  if (kept.read() != std::vector<int>(100, 7)) throw std::runtime_error("wrong elements");
  add.launch({.threads = {100}, .block = {1}}, kept);  // nobody waits for it
}

void run(const std::string& what, int rank) {
  if (what == "global") use(*(whole_world = std::make_unique<ts::context>()));
  if (what == "leaked") use(*new ts::context);
  if (what == "array") {
    ts::context ctx;
    use(ctx);
  }
  if (what == "between" || what == "extra") {
    { const ts::context first; }
    if (what == "between" && rank == 1) throw std::runtime_error("no second context here");
    if (what == "between" || rank == 1) ts::context second;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (rank == nullptr) rank = std::getenv("PMI_RANK");  // MPICH
  if (argc != 2 || rank == nullptr) return 2;
  try {
    run(argv[1], std::atoi(rank));
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "rank " << rank << ": " << e.what() << std::endl;
    return 1;
  }
}
