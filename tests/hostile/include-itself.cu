// expect broken: itself, again and again
#include "fixture-scale.cu"
