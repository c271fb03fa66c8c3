#pragma once

/// Tessera: all the GPUs or CPU cores of a machine or a cluster as one big GPU. This is all a program includes.
#include "tessera/array/array.h"
#include "tessera/array/context.h"
#include "tessera/array/distribution.h"
#include "tessera/array/kernel.h"
#include "tessera/array/value.h"
#include "tessera/base/error.h"
#include "tessera/base/float16.h"
#include "tessera/comm/communicator.h"
