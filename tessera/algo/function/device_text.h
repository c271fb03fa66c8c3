#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

/// The contents are host code, and text that kernels of skeletons are made of: functions, structs, constants. At
/// namespace scope; no preprocessor directives inside. Functions and types in it may use those of other blocks.
///
///     TS_DEVICE(
///     struct body { float x, y, m; };
///     float mass(body b) { return b.m; })
#define TS_DEVICE(...)                                                                                          \
  __VA_ARGS__                                                                                                   \
  static const ::tessera::algo::device_block TS_UNIQUE_NAME(ts_device_block_){#__VA_ARGS__, __FILE__, __LINE__, \
                                                                              [] { return __PRETTY_FUNCTION__; }()};
/// A file that the program includes itself, as device text. `path` is relative to the file that names it.
#define TS_DEVICE_FILE(path)                                                   \
  static const ::tessera::algo::device_block TS_UNIQUE_NAME(ts_device_block_){ \
      ::tessera::algo::device_file{path}, __FILE__, __LINE__, [] { return __PRETTY_FUNCTION__; }()};

#define TS_JOINED_NAME(a, b) a##b
#define TS_NAME_WITH_LINE(name, line) TS_JOINED_NAME(name, line)
#define TS_UNIQUE_NAME(name) TS_NAME_WITH_LINE(name, __COUNTER__)

// Words of CUDA that device text may have; on the host they mean nothing.
#ifndef __CUDACC__
#ifndef __host__
#define __host__
#endif
#ifndef __device__
#define __device__
#endif
#endif

namespace tessera::algo {

struct device_file {
  const char* path;
};

/// What TS_DEVICE makes: a block of device text that is known from then on. `signature` is of a lambda where the block
/// stands, and tells its namespaces.
class device_block {
 public:
  device_block(const char* text, const char* file, int line, const char* signature);
  device_block(device_file path, const char* file, int line, const char* signature);
};

/// The known blocks that the words of `text` need, and the blocks which these need, in the order of registration, each
/// in its namespaces and with its line. Throws `argument_error` if two of them define one type differently, with both
/// places, and `io_error` for a file that cannot be read.
[[nodiscard]] std::string blocks_needed_by(std::string_view text);
/// True if a block declares `name`, which may be qualified.
[[nodiscard]] bool is_declared(std::string_view name);
/// The longest beginning of `scope` that is the namespace of a known block: where text of a function finds its names.
[[nodiscard]] std::string known_scope(std::string_view scope);
/// `text` within the namespaces `scope` ("a::b").
[[nodiscard]] std::string in_namespace(std::string_view scope, std::string_view text);

}  // namespace tessera::algo
