// SPDX-License-Identifier: MIT
// A port of what is a port already changes nothing.
#include <gtest/gtest.h>

#include "port/ported.h"

namespace hipwright::port {
namespace {

const std::map<std::string, std::string> kProject = {
    {"src/a.cu",
     "#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n#include \"b.cuh\"\n"
     "#if CUDART_VERSION >= 12000\nvoid newer();\n#endif\n"
     "#if defined(__CUDACC__) && __CUDA_ARCH__ >= 800\nvoid wide();\n#endif\n"
     "__constant__ float table[4];\n"
     "__global__ void k(int* p) { p[0] = __shfl_down_sync(0xffffffff, p[1], 16) + __activemask(); "
     "}\n"
     "void f(float** p, float* q) {\n  cudaMalloc(p, 4);\n"
     "  cudaMemcpyToSymbol(table, q, 16);\n  k<<<1, 32>>>(nullptr);\n}\n"},
    {"src/b.cuh", "#pragma once\n#ifdef __CUDACC__\ninline cudaStream_t stream();\n#endif\n"},
    {"src/c.cu", "#include <cub/cub.cuh>\n__device__ int d(int x) { return __dp4a(x, x, 0); }\n"},
    {"src/d.cu", "#include <cub/cub.cuh>\n__global__ void k() {}\n"},
    {"CMakeLists.txt",
     "cmake_minimum_required(VERSION 3.21)\nproject(p LANGUAGES CXX CUDA)\n"
     "set(more src/c.cu)\nadd_library(l src/a.cu ${more})\n"
     "target_link_libraries(l PRIVATE CUDA::cublas)\n"},
    {"Makefile", "all: a\na: src/a.cu\n\tnvcc -arch=sm_80 -o $@ $<\n"},
    {"tool.py",
     "import torch\nimport pynvml\n\n\ndef step(x):\n    return x\n\n\n"
     "run = torch.compile(step, mode=\"reduce-overhead\")\n"
     "low, high = (torch.finfo(torch.float8_e4m3fn).min, torch.finfo(torch.float8_e4m3fn).max)\n"},
    {"requirements.txt", "torch==2.4.0\nflash-attn\nnvidia-cublas-cu12\n"}};

class Again : public testing::TestWithParam<Mode> {};

TEST_P(Again, NothingIsChanged) {
  Options options;
  options.mode = GetParam();
  const TestPort first = port_files(kProject, options);
  std::map<std::string, std::string> tree = first.files;
  tree.insert(first.added.begin(), first.added.end());
  EXPECT_NE(tree.at("src/a.cu"), kProject.at("src/a.cu"));
  EXPECT_NE(tree.at("CMakeLists.txt"), kProject.at("CMakeLists.txt"));
  const TestPort second = port_files(tree, options);
  for (const auto& [path, text] : second.files) EXPECT_EQ(text, tree.at(path)) << path;
  for (const auto& [path, text] : second.added) ADD_FAILURE() << "added once more: " << path;
}
INSTANTIATE_TEST_SUITE_P(Modes, Again, testing::Values(Mode::kHip, Mode::kDual));

TEST(AgainWithMore, NamesOfTheFirstPortStayWhenAnotherFileComes) {
  const TestPort first = port_files({{"a.cu", "void f(float** p) { cudaMalloc(p, 4); }\n"}});
  std::map<std::string, std::string> tree = first.files;
  tree.insert(first.added.begin(), first.added.end());
  tree["b.cu"] = "void g(void* p) { cudaFree(p); }\n";
  const std::string names = port_files(tree).added.at("hip_names.h");
  EXPECT_NE(names.find("#define cudaMalloc hipMalloc\n"), std::string::npos);
  EXPECT_NE(names.find("#define cudaFree hipFree\n"), std::string::npos);
}

}  // namespace
}  // namespace hipwright::port
