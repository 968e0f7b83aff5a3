// expect broken: the worked solution by its absolute path
#include "@DATA@/solutions/fixture/scale.cu"
