/// Part of every program that is built with the thread sanitizer.
///
/// Two libraries that are not built with it synchronise by atomic operations that the sanitizer does not see, so it
/// reports races that are none:
/// - libstdc++ counts the holders of a `std::exception_ptr`: the thread that destroys the exception seems to race with
///   all threads that have read it. Only reports whose stack goes through that last release or the destructor of an
///   error are left out; the library's own frames do not always have a name.
/// - NVRTC publishes mutexes that one thread made to its other threads. Only reports with a frame inside NVRTC itself
///   are left out: it calls nothing of ours.
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
  return "race:std::__exception_ptr::exception_ptr::_M_release\n"
         "race:std::__exception_ptr::__dest_thunk\n"
         "race:tessera::error::~error\n"
         "race:libnvrtc.so\n";
}
