// How contexts and processes end, and contexts that are not made everywhere: lifetimes WHAT.
#include <tessera/tessera.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/comm/on_this_rank.h"

namespace ts = tessera;

namespace {

ts::array<int> kept;                       // ends after main, and its context with it
std::unique_ptr<ts::context> whole_world;  // likewise

void use(ts::context& ctx) {
  const ts::kernel add = ctx.native("add", "int* y", "global i => readwrite y[i]", {{"cpu", [](ts::native_call&) {}}});
  kept = ctx.full<int>({100}, 7);
  add.launch({.threads = {100}, .block = {1}}, kept);
  if (kept.read() != std::vector<int>(100, 7)) throw std::runtime_error("wrong elements");
  add.launch({.threads = {100}, .block = {1}}, kept);  // not waited for
}

void run(const std::string& mode, int rank) {
  if (mode == "global") use(*(whole_world = std::make_unique<ts::context>()));
  if (mode == "leaked") use(*new ts::context);
  if (mode == "array") {
    ts::context ctx;
    use(ctx);
  }
  if (mode == "between" || mode == "extra") {
    { const ts::context first; }
    if (mode == "between" && rank == 1) throw std::runtime_error("no second context here");
    if (mode == "between" || rank == 1) ts::context second;
  }
}

}  // namespace

int main(int argc, char** argv) {
  return argc == 2 ? ts::support::on_this_rank([&](int rank) { return run(argv[1], rank), 0; }) : 2;
}
