// Case 8, repaired: the sine from a polynomial of the ninth degree, on the multiply-add units.

__global__ void kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float x = fabsf(in[i]) + 0.01f;
  for (int pass = 0; pass < 4; ++pass) {
    const float s = x * x;
    const float sine = x * (1.0f + s * (-1.0f / 6 + s * (1.0f / 120 + s * (-1.0f / 5040 + s * (1.0f / 362880)))));
    x = __powf(x, 0.45f) / (1.0f + __expf(-x)) + sine;
  }
  out[i] = x;
}
