// SPDX-License-Identifier: MIT
#include "project/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "port/ported.h"

namespace hipwright::port {
namespace {

using testing::HasSubstr;
using testing::Not;

TestPort port_with(const std::string& rules, const std::map<std::string, std::string>& files,
                   Mode mode = Mode::kHip) {
  Options options;
  options.mode = mode;
  auto parsed = project::parse_rules(rules, "rules");
  EXPECT_TRUE(parsed) << parsed.error().message();
  if (parsed) options.rules = *std::move(parsed);
  return port_files(files, options);
}

TEST(PortRules, SayWhatNamesAndHeadersBecome) {
  const auto ported = port_with(
      "[names]\nmy_cuda_alloc = \"my_hip_alloc\"\ncudaMalloc = \"pool_alloc\"\n"
      "[headers]\n\"my_cuda.h\" = \"my_hip.h\"\n",
      {{"a.cu",
        "#include \"my_cuda.h\"\nvoid f() { my_cuda_alloc(1); x.my_cuda_alloc(\"my_cuda_alloc\");\n"
        "cudaMalloc(0, 1); cudaFree(0); }\n"}});
  const std::string& text = ported.files.at("a.cu");
  EXPECT_THAT(text, HasSubstr("#include \"my_hip.h\""));
  EXPECT_THAT(text, HasSubstr("{ my_hip_alloc(1); x.my_cuda_alloc(\"my_cuda_alloc\");"));
  EXPECT_THAT(text, HasSubstr("pool_alloc(0, 1); hipFree(0);"));
}

TEST(PortRules, OfAHeaderGoBeforeTheTables) {
  const std::string rules = "[headers]\n\"cuda_runtime.h\" = \"my_runtime.h\"\n";
  const auto ported = port_with(rules, {{"a.cu", "#include <cuda_runtime.h>\nint x;\n"}});
  EXPECT_EQ(ported.files.at("a.cu"), "#include <my_runtime.h>\nint x;\n");
}

TEST(PortRules, KeepNamesAndLeaveFilesAlone) {
  const auto ported = port_with("ignore = [\"other/\"]\nkeep = [\"cudaStrange\", \"cudaFree\"]\n",
                                {{"a.cu", "void f() { cudaStrange(1); cudaFree(0); }\n"},
                                 {"other/b.cu", "void f() { cudaFree(0); }\n"}});
  EXPECT_THAT(ported.files.at("a.cu"), HasSubstr("cudaStrange(1); cudaFree(0);"));
  EXPECT_EQ(ported.said(), "");
  EXPECT_FALSE(ported.files.contains("other/b.cu"));
}

TEST(PortRules, HoldInBothModes) {
  const auto ported = port_with("[names]\nmy_alloc = \"my_hip_alloc\"\n",
                                {{"a.cu", "void f() { my_alloc(1); }\n"}}, Mode::kDual);
  std::string all = ported.files.at("a.cu");
  for (const auto& [path, content] : ported.added) all += content;
  EXPECT_THAT(all, HasSubstr("my_hip_alloc"));
}

}  // namespace
}  // namespace hipwright::port
