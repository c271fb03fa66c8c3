// Transforms by cuFFT, opened at run time.
#include <cufft.h>

#include <algorithm>
#include <list>
#include <memory>
#include <string>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/numeric/cuda/gpu_calls.h"
#include "tessera/numeric/library/shared_library.h"

namespace tessera::numeric {
namespace {

struct cufft_table {
  cufft_table()
      : library("cuFFT", cuda_files({"libcufft.so.12", "libcufft.so.11", "libcufft.so"}),
                "install CUDA's libraries (Debian: libcufft11; PyPI: nvidia-cufft), or set CUDA_HOME") {
    library.require(create, "cufftCreate");
    library.require(destroy, "cufftDestroy");
    library.require(make_plan, "cufftMakePlanMany64");
    library.require(set_stream, "cufftSetStream");
    library.require(c2c, "cufftExecC2C");
    library.require(r2c, "cufftExecR2C");
    library.require(c2r, "cufftExecC2R");
    library.require(z2z, "cufftExecZ2Z");
    library.require(d2z, "cufftExecD2Z");
    library.require(z2d, "cufftExecZ2D");
  }
  shared_library library;
  decltype(&cufftCreate) create = nullptr;
  decltype(&cufftDestroy) destroy = nullptr;
  decltype(&cufftMakePlanMany64) make_plan = nullptr;
  decltype(&cufftSetStream) set_stream = nullptr;
  decltype(&cufftExecC2C) c2c = nullptr;
  decltype(&cufftExecR2C) r2c = nullptr;
  decltype(&cufftExecC2R) c2r = nullptr;
  decltype(&cufftExecZ2Z) z2z = nullptr;
  decltype(&cufftExecD2Z) d2z = nullptr;
  decltype(&cufftExecZ2D) z2d = nullptr;
};

const cufft_table& cufft() {
  static const cufft_table* const table = new cufft_table;  // used by threads that outlive static objects
  return *table;
}

void check(cufftResult result, const char* doing) {
  if (result == CUFFT_SUCCESS) return;
  if (result == CUFFT_ALLOC_FAILED) throw out_of_memory(cat("cuFFT has no memory for ", doing));
  throw device_error(cat("cuFFT fails at ", doing, ": error ", static_cast<int>(result)));
}

cufftType type_of(const fft_lines& lines, bool wide) {
  switch (lines.kind) {
    case fft_kind::real_to_half:
      return wide ? CUFFT_D2Z : CUFFT_R2C;
    case fft_kind::half_to_real:
      return wide ? CUFFT_Z2D : CUFFT_C2R;
    default:
      return wide ? CUFFT_Z2Z : CUFFT_C2C;
  }
}

/// Lines that one call of cuFFT transforms: they begin at regular distances.
struct line_batch {
  fft_lines lines;
  bool wide = false, along_inner = false;
  std::int64_t count = 0;

  [[nodiscard]] bool is(const line_batch& other) const {
    return lines.kind == other.lines.kind && lines.length == other.lines.length && lines.inner == other.lines.inner &&
           wide == other.wide && along_inner == other.along_inner && count == other.count;
  }
};

/// A plan, with memory of cuFFT's own: how much depends on the GPU.
struct plan {
  plan(const line_batch& b, void* queue) : batch(b) {
    check(cufft().create(&handle), "making a plan");
    long long n = b.lines.length, from = b.lines.elements_from(), to = b.lines.elements_to();
    const long long step = b.lines.inner;
    std::size_t bytes = 0;
    check(cufft().make_plan(handle, 1, &n, &from, step, b.along_inner ? 1 : from * step, &to, step,
                            b.along_inner ? 1 : to * step, type_of(b.lines, b.wide), b.count, &bytes),
          "planning a transform");
    check(cufft().set_stream(handle, static_cast<cudaStream_t>(queue)), "choosing a queue");
  }
  ~plan() { cufft().destroy(handle); }
  plan(const plan&) = delete;
  plan& operator=(const plan&) = delete;

  line_batch batch;
  cufftHandle handle = 0;
};

/// The plans that a queue used last.
class plan_list {
 public:
  const plan& find(const line_batch& wanted, void* queue) {
    const auto found = std::find_if(plans_.begin(), plans_.end(), [&](const plan& p) { return p.batch.is(wanted); });
    if (found != plans_.end()) {
      plans_.splice(plans_.begin(), plans_, found);
      return plans_.front();
    }
    constexpr std::size_t most = 16;
    if (plans_.size() == most) plans_.pop_back();
    return plans_.emplace_front(wanted, queue);
  }

 private:
  std::list<plan> plans_;
};

void execute(const plan& p, const fft_lines& lines, bool wide, const void* from, void* to) {
  const int direction = lines.backward ? CUFFT_INVERSE : CUFFT_FORWARD;
  auto* const source = const_cast<void*>(from);
  cufftResult result = CUFFT_SUCCESS;
  switch (type_of(lines, wide)) {
    case CUFFT_C2C:
      result = cufft().c2c(p.handle, static_cast<cufftComplex*>(source), static_cast<cufftComplex*>(to), direction);
      break;
    case CUFFT_R2C:
      result = cufft().r2c(p.handle, static_cast<float*>(source), static_cast<cufftComplex*>(to));
      break;
    case CUFFT_C2R:
      result = cufft().c2r(p.handle, static_cast<cufftComplex*>(source), static_cast<float*>(to));
      break;
    case CUFFT_Z2Z:
      result = cufft().z2z(p.handle, static_cast<cufftDoubleComplex*>(source), static_cast<cufftDoubleComplex*>(to),
                           direction);
      break;
    case CUFFT_D2Z:
      result = cufft().d2z(p.handle, static_cast<double*>(source), static_cast<cufftDoubleComplex*>(to));
      break;
    default:
      result = cufft().z2d(p.handle, static_cast<cufftDoubleComplex*>(source), static_cast<double*>(to));
      break;
  }
  check(result, "a transform");
}

}  // namespace

void transform_on_gpu(native_call& call, const fft_lines& lines, bool wide) {
  if (lines.scale != 1) throw device_error("cuFFT does not scale what it transforms");
  constexpr int to_array = 3, from_array = 4;
  const box& points = call.points();
  const bool in_rows = lines.inner == 1;
  const std::int64_t outer_begin = points.lo[in_rows ? 0 : 1], outer = points.hi[in_rows ? 0 : 1] - outer_begin;
  const std::int64_t inner_begin = in_rows ? 0 : points.lo[0], inner = in_rows ? 1 : points.hi[0] - inner_begin;
  const line_batch batch{lines, wide, inner >= outer && !in_rows, inner >= outer && !in_rows ? inner : outer};
  const plan& p =
      call.handle<plan_list>("cufft", [] { return std::make_shared<plan_list>(); }).find(batch, call.queue());
  const std::int64_t real_bytes = wide ? 8 : 4;
  const std::int64_t from_bytes = real_bytes * (lines.kind == fft_kind::real_to_half ? 1 : 2),
                     to_bytes = real_bytes * (lines.kind == fft_kind::half_to_real ? 1 : 2);
  for (std::int64_t k = 0; k < (batch.along_inner ? outer : inner); ++k) {
    const std::int64_t o = outer_begin + (batch.along_inner ? k : 0), i = inner_begin + (batch.along_inner ? 0 : k);
    execute(p, lines, wide, call.array(from_array).data + (o * lines.elements_from() * lines.inner + i) * from_bytes,
            call.array(to_array).data + (o * lines.elements_to() * lines.inner + i) * to_bytes);
  }
}

}  // namespace tessera::numeric
