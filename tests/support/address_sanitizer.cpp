/// Part of every program that is built with the address sanitizer.
///
/// The leak check at the end looks into the thread-local memory of loaded libraries. Up to GCC 13 and Clang 16 it takes
/// a block that begins 16 bytes into a page for one of a C library older than 2.25, and reads its place and size from
/// the bytes before it: now and then it crashes on these instead of reporting ("Tracer caught signal 11"). Compiled
/// kernels keep their `__shared__` variables there. Without this interception it does not see such blocks at all.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "intercept_tls_get_addr=0"; }
