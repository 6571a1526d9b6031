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
