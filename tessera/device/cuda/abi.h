#pragma once
/* What a compiled CUDA kernel and the process that launches it agree on. Plain C++: this text is also put in front of
   every kernel that is compiled at run time. Change TESSERA_CUDA_ABI with every change here. */

#define TESSERA_CUDA_ABI 1

/* The last parameter of `tessera_entry`, passed by value behind the kernel's own parameters. */
struct tessera_cuda_grid {
  unsigned first[3]; /* added to the real blockIdx: the first block of this part of the launch */
  unsigned count[3]; /* virtual gridDim: the whole launch */
  /* Read only by the variant with private results, where it may still be null: device memory, one entry per kernel
     parameter. An entry is null, or the device table of that parameter's addresses, one per real block, x fastest. */
  const unsigned long long* const* results;
};
static_assert(sizeof(tessera_cuda_grid) == 32, "device and host must agree");
static_assert(alignof(tessera_cuda_grid) == 8, "device and host must agree");
