#include <doctest/doctest.h>

#include "tests/plan/annotation_support.h"

using namespace tessera;
using namespace tessera::plan;

TEST_CASE("a syntax error shows the text with a caret and what was expected") {
  CHECK(parse_error("global i => read a[i") ==
        "annotation, column 21: expected `,`, `:` or `]`, but the annotation ends here\n"
        "global i => read a[i\n"
        "                    ^");
  CHECK(parse_error("global i =>\n\twrite a[i],\n\tread b c") ==
        "annotation, line 3, column 9: expected `,`, `[`, `as` or the end, found `c`\n"
        "global i =>\n\twrite a[i],\n\tread b c\n\t       ^");
}

TEST_CASE("the caret's line stands below the line that is wrong") {
  CHECK(parse_error("global i =>\nread a[)],\nwrite b") ==
        "annotation, line 2, column 8: expected a name, a number, `min(`, `max(`, `-` or `(`, found `)`\n"
        "global i =>\nread a[)],\n       ^\nwrite b");
}

TEST_CASE("each mistake is told apart") {
  const std::vector<std::pair<const char*, const char*>> mistakes{
      {"", "expected `read`, `write`, `readwrite`, `none`"},
      {"a[3]", "expected a mode for `a`"},
      {"raed a", "found `raed`"},
      {"global i, j => read a[i]", "several axes: `global [i, j]`"},
      {"global [i, j, k, l] => read a[i]", "three axes"},
      {"global i, block i => read a[i]", "`i` is already bound"},
      {"r = i, global i => read a[r]", "`i` is used before it is bound"},
      {"global i, local j => read a[i*j]", "constant on one side of `*`"},
      {"global i => read a[4/i]", "constant on the right side of `/`"},
      {"global i => read a[0:9:i]", "the step of a slice cannot depend on a bound name"},
      {"global [i, j < i] => read a[j]", "what clips a name cannot depend"},
      {"global i => read a as [i]", "the extent of a view cannot depend"},
      {"read a as [:, :]", "one `:` at most"},
      {"read a as []", "expected a name, a number"},
      {"global i => read a[blockIdx.x]", "bind a name with `block b =>`"},
      {"global i => read a[blockDim.w]", "expected `x`, `y` or `z`"},
      {"global _ => read a[_]", "`_` leaves an axis unnamed"},
      {"_ = 3 => read a", "`_` cannot be given a value"},
      {"read a[2 * abs(3)]", "no function `abs`, and a table of intervals is an index of its own"},
      {"read a[min(3)]", "expected `,`"},
      {"read a[99999999999999999999]", "does not fit 64 bits"},
      {"read a[010]", "octal"},
      {"read a[1.5]", "expected `,`, `:` or `]`"},
      {"read a[1e3]", "digits only"},
      {"read a[i$]", "no meaning"},
      {"global i => read a[rows(i) + 1]", "`,` or `]` behind `rows(...)`, as the rows of a table are a whole index"},
      {"global i => read a[rows(i):9]", "`,` or `]` behind `rows(...)`"},
      {"global i => read a[0:rows(i)]", "no function `rows`, and a table of intervals is an index of its own"},
      {"global i => read a[(rows(i))]", "no part of an expression"},
      {"global i => read a[i(i)]", "`i` is bound to a number: a table of intervals needs another name"},
      {"global i => read a[rows()]", "expected a name, a number"},
      {"global i => read a[rows(i, 2)]", "expected `)`"},
      {"global i => read a[rows(:)]", "expected a name, a number"},
      {"none a[3]", "takes no indices"},
      {"reduce(avg) a", "an operation `avg` is to be given in kernel_options::reductions"},
      {"reduce(-) a", "expected `+`, `*`, `min`"},
      {"reed(+) a", "found `reed(`"},
      {"read a[0,0,0,0,0,0,0,0,0]", "at most 8 axes"},
      {"global i => ", "expected `read`"},
      {"single read a", "expected"},
      {"read a,", "expected an array"},
  };
  for (const auto& mistake : mistakes) {
    const std::string message = parse_error(mistake.first);
    CAPTURE(message);
    CHECK(says(message, mistake.second));
  }
}

TEST_CASE("an unknown operation is answered with those that there are, and atomic of a kernel's own with reduce") {
  const std::vector<std::string> own{"argmin", "moments"};
  const auto error = [&](const char* text) {
    return message_of<annotation_error>([&] { (void)parse_annotation(text, own); });
  };
  CHECK(error("reduce(argmon) a") ==
        "annotation, column 8: expected `+`, `*`, `min`, `max`, `&`, `|`, `^`, `argmin` or `moments`; did you mean "
        "`argmin`?\nreduce(argmon) a\n       ^");
  CHECK(says(error("reduce(variance) a"),
             "`argmin` or `moments`; an operation `variance` is to be given in "
             "kernel_options::reductions"));
  CHECK(says(parse_error("reduce(argmin) a"), "expected `+`, `*`, `min`, `max`, `&`, `|` or `^`; an operation"));
  CHECK(says(error("atomic(argmin) a"), "CUDA has no atomic; use `reduce(argmin)`"));
  annotation twice = parse_annotation("reduce(argmin) a, reduce(moments) a", own);
  const std::vector<parameter_info> parameters{{"a", true, false}};
  CHECK(says(message_of<annotation_error>([&] { check_against(twice, parameters); }),
             "two different ways: `reduce(argmin)` and `reduce(moments)`"));
}

TEST_CASE("what this version does not have is refused by name") {
  for (const char* text : {"stride i < n => read a[i]", "scatter a", "append(c) a", "global i => read a[wrap(i-1:i+1)]",
                           "read s.f", "read a[s.f]", "global i => read b[i], scatter a"})
    CHECK(says(parse_error(text), "not supported yet"));
}

TEST_CASE("hostile texts are refused instead of exhausting stack or memory") {
  CHECK(says(parse_error("read a[" + std::string(10000, '(')), "nested too deeply"));
  CHECK(says(parse_error("read a[" + std::string(10000, '-') + "1]"), "nested too deeply"));
  CHECK(says(parse_error(std::string(20000, ' ')), "at most 16384"));
  std::string doubling = "x0 = 1+n";
  for (int k = 1; k < 60; ++k) doubling += cat(", x", k, " = x", k - 1, "+x", k - 1);
  CHECK(says(parse_error(doubling + " => read a"), "too long"));
  std::string deep = "1";
  for (int k = 0; k < 50; ++k) deep = cat("(n+", deep, ")");
  CHECK(says(parse_error("read a[" + deep + "]"), "nested too deeply"));
  std::string many = "read a[0";
  for (int k = 0; k < 400; ++k) many += cat("+c", k);
  CHECK(says(parse_error(many + "]"), "too many constants"));
}
