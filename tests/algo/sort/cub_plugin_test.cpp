#include "tessera/algo/sort/cub_plugin.h"

#include <doctest/doctest.h>

#include "tessera/base/error.h"
#include "tessera/base/log.h"
#include "tests/support/stderr_text.h"

using namespace tessera;

TEST_CASE("without the plugin for CUB the answer names the reason and what to do") {
  const algo::cub_plugin none({"", "/no/such/libtessera_cub.so", __FILE__});
  CHECK_FALSE(none.available());
  for (const char* words : {"there is no /no/such/libtessera_cub.so; ", "cub_plugin_test.cpp: ", "target tessera_cub",
                            "TESSERA_CUB_PLUGIN"})
    CHECK(none.text().find(words) != std::string::npos);
  CHECK_THROWS_WITH_AS(none.sort({dtype_of<int>(), 0, 2, false, {}}, {}, nullptr),
                       doctest::Contains("cannot be sorted by CUB: CUB is not used: there is no /no/such"),
                       device_error);
}

TEST_CASE("that CUB is not used is said once, when a sort asks") {
  const algo::cub_plugin none({"/no/such/libtessera_cub.so"});
  set_log_level(log_level::warning);
  std::string said;
  {
    const support::stderr_text heard;
    for (int k = 0; k < 3; ++k) CHECK_FALSE(none.sorts(dtype_of<int>(), 0));
    said = heard.get();
  }
  CHECK(said == "tessera: warning: sorts on GPUs are slower than they could be: " + none.text() + "\n");
}

TEST_CASE("a plugin for CUB of another version, and a library that is none, are not used") {
  const algo::cub_plugin older({TESSERA_OLD_CUB_PLUGIN});
  CHECK_FALSE(older.available());
  CHECK(older.text().find(TESSERA_OLD_CUB_PLUGIN " is of another version of Tessera") != std::string::npos);
  const algo::cub_plugin other({"libm.so.6"});
  CHECK_FALSE(other.available());
  CHECK(other.text().find("libm.so.6 is no plugin of Tessera for CUB") != std::string::npos);
}

TEST_CASE("the scratch of CUB grows with the keys to a byte or two for each") {
  const dtype key = dtype_of<float>();
  CHECK(algo::cub_scratch_bytes(key, 0, 2) < 48 << 10);
  for (const std::int64_t count : {std::int64_t{1} << 20, std::int64_t{1} << 28, std::int64_t{1} << 32}) {
    CHECK(algo::cub_scratch_bytes(key, 8, count) < (48 << 10) + count + count / 8);
    CHECK(algo::cub_scratch_bytes(key, 16, count) < (48 << 10) + 2 * count + count / 8);
    CHECK(algo::cub_scratch_bytes(key, 8, count + 1) >= algo::cub_scratch_bytes(key, 8, count));
  }
}
