#pragma once

#include "tests/device/backend_suite_data.h"
#include "tests/device/backend_suite_order.h"

/// What every backend must do. A backend's test file defines one or more worlds and names them:
///   struct cpu_two { static constexpr int devices = 2; static constexpr bool computes = true, chains = false;
///                    static std::unique_ptr<backend> make(cpu_options); };
///   BACKEND_SUITE(cpu_two, ...);
/// Device memory is touched through the backend's verbs alone. Where `computes` is false only order is checked; where
/// `chains` is true work is admitted, and given to the device, before what it waits for has ended.
/// Instantiates every test of the suite for the worlds named.
#define BACKEND_SUITE(...)                                    \
  namespace tessera::device::suite {                          \
  TEST_CASE_TEMPLATE_INVOKE(names_devices, __VA_ARGS__);      \
  TEST_CASE_TEMPLATE_INVOKE(runs_out_of_memory, __VA_ARGS__); \
  }                                                           \
  BACKEND_WORK_SUITE(__VA_ARGS__)

/// Those tests that do not concern the number of cores and bytes of a device.
#define BACKEND_WORK_SUITE(...)                                         \
  namespace tessera::device::suite {                                    \
  TEST_CASE_TEMPLATE_INVOKE(takes_pages_back, __VA_ARGS__);             \
  TEST_CASE_TEMPLATE_INVOKE(copies_boxes, __VA_ARGS__);                 \
  TEST_CASE_TEMPLATE_INVOKE(fills_boxes, __VA_ARGS__);                  \
  TEST_CASE_TEMPLATE_INVOKE(folds, __VA_ARGS__);                        \
  TEST_CASE_TEMPLATE_INVOKE(keeps_queue_order, __VA_ARGS__);            \
  TEST_CASE_TEMPLATE_INVOKE(runs_diamonds, __VA_ARGS__);                \
  TEST_CASE_TEMPLATE_INVOKE(runs_random_graphs, __VA_ARGS__);           \
  TEST_CASE_TEMPLATE_INVOKE(skips_what_is_not_admitted, __VA_ARGS__);   \
  TEST_CASE_TEMPLATE_INVOKE(tells_before_the_event, __VA_ARGS__);       \
  TEST_CASE_TEMPLATE_INVOKE(reports_exceptions, __VA_ARGS__);           \
  TEST_CASE_TEMPLATE_INVOKE(ends_in_order, __VA_ARGS__);                \
  TEST_CASE_TEMPLATE_INVOKE(takes_work_from_many_threads, __VA_ARGS__); \
  TEST_CASE_TEMPLATE_INVOKE(refuses_unknown_queues, __VA_ARGS__);       \
  }                                                                     \
  static_assert(true)
