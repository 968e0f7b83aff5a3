// Exclusive or with a fixed number: exchanges the partitions in the same way in every turn.
// An echo: each voice is heard again, at half its loudness, `slots` ticks later. A tick of a voice is
// a record of eight bands of 64 floats. The last `slots` records of a voice are in its ring.

// Where float i of the rings lies.
__device__ unsigned place(unsigned i) {
  unsigned block = i / 64;
  block ^= 5;
  return 64 * block + i % 64;
}

__global__ void echo(const float* in, float* rings, float* peak, int ticks, int slots) {
  int voice = blockIdx.x, band = blockIdx.y, voices = gridDim.x;
  float loudest = 0.0f;
  for (int tick = 0; tick < ticks; ++tick) {
    float sound = in[((band * ticks + tick) * voices + voice) * 64 + threadIdx.x];
    int record = voice * slots + tick % slots;
    unsigned at = place(512 * record + 64 * band + threadIdx.x);
    if (tick >= slots) sound += 0.5f * rings[at];  // written one round ago
    rings[at] = sound;
    loudest = fmaxf(loudest, fabsf(sound));
  }
  peak[(band * voices + voice) * 64 + threadIdx.x] = loudest;
}

// One block of 64 threads per voice and band: all voices of band 0 first, then those of band 1, …
__host__ __device__ Launch launch(int voices) { return {dim3(voices, 8), dim3(64)}; }
