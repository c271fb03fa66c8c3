#include <tessera/tessera.h>
namespace ts = tessera;

int main() {
    ts::context ctx;                                        // every device of every rank
    ts::kernel stencil = ctx.load_kernel("stencil.cu");     // or ctx.compile(source_text, "stencil")

    const int64_t n = 1'000'000;
    auto input  = ctx.ones<float>({n}, ts::blocks(64'000).halo(1));
    auto output = ctx.zeros<float>({n}, ts::blocks(64'000).halo(1));   // the distribution may be left out

    for (int step = 0; step < 10; ++step) {
        stencil.launch({.threads = {n}, .block = {256}}, n, output, input);   // asynchronous
        std::swap(input, output);
    }
    std::vector<float> result = input.read();               // waits for what it needs, nothing else
}
