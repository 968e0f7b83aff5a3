const char* t() { return R"x(} __global__ " )x"; }
char c = '\'', d = '"'; int n = 1'000'000; float h = 0x1p-3f;
__device__ int g(); // a comment \
int hidden() { return 1; }
#define LONG /* of
several lines */ 1
enum class Kind : int { kOne, kTwo }; typedef struct { int x, y; } Pair;
template <class T, int N = (1 > 0)> T host(T t) { return t; }
P::P(int a) : x{a}, y(a) { host(); }
auto l = [](int a) { return a; };
