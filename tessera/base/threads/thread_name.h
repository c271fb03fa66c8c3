#pragma once

#include <pthread.h>

namespace tessera {

/// Names the calling thread for debuggers and profilers; at most 15 characters.
inline void name_this_thread(const char* name) noexcept { pthread_setname_np(pthread_self(), name); }

}  // namespace tessera
