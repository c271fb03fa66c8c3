#include "tessera/nd/promote.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

using tessera::dtype;
using tessera::scalar_kind;
namespace nd = tessera::nd;

namespace {

using enum scalar_kind;

/// Without bfloat16, which NumPy has not.
const std::vector<scalar_kind> kinds{boolean, int8,   int16,   int32,   int64,   uint8,     uint16,
                                     uint32,  uint64, float16, float32, float64, complex64, complex128};

std::string name_of(scalar_kind kind) { return tessera::to_string(dtype::make(kind)); }

/// np.result_type of all pairs, in the order of `kinds`.
constexpr const char* numpy_table = R"(
bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128
int8 int8 int16 int32 int64 int16 int32 int64 float64 float16 float32 float64 complex64 complex128
int16 int16 int16 int32 int64 int16 int32 int64 float64 float32 float32 float64 complex64 complex128
int32 int32 int32 int32 int64 int32 int32 int64 float64 float64 float64 float64 complex128 complex128
int64 int64 int64 int64 int64 int64 int64 int64 float64 float64 float64 float64 complex128 complex128
uint8 int16 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128
uint16 int32 int32 int32 int64 uint16 uint16 uint32 uint64 float32 float32 float64 complex64 complex128
uint32 int64 int64 int64 int64 uint32 uint32 uint32 uint64 float64 float64 float64 complex128 complex128
uint64 float64 float64 float64 float64 uint64 uint64 uint64 uint64 float64 float64 float64 complex128 complex128
float16 float16 float32 float64 float64 float16 float32 float64 float64 float16 float32 float64 complex64 complex128
float32 float32 float32 float64 float64 float32 float32 float64 float64 float32 float32 float64 complex64 complex128
float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 complex128 complex128
complex64 complex64 complex64 complex128 complex128 complex64 complex64 complex128 complex128 complex64 complex64 complex128 complex64 complex128
complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128
)";

}  // namespace

TEST_CASE("two types meet where NumPy has them meet") {
  std::istringstream table(numpy_table);
  for (const scalar_kind a : kinds)
    for (const scalar_kind b : kinds) {
      std::string expected;
      table >> expected;
      CAPTURE(name_of(a));
      CAPTURE(name_of(b));
      CHECK(name_of(nd::promoted(a, b)) == expected);
    }
}

TEST_CASE("bfloat16 meets other floats without losing either's range or precision") {
  CHECK(nd::promoted(bfloat16, float16) == float32);
  CHECK(nd::promoted(float16, bfloat16) == float32);
  CHECK(nd::promoted(bfloat16, bfloat16) == bfloat16);
  CHECK(nd::promoted(bfloat16, uint8) == bfloat16);
  CHECK(nd::promoted(int16, bfloat16) == float32);
  CHECK(nd::promoted(bfloat16, float64) == float64);
  CHECK(nd::promoted(bfloat16, complex64) == complex64);
}

TEST_CASE("promotion does not depend on the order") {
  std::vector<scalar_kind> all = kinds;
  all.push_back(bfloat16);
  for (const scalar_kind a : all)
    for (const scalar_kind b : all) CHECK(nd::promoted(a, b) == nd::promoted(b, a));
}

TEST_CASE("a plain number takes the type of the array beside it, if that can be") {
  using nd::weak_kind;
  CHECK(nd::promoted(boolean, weak_kind::boolean) == boolean);
  CHECK(nd::promoted(boolean, weak_kind::integer) == int64);
  CHECK(nd::promoted(uint8, weak_kind::integer) == uint8);
  CHECK(nd::promoted(int32, weak_kind::real) == float64);
  CHECK(nd::promoted(int32, weak_kind::real, float32) == float32);
  CHECK(nd::promoted(float16, weak_kind::real) == float16);
  CHECK(nd::promoted(float32, weak_kind::complex) == complex64);
  CHECK(nd::promoted(float64, weak_kind::complex) == complex128);
  CHECK(nd::promoted(int8, weak_kind::complex) == complex128);
  CHECK(nd::promoted(complex64, weak_kind::complex) == complex64);
}

TEST_CASE("results are stored in place within a sort of numbers and into higher ones") {
  CHECK(nd::can_store(float32, float64));
  CHECK(nd::can_store(int8, uint64));
  CHECK(nd::can_store(float16, int64));
  CHECK(nd::can_store(complex64, float64));
  CHECK_FALSE(nd::can_store(uint8, int8));
  CHECK_FALSE(nd::can_store(int64, float16));
  CHECK_FALSE(nd::can_store(boolean, int8));
  CHECK_FALSE(nd::can_store(float64, complex64));
}
