#pragma once

#include <tessera/algo.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/skepu/byte_model/call_log.h"

/// The applications with which SkePU's containers were evaluated (Dastgeer, Kessler, 2016), on Tessera's.
namespace tessera::bench::skepu {

struct run_settings {
  std::int64_t size = 0;  ///< Bodies, particles or elements; rows (and columns) of matrices and images.
  int steps = 1;          ///< Time steps, or images; LU makes as many as it has rows to eliminate.
  container_options where{};
  /// Containers return to the host after each call that uses them: the rival that keeps nothing on devices.
  bool copy_each_call = false;
  /// N-body keeps so many time steps in containers of their own; two are the least.
  int states = 2;
};

/// One application with its containers. `prepare`, then `run`, then the others, as often as wanted.
class application {
 public:
  explicit application(const run_settings& settings) : settings_(settings) {}
  virtual ~application() = default;
  application(const application&) = delete;
  application& operator=(const application&) = delete;

  /// Gives the containers their contents. Where devices make them, they stay there; the host's stay with the host.
  virtual void prepare() = 0;
  /// All calls of skeletons, and what the host then looks at. Waits only for that.
  virtual void run() = 0;
  /// Throws std::runtime_error if the result of `run` is wrong.
  virtual void check() const = 0;
  /// The result as bytes; equal on any number of devices and ranks.
  [[nodiscard]] virtual std::vector<std::byte> result() const = 0;

  /// The calls since the beginning of `prepare`.
  [[nodiscard]] const call_log& log() const { return log_; }

 protected:
  [[nodiscard]] const run_settings& settings() const { return settings_; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(settings_.size); }
  /// Forgets the calls of an earlier run; `count` containers of this shape.
  void begin_log(int count, const logged_container& shape);
  void add_to_log(const logged_container& shape) { log_.containers.push_back(shape); }
  void loop_begins() { log_.loop_begins(); }
  /// To be called behind every call of a skeleton.
  void called(std::vector<call_operand> operands);
  /// On GPUs, which round a product and a sum once: results differ from those of loops on the host by roundings.
  [[nodiscard]] bool is_rounded_once() const;
  void looked_at(int container, std::int64_t lo, std::int64_t hi) { log_.host_read(container, lo, hi); }
  /// Brings a container back to the host.
  virtual void flush(int container) = 0;

 private:
  run_settings settings_;
  call_log log_;
};

/// Throws std::runtime_error.
void require(bool is, const std::string& sentence);

template <class T>
[[nodiscard]] std::vector<std::byte> bytes_of_all(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

// clang-format off
[[nodiscard]] std::unique_ptr<application> make_nbody(const run_settings& settings);
/// LU factorisation without pivots in the paper's way: each call reads the whole matrix and writes another.
[[nodiscard]] std::unique_ptr<application> make_lu(const run_settings& settings);
/// LU factorisation in place: calls change a part of the matrix and read one row and one column of it.
[[nodiscard]] std::unique_ptr<application> make_lu_in_place(const run_settings& settings);
/// Smoothed particle hydrodynamics, all pairs.
[[nodiscard]] std::unique_ptr<application> make_sph(const run_settings& settings);
[[nodiscard]] std::unique_ptr<application> make_mandelbrot(const run_settings& settings);
/// Pearson's product-moment correlation coefficient of two vectors.
[[nodiscard]] std::unique_ptr<application> make_ppmcc(const run_settings& settings);
/// The mean squared error of two images.
[[nodiscard]] std::unique_ptr<application> make_mse(const run_settings& settings);
// clang-format on

/// An application by the name it has in rows and tables: "nbody", "lu", ...
struct named_application {
  std::string name;
  std::unique_ptr<application> (*make)(const run_settings& settings);
};
/// The six of the paper, in its order.
[[nodiscard]] const std::vector<named_application>& paper_applications();

}  // namespace tessera::bench::skepu
