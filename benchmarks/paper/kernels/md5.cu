// A search for the key of an MD5 hash: thread i hashes key i, twelve letters of which each stands for four bits of i.
__host__ __device__ inline unsigned int rotated(unsigned int x, int by) { return (x << by) | (x >> (32 - by)); }

#define MD5_STEP(f, a, b, c, d, word, constant, by) a = rotated(a + (f) + (word) + (constant), by) + b
#define MD5_F(b, c, d) (((c ^ d) & b) ^ d)
#define MD5_G(b, c, d) (((b ^ c) & d) ^ c)
#define MD5_H(b, c, d) (b ^ c ^ d)
#define MD5_I(b, c, d) (c ^ (b | ~d))
#define MD5_FOUR(f, w0, w1, w2, w3, k0, k1, k2, k3, s0, s1, s2, s3) \
  MD5_STEP(f(b, c, d), a, b, c, d, w0, k0, s0);                     \
  MD5_STEP(f(a, b, c), d, a, b, c, w1, k1, s1);                     \
  MD5_STEP(f(d, a, b), c, d, a, b, w2, k2, s2);                     \
  MD5_STEP(f(c, d, a), b, c, d, a, w3, k3, s3)

// Four letters of a key: 'a' to 'p' for each four bits.
__host__ __device__ inline unsigned int letters(unsigned int bits) {
  return 0x61616161u + ((bits & 15u) | (bits & 0xf0u) << 4 | (bits & 0xf00u) << 8 | (bits & 0xf000u) << 12);
}

// The digest of key `i`. A message of twelve bytes is one block: three words of letters, the bit behind them, its length.
__host__ __device__ inline uint4 digest(unsigned long long i) {
  const unsigned int w0 = letters((unsigned int)i & 0xffffu), w1 = letters((unsigned int)(i >> 16) & 0xffffu),
                     w2 = letters((unsigned int)(i >> 32) & 0xffffu), end = 0x80u, length = 96u;
  unsigned int a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u;
  MD5_FOUR(MD5_F, w0, w1, w2, end, 0xd76aa478u, 0xe8c7b756u, 0x242070dbu, 0xc1bdceeeu, 7, 12, 17, 22);
  MD5_FOUR(MD5_F, 0u, 0u, 0u, 0u, 0xf57c0fafu, 0x4787c62au, 0xa8304613u, 0xfd469501u, 7, 12, 17, 22);
  MD5_FOUR(MD5_F, 0u, 0u, 0u, 0u, 0x698098d8u, 0x8b44f7afu, 0xffff5bb1u, 0x895cd7beu, 7, 12, 17, 22);
  MD5_FOUR(MD5_F, 0u, 0u, length, 0u, 0x6b901122u, 0xfd987193u, 0xa679438eu, 0x49b40821u, 7, 12, 17, 22);
  MD5_FOUR(MD5_G, w1, 0u, 0u, w0, 0xf61e2562u, 0xc040b340u, 0x265e5a51u, 0xe9b6c7aau, 5, 9, 14, 20);
  MD5_FOUR(MD5_G, 0u, 0u, 0u, 0u, 0xd62f105du, 0x02441453u, 0xd8a1e681u, 0xe7d3fbc8u, 5, 9, 14, 20);
  MD5_FOUR(MD5_G, 0u, length, end, 0u, 0x21e1cde6u, 0xc33707d6u, 0xf4d50d87u, 0x455a14edu, 5, 9, 14, 20);
  MD5_FOUR(MD5_G, 0u, w2, 0u, 0u, 0xa9e3e905u, 0xfcefa3f8u, 0x676f02d9u, 0x8d2a4c8au, 5, 9, 14, 20);
  MD5_FOUR(MD5_H, 0u, 0u, 0u, length, 0xfffa3942u, 0x8771f681u, 0x6d9d6122u, 0xfde5380cu, 4, 11, 16, 23);
  MD5_FOUR(MD5_H, w1, 0u, 0u, 0u, 0xa4beea44u, 0x4bdecfa9u, 0xf6bb4b60u, 0xbebfbc70u, 4, 11, 16, 23);
  MD5_FOUR(MD5_H, 0u, w0, end, 0u, 0x289b7ec6u, 0xeaa127fau, 0xd4ef3085u, 0x04881d05u, 4, 11, 16, 23);
  MD5_FOUR(MD5_H, 0u, 0u, 0u, w2, 0xd9d4d039u, 0xe6db99e5u, 0x1fa27cf8u, 0xc4ac5665u, 4, 11, 16, 23);
  MD5_FOUR(MD5_I, w0, 0u, length, 0u, 0xf4292244u, 0x432aff97u, 0xab9423a7u, 0xfc93a039u, 6, 10, 15, 21);
  MD5_FOUR(MD5_I, 0u, end, 0u, w1, 0x655b59c3u, 0x8f0ccc92u, 0xffeff47du, 0x85845dd1u, 6, 10, 15, 21);
  MD5_FOUR(MD5_I, 0u, 0u, 0u, 0u, 0x6fa87e4fu, 0xfe2ce6e0u, 0xa3014314u, 0x4e0811a1u, 6, 10, 15, 21);
  MD5_FOUR(MD5_I, 0u, 0u, w2, 0u, 0xf7537e82u, 0xbd3af235u, 0x2ad7d2bbu, 0xeb86d391u, 6, 10, 15, 21);
  return uint4{a + 0x67452301u, b + 0xefcdab89u, c + 0x98badcfeu, d + 0x10325476u};
}

// `found` becomes the key's number and one.
//@tessera global i => reduce(max) found[0]
__global__ void md5_search(unsigned long long n, unsigned int x, unsigned int y, unsigned int z, unsigned int w,
                           unsigned long long* found) {
  const unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint4 own = digest(i);
  if (own.x == x && own.y == y && own.z == z && own.w == w) atomicMax(found, i + 1);
}
