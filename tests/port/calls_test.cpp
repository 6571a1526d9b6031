// SPDX-License-Identifier: MIT
// Calls whose arguments differ.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "port/ported.h"

namespace hipwright::port {
namespace {

using ::testing::HasSubstr;

std::string body(const std::string& text) {
  const std::string after = to_hip("#include <cuda_runtime.h>\n" + text);
  return after.substr(after.find('\n') + 1);
}

TEST(Calls, KeepWhatStandsBetweenTheirArguments) {
  EXPECT_EQ(body("int e = cudaMemcpyToSymbol(  c,  // where to\n"
                 "                           cudaHostOf(p), /* bytes */ 16 );\n"),
            "int e = hipMemcpyToSymbol(  HIP_SYMBOL(c),  // where to\n"
            "                           cudaHostOf(p), /* bytes */ 16 );\n");
  EXPECT_EQ(body("#define PUT(c) cudaMemcpyToSymbol(c, \\\n    p, 16)\n"),
            "#define PUT(c) hipMemcpyToSymbol(HIP_SYMBOL(c), \\\n    p, 16)\n");
}

// What CUDA's functions take when nothing is given, HIP's want to be told.
TEST(Calls, GetWhatHipHasNoDefaultFor) {
  EXPECT_EQ(body("int e = cudaLaunchCooperativeKernel((void*)k, g, b, a);\n"),
            "int e = hipLaunchCooperativeKernel((void*)k, g, b, a, 0, nullptr);\n");
  EXPECT_EQ(body("int e = cudaLaunchCooperativeKernel(k, g, b, a, n);\n"),
            "int e = hipLaunchCooperativeKernel(reinterpret_cast<const void*>(k), g, b, a, n, "
            "nullptr);\n");
  EXPECT_EQ(body("int e = cudaLaunchCooperativeKernel((void*)k, g, b, a, n, s);\n"),
            "int e = hipLaunchCooperativeKernel((void*)k, g, b, a, n, s);\n");
  EXPECT_EQ(body("int e = cudaEventRecordWithFlags(e, s);\n"),
            "int e = hipEventRecordWithFlags(e, s, 0);\n");
  EXPECT_EQ(body("int e = cudaGraphInstantiateWithFlags(&x, g);\n"),
            "int e = hipGraphInstantiateWithFlags(&x, g, 0);\n");
  EXPECT_EQ(body("int e = cudaStreamGetCaptureInfo(s, &status);\n"),
            "int e = hipStreamIsCapturing(s, &status);\n");
}

// CUDA 13 has one argument more for the data of edges, which HIP's graphs have not.
TEST(Calls, DropTheDataOfEdges) {
  EXPECT_EQ(body("int e = cudaGraphAddNode(&n, g, d, nullptr, 1, &p);\n"),
            "int e = hipGraphAddNode(&n, g, d, 1, &p);\n");
  EXPECT_EQ(body("int e = cudaGraphNodeGetDependencies(n, d, nullptr, &count);\n"),
            "int e = hipGraphNodeGetDependencies(n, d, &count);\n");
  EXPECT_EQ(body("int e = cudaGraphRemoveDependencies(g, a, b, nullptr, 1);\n"),
            "int e = hipGraphRemoveDependencies(g, a, b, 1);\n");
}

TEST(Calls, WithPreprocessorLinesAmongTheirArgumentsAreForPeople) {
  const std::string text =
      "#include <cuda_runtime.h>\nvoid f() {\n  cudaMemcpyToSymbol(c,\n#ifdef X\n    p,\n#else\n"
      "    q,\n#endif\n    16);\n}\n";
  const TestPort port = port_files({{"a.cu", text}}, {.mode = Mode::kHip});
  EXPECT_EQ(port.said(), "HP207:3");
  EXPECT_THAT(port.files.at("a.cu"), HasSubstr("hipMemcpyToSymbol(c,\n#ifdef X\n    p,\n#else\n"));
}

}  // namespace
}  // namespace hipwright::port
