// cub_opens PLUGIN: opens a plugin of one group of keys and asks what it sorts; needs no GPU.
#include <cstdio>

#include "tessera/algo/sort/cub_plugin.h"

int main(int argc, char** argv) {
  using namespace tessera;
  const algo::cub_plugin plugin({argc > 1 ? argv[1] : ""});
  std::printf("%s\n", plugin.text().c_str());
  const bool right = plugin.available() && plugin.sorts(dtype_of<std::uint32_t>(), 0) &&
                     !plugin.sorts(dtype_of<std::uint32_t>(), 12) && !plugin.sorts(dtype_of<float>(), 0) &&
                     !plugin.sorts(dtype_of<std::int8_t>(), 0);
  return right ? 0 : 1;
}
