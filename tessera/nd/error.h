#pragma once

#include "tessera/base/error.h"

/// Kinds of `argument_error` that functions of arrays tell apart. Shapes, axes and all else are plain ones.
namespace tessera {

/// An operation that does not exist for a type, or elements of a type that an array cannot hold.
class type_error : public argument_error {
 public:
  using argument_error::argument_error;
};

/// A place that an array does not have.
class index_error : public argument_error {
 public:
  using argument_error::argument_error;
};

/// A number that a type does not have.
class range_error : public argument_error {
 public:
  using argument_error::argument_error;
};

}  // namespace tessera
