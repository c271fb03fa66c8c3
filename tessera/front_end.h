#pragma once

/// What a front end of its own includes beside tessera.h: the engine, and the requests that it submits. The five front
/// ends of Tessera use nothing else of the layers below. CONTRIBUTING.md tells how one is added.
#include "tessera/base/threads/wait_hook.h"
#include "tessera/plan/access/bound_accesses.h"
#include "tessera/runtime/array_record.h"
#include "tessera/runtime/engine.h"
#include "tessera/runtime/launch_request.h"
#include "tessera/runtime/report/rehearsal.h"
#include "tessera/runtime/through_host.h"
