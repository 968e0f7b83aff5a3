#include "d.h"
#include "c.h"
__global__ void __launch_bounds__(256) k(int* o) {
#include "b.h"
  *o = 1; }
#undef HD
operator int() = delete; bool operator==(P a, P b) { return true; }