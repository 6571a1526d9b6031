// SPDX-License-Identifier: MIT
// A kernel that is compiled at run time, with NVRTC's options.
#include <cuda.h>
#include <nvrtc.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

const char* const kSource =
    "extern \"C\" __global__ void f(float* x) {\n"
    "  x[0] = x[0] / SIZE;\n"
    "  x[1] = isinf(x[1]) ? 1.0f : 0.0f;\n"
    "}\n";

int main() {
  cuInit(0);
  CUdevice device;
  CUcontext context;
  cuDeviceGet(&device, 0);
  cuCtxCreate(&context, 0, device);
  nvrtcProgram program;
  nvrtcCreateProgram(&program, kSource, "f.cu", 0, nullptr, nullptr);
  const std::string architecture = "--gpu-architecture=compute_" + std::to_string(80);
  std::vector<const char*> options = {architecture.c_str(), "--use_fast_math", "-lineinfo",
                                      "--define-macro",     "SIZE=4",          "--std=c++17"};
  if (nvrtcCompileProgram(program, int(options.size()), options.data()) != NVRTC_SUCCESS) {
    std::size_t size = 0;
    nvrtcGetProgramLogSize(program, &size);
    std::string log(size, ' ');
    nvrtcGetProgramLog(program, &log[0]);
    puts(log.c_str());
    return 1;
  }
  std::size_t size = 0;
  nvrtcGetPTXSize(program, &size);
  std::string code(size, ' ');
  nvrtcGetPTX(program, &code[0]);
  CUmodule module;
  CUfunction function;
  cuModuleLoadData(&module, code.data());
  cuModuleGetFunction(&function, module, "f");
  float host[2] = {6, INFINITY};
  CUdeviceptr x;
  cuMemAlloc(&x, sizeof host);
  cuMemcpyHtoD(x, host, sizeof host);
  void* arguments[] = {&x};
  cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
  cuMemcpyDtoH(host, x, sizeof host);
  puts(std::fabs(host[0] - 1.5f) < 1e-5f && host[1] == 1 ? "PASS" : "FAIL");
  return 0;
}
