#include "tessera/runtime/execute/failures.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <stdexcept>

using namespace tessera;
using runtime::failure;
using runtime::failure_table;

namespace {

constexpr array_id x(1), y(2);
constexpr location here{node_id(0), 0}, there{node_id(0), 1};

plan::operand reads(array_id array, location place, std::int64_t lo, std::int64_t hi) {
  return {{array, place}, {{lo}, {hi}}, false};
}
plan::operand writes(array_id array, location place, std::int64_t lo, std::int64_t hi) {
  return {{array, place}, {{lo}, {hi}}, true};
}

failure made(const char* text) {
  const auto cause = std::make_exception_ptr(std::runtime_error(text));
  return {std::make_exception_ptr(std::runtime_error(std::string("kernel: ") + text)), cause};
}

/// A list of operands, as a span.
class operands {
 public:
  operands(std::initializer_list<plan::operand> all) : all_(all) {}
  operator std::span<const plan::operand>() const { return all_; }

 private:
  std::vector<plan::operand> all_;
};

bool reading_fails(const failure_table& book, array_id array, location place, std::int64_t lo, std::int64_t hi) {
  return static_cast<bool>(book.reason_for(operands{reads(array, place, lo, hi)}));
}

}  // namespace

TEST_CASE("only reads of the elements of the copy that failed are refused") {
  failure_table book;
  CHECK(!book.any());
  const failure problem = made("no memory");
  book.poison(operands{reads(y, here, 0, 10), writes(x, here, 10, 20)}, problem);
  CHECK(book.any());
  CHECK(book.reason_for(operands{reads(x, here, 19, 30)}).reason == problem.reason);
  CHECK(reading_fails(book, x, here, 0, 11));
  CHECK(!reading_fails(book, x, here, 0, 10));
  CHECK(!reading_fails(book, x, here, 20, 30));
  CHECK(!reading_fails(book, x, there, 10, 20));
  CHECK(!reading_fails(book, y, here, 0, 10));
  CHECK(!book.reason_for(operands{writes(x, here, 10, 20)}));
}

TEST_CASE("a failure that is passed on keeps its reason") {
  failure_table book;
  const failure problem = made("no memory");
  book.poison(operands{writes(x, here, 0, 10)}, problem);
  const failure found = book.reason_for(operands{reads(x, here, 0, 1)});
  book.pass_on(operands{reads(x, here, 0, 1), writes(y, there, 5, 6)}, found);
  CHECK(book.reason_for(operands{reads(y, there, 0, 100)}).reason == problem.reason);
  CHECK(book.reason_for(y).cause == problem.cause);
}

TEST_CASE("elements that are overwritten hold results again, and no others") {
  failure_table book;
  book.poison(operands{writes(x, here, 0, 100)}, made("no memory"));
  book.heal(operands{reads(x, here, 50, 60), writes(x, here, 20, 40), writes(x, there, 0, 100)});
  CHECK(!reading_fails(book, x, here, 20, 40));
  CHECK(reading_fails(book, x, here, 19, 21));
  CHECK(reading_fails(book, x, here, 39, 41));
  CHECK(reading_fails(book, x, here, 50, 60));
  book.heal(operands{writes(x, here, 0, 20), writes(x, here, 40, 100)});
  CHECK(!reading_fails(book, x, here, 0, 100));
  CHECK(!book.reason_for(x));
}

TEST_CASE("healing cuts a box out of the middle of another") {
  failure_table book;
  const auto part = [](extents lo, extents hi, bool written) {
    return operands{plan::operand{{x, here}, {lo, hi}, written}};
  };
  book.poison(part({0, 0}, {10, 10}, true), made("no memory"));
  book.heal(part({3, 4}, {6, 8}, true));
  CHECK(!book.reason_for(part({3, 4}, {6, 8}, false)));
  for (std::int64_t i = 0; i < 10; ++i)
    for (std::int64_t j = 0; j < 10; ++j) {
      const bool inside = i >= 3 && i < 6 && j >= 4 && j < 8;
      CHECK(static_cast<bool>(book.reason_for(part({i, j}, {i + 1, j + 1}, false))) == !inside);
    }
}

TEST_CASE("an array that is gone has no failure") {
  failure_table book;
  book.poison(operands{writes(x, here, 0, 10), writes(y, here, 0, 10)}, made("no memory"));
  book.forget(x);
  CHECK(!book.reason_for(x));
  CHECK(static_cast<bool>(book.reason_for(y)));
}

TEST_CASE("the first failure is told once") {
  failure_table book;
  CHECK(book.take_unreported() == nullptr);
  const failure first = made("no memory"), second = made("no disk");
  book.poison(operands{writes(x, here, 0, 1)}, first);
  book.poison(operands{writes(y, here, 0, 1)}, second);
  CHECK(book.take_unreported() == first.reason);
  CHECK(book.take_unreported() == nullptr);
}

TEST_CASE("one cause is told once, however many failures it has") {
  failure_table book;
  const failure first = made("it does not compile");
  const failure again{std::make_exception_ptr(std::runtime_error("superblock 2")), first.cause};
  book.poison(operands{writes(x, here, 0, 1)}, first);
  CHECK(book.take_unreported() == first.reason);
  book.poison(operands{writes(x, here, 1, 2)}, again);
  CHECK(book.take_unreported() == nullptr);
  book.poison(operands{writes(x, here, 2, 3)}, made("something else"));
  CHECK(book.take_unreported() != nullptr);
}

TEST_CASE("a failure that was thrown to the user is not told again") {
  failure_table book;
  const failure problem = made("no memory");
  book.poison(operands{writes(x, here, 0, 1)}, problem);
  book.reported(problem);
  CHECK(book.take_unreported() == nullptr);
  book.poison(operands{writes(y, here, 0, 1)}, {std::make_exception_ptr(std::runtime_error("another")), problem.cause});
  CHECK(book.take_unreported() == nullptr);
  CHECK(reading_fails(book, x, here, 0, 1));
}

TEST_CASE("a failure that is passed on is not told as a new one") {
  failure_table book;
  const failure problem = made("no memory");
  book.poison(operands{writes(x, here, 0, 1)}, problem);
  CHECK(book.take_unreported() == problem.reason);
  book.pass_on(operands{writes(y, here, 0, 1)}, problem);
  CHECK(book.take_unreported() == nullptr);
}

TEST_CASE("a failure without an array is told, too") {
  failure_table book;
  const failure problem = made("no memory");
  book.poison({}, problem);
  CHECK(book.any());
  CHECK(book.take_unreported() == problem.reason);
}
