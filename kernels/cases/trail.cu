// Case 5: each thread follows a chain of places.

__global__ void kernel(const unsigned* next, unsigned* out, int stretch, int steps) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  unsigned at = i * stretch;
  for (int step = 0; step < steps; ++step) at = next[at];
  out[i] = at;
}
