#include <hip/hip_runtime.h>
#define RESTRICT __restrict__
#define COUNT unsigned
typedef float real;
using index = long long;
typedef struct { float x, y; } Pair;
struct Params { int rows, cols; double scale; };
enum class Mode : unsigned char { kA };
enum Old { kB };
namespace a::b {
namespace {
template <class T, int N = 4, bool... kFlags>
__global__ void rows(T const* RESTRICT x, T* y, COUNT n, Mode mode) { y[0] = x[0]; }
}
__global__ void k(Params p, const Pair* in, float4* out, index n, Old old, int2 tile) { out[0].x = in[0].x; }
}
__global__ void tables(const float* const* rows, void* out, float by[], std::size_t n = 3) { (void)rows; }
