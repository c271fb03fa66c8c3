// What combines the elements of one parameter by a registered operation. This text stands in front of the user's, with the
// other built-in texts and in a namespace of their own; `__tessera_reduction_kernels` stands behind it, where a macro of the
// user may have any plain name.

// An element whose operation `O` has a type, an identity and a way to combine two of them.
template <class O>
struct registered_element {
  typename O::__tessera_type value;
};
template <class O>
static __device__ __forceinline__ registered_element<O> apply(int, registered_element<O> a, registered_element<O> b) {
  O::__tessera_combine(a.value, b.value);
  return a;
}
template <class O>
static __device__ __forceinline__ registered_element<O> identity_of(const tessera_value&, const registered_element<O>*) {
  return {O::__tessera_identity()};
}

template <class O>
struct __tessera_kernels {
  typedef registered_element<O> T;
  static __device__ __forceinline__ void __tessera_prepare(const tessera_slots& s, const u64** parameters, int parameter,
                                                           int clear, u32 lanes, const tessera_value& value) {
    prepare<T>(s, parameters, parameter, clear, lanes, value);
  }
  static __device__ __forceinline__ void __tessera_combine(const tessera_slots& s, const tessera_combination& c,
                                                           u8* partial, const tessera_value& value) {
    combine<T>(s, c, partial, value);
  }
  static __device__ __forceinline__ void __tessera_combine_few(const tessera_slots& s, const tessera_combination& c,
                                                               u8* partial, const tessera_value& value) {
    combine_few<T>(s, c, partial, value);
  }
  static __device__ __forceinline__ void __tessera_finish(const tessera_slots& s, const tessera_combination& c,
                                                          const u8* partial, u32 lanes, const tessera_value& value) {
    finish<T>(s, c, partial, lanes, value);
  }
  static __device__ __forceinline__ void __tessera_fold(u8* target, const u8* source, const tessera_box& b) {
    fold<T>(target, source, b, 0);
  }
  static __device__ __forceinline__ void __tessera_fill(u8* target, const tessera_box& b) {
    const T identity = {O::__tessera_identity()};
    for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < b.total; i += (i64)gridDim.x * blockDim.x) {
      i64 t, s;
      locate(b, i, t, s);
      *(T*)(target + t) = identity;
    }
  }
};

// The kernels for parameter `P` of operation `O`, with the parameters of those for built-in operations (element_kernels.cu,
// builtin_kernels.cu).
#define __tessera_reduction_kernels(P, O)                                                                              \
  extern "C" __global__ void tessera_prepare_##P(                                                                      \
      const __grid_constant__ __tessera_private::tessera_slots __tessera_s, const unsigned long long** __tessera_list, \
      int __tessera_parameter, int __tessera_clear, unsigned __tessera_lanes,                                          \
      const __grid_constant__ __tessera_private::tessera_value __tessera_v) {                                          \
    __tessera_private::__tessera_kernels<O>::__tessera_prepare(__tessera_s, __tessera_list, __tessera_parameter,       \
                                                               __tessera_clear, __tessera_lanes, __tessera_v);         \
  }                                                                                                                    \
  extern "C" __global__ void tessera_combine_##P(                                                                      \
      const __grid_constant__ __tessera_private::tessera_slots __tessera_s,                                            \
      const __grid_constant__ __tessera_private::tessera_combination __tessera_c, unsigned char* __tessera_p,          \
      const __grid_constant__ __tessera_private::tessera_value __tessera_v) {                                          \
    __tessera_private::__tessera_kernels<O>::__tessera_combine(__tessera_s, __tessera_c, __tessera_p, __tessera_v);    \
  }                                                                                                                    \
  extern "C" __global__ void tessera_combine_few_##P(                                                                  \
      const __grid_constant__ __tessera_private::tessera_slots __tessera_s,                                            \
      const __grid_constant__ __tessera_private::tessera_combination __tessera_c, unsigned char* __tessera_p,          \
      const __grid_constant__ __tessera_private::tessera_value __tessera_v) {                                          \
    __tessera_private::__tessera_kernels<O>::__tessera_combine_few(__tessera_s, __tessera_c, __tessera_p,              \
                                                                   __tessera_v);                                       \
  }                                                                                                                    \
  extern "C" __global__ void tessera_finish_##P(                                                                       \
      const __grid_constant__ __tessera_private::tessera_slots __tessera_s,                                            \
      const __grid_constant__ __tessera_private::tessera_combination __tessera_c, const unsigned char* __tessera_p,    \
      unsigned __tessera_lanes, const __grid_constant__ __tessera_private::tessera_value __tessera_v) {                \
    __tessera_private::__tessera_kernels<O>::__tessera_finish(__tessera_s, __tessera_c, __tessera_p, __tessera_lanes,  \
                                                              __tessera_v);                                            \
  }                                                                                                                    \
  extern "C" __global__ void tessera_fold_##P(unsigned char* __tessera_t, const unsigned char* __tessera_s,            \
                                              const __tessera_private::tessera_box __tessera_b, int) {                 \
    __tessera_private::__tessera_kernels<O>::__tessera_fold(__tessera_t, __tessera_s, __tessera_b);                    \
  }                                                                                                                    \
  extern "C" __global__ void tessera_fill_##P(unsigned char* __tessera_t,                                              \
                                              const __tessera_private::tessera_box __tessera_b) {                      \
    __tessera_private::__tessera_kernels<O>::__tessera_fill(__tessera_t, __tessera_b);                                 \
  }
