// SPDX-License-Identifier: MIT
// A kernel that is text until the program runs: compiled by NVRTC, loaded and launched through the
// driver API.
#include <cuda.h>
#include <nvrtc.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#if __has_include(<hipwright/golden.h>)
#include <hipwright/golden.h>
#else
#define hipwright_golden(...)  // keeps no results
#endif

#define CU_CHECK(call)                                                     \
  do {                                                                     \
    CUresult status = (call);                                              \
    if (status != CUDA_SUCCESS) {                                          \
      const char* text = nullptr;                                          \
      cuGetErrorString(status, &text);                                     \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, text); \
      exit(1);                                                             \
    }                                                                      \
  } while (0)

#define NVRTC_CHECK(call)                                              \
  do {                                                                 \
    nvrtcResult status = (call);                                       \
    if (status != NVRTC_SUCCESS) {                                     \
      fprintf(stderr, "%s: %s\n", #call, nvrtcGetErrorString(status)); \
      exit(1);                                                         \
    }                                                                  \
  } while (0)

static const char* kSource = R"(
extern "C" __global__ void polynomial(const float* x, float* y, float a, float b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = (a * x[i] + b) * x[i] + OFFSET;
}
)";

static std::vector<char> compile() {
  nvrtcProgram program;
  NVRTC_CHECK(nvrtcCreateProgram(&program, kSource, "polynomial.cu", 0, nullptr, nullptr));
  const char* options[] = {"-DOFFSET=0.5f", "--std=c++17"};
  const nvrtcResult compiled = nvrtcCompileProgram(program, 2, options);
  if (compiled != NVRTC_SUCCESS) {
    size_t size = 0;
    NVRTC_CHECK(nvrtcGetProgramLogSize(program, &size));
    std::string log(size, '\0');
    NVRTC_CHECK(nvrtcGetProgramLog(program, &log[0]));
    fprintf(stderr, "%s\n", log.c_str());
    exit(1);
  }
  size_t size = 0;
  NVRTC_CHECK(nvrtcGetPTXSize(program, &size));
  std::vector<char> code(size);
  NVRTC_CHECK(nvrtcGetPTX(program, code.data()));
  NVRTC_CHECK(nvrtcDestroyProgram(&program));
  return code;
}

int main() {
  CU_CHECK(cuInit(0));
  CUdevice device;
  CUcontext context;
  CU_CHECK(cuDeviceGet(&device, 0));
  char name[256];
  CU_CHECK(cuDeviceGetName(name, sizeof name, device));
  CU_CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CU_CHECK(cuCtxSetCurrent(context));
  printf("%s\n", name);

  const std::vector<char> code = compile();
  CUmodule module;
  CUfunction function;
  CU_CHECK(cuModuleLoadData(&module, code.data()));
  CU_CHECK(cuModuleGetFunction(&function, module, "polynomial"));

  int n = 1000;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) x[i] = 0.01f * i;
  CUdeviceptr dx, dy;
  CU_CHECK(cuMemAlloc(&dx, n * sizeof(float)));
  CU_CHECK(cuMemAlloc(&dy, n * sizeof(float)));
  CU_CHECK(cuMemcpyHtoD(dx, x.data(), n * sizeof(float)));
  CU_CHECK(cuMemsetD32(dy, 0, n));

  float a = 2.0f, b = -3.0f;
  void* arguments[] = {&dx, &dy, &a, &b, &n};
  CUstream stream;
  CU_CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CU_CHECK(cuStreamSynchronize(nullptr));
  CU_CHECK(
      cuLaunchKernel(function, (n + 127) / 128, 1, 1, 128, 1, 1, 0, stream, arguments, nullptr));
  CU_CHECK(cuStreamSynchronize(stream));
  CU_CHECK(cuMemcpyDtoH(y.data(), dy, n * sizeof(float)));

  hipwright_golden("y", y);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const float expected = (a * x[i] + b) * x[i] + 0.5f;
    if (std::fabs(y[i] - expected) > 1e-3f * (1.0f + std::fabs(expected))) ++wrong;
  }
  CU_CHECK(cuMemFree(dx));
  CU_CHECK(cuMemFree(dy));
  CU_CHECK(cuStreamDestroy(stream));
  CU_CHECK(cuModuleUnload(module));
  CU_CHECK(cuDevicePrimaryCtxRelease(device));
  printf(wrong == 0 ? "PASS\n" : "FAIL: %d values are wrong\n", wrong);
  return wrong != 0;
}
