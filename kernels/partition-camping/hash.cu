// Reference: the partition of a block is the exclusive or of all digits of its number, three bits each.
__device__ unsigned place(unsigned i) {
  unsigned digits = i / 64, fold = 0;
  for (int bit = 0; bit < 32; bit += 3) fold ^= digits >> bit & 7;
  return (digits / 8 * 8 + fold) * 64 + i % 64;
}

__global__ void echo(const float* in, float* rings, float* peak, int ticks, int slots) {
  int first = blockIdx.x * slots;
  float loudest = 0.0f;
  for (int tick = 0; tick < ticks; ++tick) {
    int from = (blockIdx.y * ticks + tick) * gridDim.x + blockIdx.x;
    float sound = in[from * 64 + threadIdx.x];
    unsigned at = place(((first + tick % slots) * 8 + blockIdx.y) * 64 + threadIdx.x);
    if (tick >= slots) sound += 0.5f * rings[at];
    rings[at] = sound;
    loudest = fmaxf(loudest, fabsf(sound));
  }
  peak[(blockIdx.y * gridDim.x + blockIdx.x) * 64 + threadIdx.x] = loudest;
}

__host__ __device__ Launch launch(int voices) { return {dim3(voices, 8), dim3(64)}; }
