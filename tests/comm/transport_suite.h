#pragma once

#include "tests/comm/transport_suite_control.h"
#include "tests/comm/transport_suite_messages.h"

/// What every transport must do. A transport's test file names one or more worlds:
///   struct local_two { static constexpr bool limits_messages = false; static void run(const body& act); };
///   TRANSPORT_SUITE(local_two, ...);
/// `run` makes a new network, calls `act` on each of its ranks that this process holds, and reports what it throws.
/// `limits_messages`: messages go in such small pieces that large ones take too long.
/// Instantiates every test of the suite for the worlds named.
#define TRANSPORT_SUITE(...)                                         \
  namespace tessera::comm::suite {                                   \
  TEST_CASE_TEMPLATE_INVOKE(takes_any_order, __VA_ARGS__);           \
  TEST_CASE_TEMPLATE_INVOKE(receives_before_and_after, __VA_ARGS__); \
  TEST_CASE_TEMPLATE_INVOKE(carries_every_size, __VA_ARGS__);        \
  TEST_CASE_TEMPLATE_INVOKE(carries_many, __VA_ARGS__);              \
  TEST_CASE_TEMPLATE_INVOKE(orders_arrivals, __VA_ARGS__);           \
  TEST_CASE_TEMPLATE_INVOKE(keeps_payloads, __VA_ARGS__);            \
  TEST_CASE_TEMPLATE_INVOKE(takes_many_threads, __VA_ARGS__);        \
  TEST_CASE_TEMPLATE_INVOKE(lists_pending, __VA_ARGS__);             \
  TEST_CASE_TEMPLATE_INVOKE(carries_notes, __VA_ARGS__);             \
  TEST_CASE_TEMPLATE_INVOKE(answers_in_listener, __VA_ARGS__);       \
  TEST_CASE_TEMPLATE_INVOKE(changes_listeners, __VA_ARGS__);         \
  TEST_CASE_TEMPLATE_INVOKE(closes_behind_messages, __VA_ARGS__);    \
  TEST_CASE_TEMPLATE_INVOKE(spreads_aborts, __VA_ARGS__);            \
  TEST_CASE_TEMPLATE_INVOKE(settles_aborts, __VA_ARGS__);            \
  TEST_CASE_TEMPLATE_INVOKE(aborts_large_messages, __VA_ARGS__);     \
  TEST_CASE_TEMPLATE_INVOKE(aborts_on_wrong_sizes, __VA_ARGS__);     \
  }                                                                  \
  TRANSPORT_CONTROL_SUITE(__VA_ARGS__)

/// Those tests in which no rank needs another.
#define TRANSPORT_CONTROL_SUITE(...)                            \
  namespace tessera::comm::suite {                              \
  TEST_CASE_TEMPLATE_INVOKE(refuses_long_notes, __VA_ARGS__);   \
  TEST_CASE_TEMPLATE_INVOKE(opens_once, __VA_ARGS__);           \
  TEST_CASE_TEMPLATE_INVOKE(goes_on_after_aborts, __VA_ARGS__); \
  TEST_CASE_TEMPLATE_INVOKE(explains_aborts, __VA_ARGS__);      \
  }                                                             \
  static_assert(true)
