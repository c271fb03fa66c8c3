#include "tests/algo/container/support.h"

using namespace tessera;
using support::quiet;

namespace sea {
#include "waves.h"
TS_DEVICE_FILE("waves.h")
}  // namespace sea

TEST_CASE("a file that the program includes is device text, in the namespace where it is named") {
  for (const char* devices : {"cpu", "cpu*3"}) {
    context ctx(quiet(devices));
    const ts::vector<sea::wave> waves(1000, sea::wave{3, 4}, ctx);
    const ts::vector<float> energies = ts::map<sea::energy>()(waves);
    CHECK(energies[999] == 12.5f);
    CHECK(ts::map_reduce(ts::algo::named_function<sea::energy>(), ts::plus())(waves).get() == 12'500);
    const auto faster = TS_FN([](sea::wave w) { return sea::energy({w.height, 2 * w.speed}); });
    CHECK(ts::map(faster)(waves)[7] == sea::energy({3, 8}));
  }
}
