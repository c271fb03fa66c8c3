/// Part of every program that is built with the thread sanitizer.
///
/// An exception that several threads hold by `std::exception_ptr` is counted by libstdc++, with atomic operations that
/// the sanitizer does not see, since that library is not built with it: who destroys the exception last seems to race
/// with all who have read it. Only reports whose stack goes through that last release are left out.
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
  return "race:std::__exception_ptr::exception_ptr::_M_release\n";
}
