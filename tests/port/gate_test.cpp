// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "port/ported.h"

namespace hipwright::port {
namespace {

const std::string kIf = "#if defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)\n";

TestPort dual(const std::map<std::string, std::string>& files) {
  return port_files(files, {.mode = Mode::kDual});
}

TEST(Gate, NamesAreDefinedInAHeaderForAmd) {
  const TestPort port =
      dual({{"src/a.cu", "#include <cuda_runtime.h>\nvoid f(void* p) { cudaFree(p); }\n"}});
  EXPECT_EQ(port.files.at("src/a.cu"),
            kIf +
                "#include \"../hip_names.h\"\n#include <hip/hip_runtime.h>\n#else\n"
                "#include <cuda_runtime.h>\n#endif\nvoid f(void* p) { cudaFree(p); }\n");
  EXPECT_NE(port.added.at("hip_names.h").find("#define cudaFree hipFree\n"), std::string::npos);
}

TEST(Gate, OtherChangesAreBranchesWithTheOldLines) {
  const TestPort port = dual({{"a.cu",
                               "__device__ int f(int x) {\n"
                               "  return __shfl_sync(~0u,\n"
                               "                     x, 0);\n"
                               "}\n"}});
  EXPECT_EQ(port.files.at("a.cu"), kIf +
                                       "#include \"hip_compat.h\"\n#endif\n"
                                       "__device__ int f(int x) {\n" +
                                       kIf +
                                       "  return warp32::shfl_sync(~0u,\n"
                                       "                     x, 0);\n"
                                       "#else\n"
                                       "  return __shfl_sync(~0u,\n"
                                       "                     x, 0);\n"
                                       "#endif\n"
                                       "}\n");
}

TEST(Gate, ConditionsAskForBoth) {
  const TestPort port = dual({{"a.h",
                               "#ifdef __CUDACC__\n#endif\n#ifndef __CUDACC__\n#endif\n"
                               "#if X && defined(__CUDACC__)\n#endif\n"
                               "#if defined __CUDACC__\n#endif\n"}});
  EXPECT_EQ(port.files.at("a.h"),
            "#if defined(__CUDACC__) || defined(__HIPCC__)\n#endif\n"
            "#if !defined(__CUDACC__) && !defined(__HIPCC__)\n#endif\n"
            "#if X && (defined(__CUDACC__) || defined(__HIPCC__))\n#endif\n"
            "#if (defined(__CUDACC__) || defined(__HIPCC__))\n#endif\n");
}

TEST(Gate, ArchitecturesAreComparedAsNumbers) {
  const TestPort port =
      dual({{"a.cuh", "#if __CUDA_ARCH__ >= 600\n#endif\n#ifdef __CUDA_ARCH__\n#endif\n"}});
  EXPECT_EQ(port.files.at("a.cuh"),
            "#if (__CUDA_ARCH__ + (__HIP_DEVICE_COMPILE__ * 700)) >= 600\n#endif\n"
            "#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)\n#endif\n");
}

TEST(Gate, MacrosAreBranchedAsAWhole) {
  const TestPort port =
      dual({{"a.cu", "#define SUM(x) \\\n  x += __shfl_down(x, 1); \\\n  x += 1\n"}});
  EXPECT_EQ(port.files.at("a.cu"),
            kIf +
                "#include \"hip_compat.h\"\n"
                "#define SUM(x) \\\n  x += warp32::shfl_down(x, 1); \\\n  x += 1\n"
                "#else\n"
                "#define SUM(x) \\\n  x += __shfl_down(x, 1); \\\n  x += 1\n"
                "#endif\n");
}

TEST(Gate, LinesThatABackslashContinuesStayTogether) {
  const TestPort port = dual({{"a.cu", "#define SUM(x) __shfl_down(x, 1) \\\n\nint a;\n"}});
  EXPECT_TRUE(port.files.at("a.cu").ends_with(
      "#else\n#define SUM(x) __shfl_down(x, 1) \\\n\n#endif\nint a;\n"))
      << port.files.at("a.cu");
}

TEST(Gate, AFileThatNeedsNothingStays) {
  const std::string text = "int f() { return 32; }\n";
  const TestPort port = dual({{"a.cpp", text}});
  EXPECT_EQ(port.files.at("a.cpp"), text);
  EXPECT_TRUE(port.added.empty());
}

}  // namespace
}  // namespace hipwright::port
