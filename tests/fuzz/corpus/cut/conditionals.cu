#ifdef A
int main(int c, char** v) {
#else
int main() {
#endif
#if 0
  }
#endif
}
#include "c.h"
extern "C" { __global__ void k(); void host(int); }
namespace a::b { int host() { return 0; } __device__ int f(); namespace { using T = int; } }
