#include "tests/linop/support.h"

using namespace tessera::support;

TEST_CASE("digits behind a name are its number, zeros in front of them belong to it") {
  CHECK(lin::parse_dim("Nx") == lin::dim{"Nx", 0});
  CHECK(lin::parse_dim("Nx12") == lin::dim{"Nx", 12});
  CHECK(lin::parse_dim("K0") == lin::dim{"K0", 0});
  CHECK(lin::parse_dim("a_1") == lin::dim{"a_", 1});
  CHECK(lin::to_string(lin::dim{"Nx", 12}) == "Nx12");
}

TEST_CASE("a list names inputs and outputs, or both at once") {
  const auto [in, out] = lin::parse_arrow(" Nx  Ny -> Kx", "test");
  CHECK(lin::to_string(in) == "Nx Ny");
  CHECK(lin::to_string(out) == "Kx");
  const auto both = lin::parse_arrow("Nx", "test");
  CHECK(both.first == both.second);
  CHECK(lin::parse_dims("()", "test").empty());
}

TEST_CASE("names that are none are refused, with the list that holds them") {
  CHECK(has(message_of([] { return lin::parse_dims("Nx 2y", "diagonal"); }), "diagonal: '2y' of \"Nx 2y\""));
  CHECK(has(message_of([] { return lin::parse_dims("Nx Ny Nx", "diagonal"); }), "Nx is named twice"));
  CHECK(has(message_of([] { return lin::parse_arrow("A -> B -> C", "fft"); }), "more than one arrow"));
  CHECK(has(message_of([] { return lin::parse_dims("N.x", "fft"); }), "no name"));
}

TEST_CASE("dimensions that an operator does not name pass through it") {
  const lin::signature dense{lin::parse_dims("K Kx", ""), lin::parse_dims("T Kx", "")},
      fft{lin::parse_dims("Nx", ""), lin::parse_dims("Kx", "")};
  CHECK(lin::to_string(lin::chained(dense, "dense", fft, "fft")) == "K Nx -> T Kx");
  CHECK(lin::to_string(lin::chained(fft.reversed(), "fft.H", dense, "dense")) == "K Kx -> T Nx");
}

TEST_CASE("an output that is not one index with the input of its name gets another number") {
  const lin::signature fft{lin::parse_dims("C Nx", ""), lin::parse_dims("C Kx", "")};
  const lin::signature normal = lin::chained(fft.reversed(), "fft.H", fft, "fft");
  CHECK(lin::to_string(normal) == "C Nx -> C Nx1");
  CHECK(lin::to_string(lin::chained(normal, "N", normal, "N")) == "C Nx -> C Nx1");
  const lin::signature identity;
  CHECK(lin::to_string(lin::added(normal, "N", identity, "I")) == "C Nx -> C Nx1");
}

TEST_CASE("a chain whose dimensions do not meet names both operators") {
  const lin::signature a{lin::parse_dims("Nx Ny", ""), lin::parse_dims("Kx Ky", "")},
      b{lin::parse_dims("Ny Nx", ""), lin::parse_dims("Ny Nx", "")};
  const std::string said = message_of([&] { return lin::chained(a, "fft", b, "diagonal"); });
  CHECK(has(said, "the output of diagonal (Ny Nx) does not fit the input of fft (Nx Ny)"));
}

TEST_CASE("an unknown dimension is answered with the nearest one") {
  ts::context ctx(quiet("cpu"));
  const lin::op d = lin::diagonal(ctx.ones<float>({2, 3}), "Nx Ny");
  CHECK(*d.size("Ny") == 3);
  CHECK(has(message_of([&] { static_cast<void>(d.size("Ni")); }), "did you mean N"));
}
