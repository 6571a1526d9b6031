// SPDX-License-Identifier: MIT
// Double precision. Division, square root and fma are correctly rounded on AMD GPUs: what the host
// computes must come back to the last bit. The matrix product uses f64 matrix cores where there
// are any (gfx90a and later CDNA), plain fma elsewhere; both add in the order of k.
#include "../common/check.h"

constexpr int kThreads = 128;

struct Line {
  double quotient, root, product_error, converted, polynomial;
};

__host__ __device__ Line basics(double x, double y) {
  Line line;
  line.quotient = x / y;
  line.root = sqrt(fabs(x));
  line.product_error = fma(x, y, -(x * y));  // what rounding the product loses
  line.converted = static_cast<double>(static_cast<float>(x)) -
                   static_cast<double>(static_cast<long long>(y * 1e6));
  double sum = 0;
  for (int i = 0; i < 12; ++i) sum = fma(sum, y, x - i);
  line.polynomial = sum;
  return line;
}

__global__ void all_basics(const double* x, const double* y, Line* out, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) out[i] = basics(x[i], y[i]);
}

// Square n×n matrices; n is a multiple of 16. One block of one wave per 16×16 tile.
__global__ void gemm(const double* a, const double* b, double* c, int n) {
  const int lane = threadIdx.x, row = blockIdx.y * 16, column = blockIdx.x * 16;
#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
  using f64x4 = double __attribute__((ext_vector_type(4)));
  f64x4 sum = {};
  for (int k = 0; k < n; k += 4) {
    const int inner = k + lane / 16;
    sum = __builtin_amdgcn_mfma_f64_16x16x4f64(a[(row + lane % 16) * n + inner],
                                               b[inner * n + column + lane % 16], sum, 0, 0, 0);
  }
  for (int i = 0; i < 4; ++i) c[(row + 4 * i + lane / 16) * n + column + lane % 16] = sum[i];
#else
  for (int i = lane; i < 256; i += blockDim.x) {
    double sum = 0;
    for (int k = 0; k < n; ++k)
      sum = fma(a[(row + i / 16) * n + k], b[k * n + column + i % 16], sum);
    c[(row + i / 16) * n + column + i % 16] = sum;
  }
#endif
}

bool same(double a, double b) {
  return a == b || (a != a && b != b);
}

int main() {
  constexpr int kCount = 4000, n = 48;
  Numbers numbers(9);
  const auto random = [&] {
    const double unit = static_cast<double>(numbers.unit()) + numbers.unit() * 1e-9;
    return std::ldexp(unit, static_cast<int>(numbers.next() % 41) - 20);
  };
  std::vector<double> x(kCount), y(kCount), a(n * n), b(n * n);
  for (double& value : x) value = random();
  for (double& value : y) value = random();
  for (double& value : a) value = random();
  for (double& value : b) value = random();
  x[0] = 1, y[0] = 0;          // infinity
  x[1] = 0x1p-1060, y[1] = 3;  // denormals
  x[2] = 0x1.fffffffffffffp1023, y[2] = 0.7;

  const DeviceArray<double> dx(x), dy(y), da(a), db(b), dc(n * n);
  const DeviceArray<Line> lines(kCount);
  int wave = 0;
  HIP_CHECK(hipDeviceGetAttribute(&wave, hipDeviceAttributeWarpSize, 0));
  all_basics<<<(kCount + kThreads - 1) / kThreads, kThreads>>>(dx.get(), dy.get(), lines.get(),
                                                               kCount);
  gemm<<<dim3(n / 16, n / 16), wave>>>(da.get(), db.get(), dc.get(), n);
  finish_launch();

  const std::vector<Line> got = lines.download();
  const std::vector<double> c = dc.download();
  Verdict verdict;
  for (int i = 0; i < kCount; ++i) {
    const Line want = basics(x[i], y[i]);
    verdict.expect(same(got[i].quotient, want.quotient), "%a / %a is %a", x[i], y[i],
                   got[i].quotient);
    verdict.expect(same(got[i].root, want.root), "root of %a is %a", x[i], got[i].root);
    verdict.expect(same(got[i].product_error, want.product_error), "fma of %a, %a is %a", x[i],
                   y[i], got[i].product_error);
    verdict.expect(i == 2 || same(got[i].converted, want.converted), "conversion of %a, %a is %a",
                   x[i], y[i], got[i].converted);
    verdict.expect(same(got[i].polynomial, want.polynomial), "polynomial of %a, %a is %a", x[i],
                   y[i], got[i].polynomial);
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum = std::fma(a[i * n + k], b[k * n + j], sum);
      verdict.expect(c[i * n + j] == sum, "C[%d][%d] is %a, expected %a", i, j, c[i * n + j], sum);
    }
  return verdict.print("double precision to the last bit");
}
