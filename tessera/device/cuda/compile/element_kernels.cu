// Compiled for one type of elements at a time, behind a definition of `element_type`.
extern "C" __global__ void tessera_prepare(const __grid_constant__ tessera_slots s, const u64** parameters,
                                           int parameter, int clear, u32 lanes,
                                           const __grid_constant__ tessera_value identity) {
  prepare<element_type>(s, parameters, parameter, clear, lanes, identity);
}
extern "C" __global__ void tessera_combine(const __grid_constant__ tessera_slots s,
                                           const __grid_constant__ tessera_combination c, u8* partial,
                                           const __grid_constant__ tessera_value identity) {
  combine<element_type>(s, c, partial, identity);
}
extern "C" __global__ void tessera_combine_few(const __grid_constant__ tessera_slots s,
                                               const __grid_constant__ tessera_combination c, u8* partial,
                                               const __grid_constant__ tessera_value identity) {
  combine_few<element_type>(s, c, partial, identity);
}
extern "C" __global__ void tessera_finish(const __grid_constant__ tessera_slots s,
                                          const __grid_constant__ tessera_combination c, const u8* partial, u32 lanes,
                                          const __grid_constant__ tessera_value identity) {
  finish<element_type>(s, c, partial, lanes, identity);
}
