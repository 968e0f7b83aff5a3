// expect broken: what another student handed in
#include "../good/fixture-scale.cu"
