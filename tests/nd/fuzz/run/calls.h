#pragma once

#include <tessera/nd.h>

#include <span>

#include "tests/nd/fuzz/program/program.h"

/// What programs say, as calls of the library.
namespace tessera::fuzz {

[[nodiscard]] nd::number number_of(const plain_number& n);
[[nodiscard]] nd::array seen(const nd::array& a, const view_call& call);
[[nodiscard]] nd::layout layout_of(const step& s);
[[nodiscard]] nd::array call(function f, std::span<const nd::operand> given);
/// `a[...] = f(a, b)`, with operators where there are some.
void change(const nd::array& a, function f, const nd::operand& b);
[[nodiscard]] nd::array reduced(const step& s, const nd::array& a);
[[nodiscard]] nd::array scanned(const step& s, const nd::array& a);
/// A mask of the shape of `shown`.
[[nodiscard]] nd::array mask_of(const nd::array& mask, const nd::array& shown);

}  // namespace tessera::fuzz
