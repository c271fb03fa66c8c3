#include "benchmarks/kernels/shuffle_sum_rival.cpp"
