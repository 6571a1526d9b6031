// SPDX-License-Identifier: MIT
#include "verify/flow.h"

#include <functional>

#include <gtest/gtest.h>

#include "verify/folder.h"

namespace hipwright::verify {
namespace {

struct Case {
  const char* name;
  std::function<void(FlowOptions&)> set;
  const char* advice;  // empty: the options go together
};

TEST(Flow, RefusesOptionsThatContradictEachOther) {
  const Case cases[] = {
      {"plain", [](FlowOptions&) {}, ""},
      {"compiled in place", [](FlowOptions& o) { o.compiles = o.in_place = true; }, ""},
      {"renamed for both", [](FlowOptions& o) { o.renames = true; }, "--mode hip"},
      {"renamed for HIP",
       [](FlowOptions& o) {
         o.renames = o.verifies = true;
         o.port.mode = port::Mode::kHip;
       },
       ""},
      {"verified in place", [](FlowOptions& o) { o.verifies = o.in_place = true; }, "--out DIR"},
      {"fixed but not verified", [](FlowOptions& o) { o.fixes = true; }, "--verify"},
      {"fixed", [](FlowOptions& o) { o.fixes = o.verifies = true; }, ""},
  };
  for (const Case& each : cases) {
    FlowOptions options;
    options.port.path = "tree";
    each.set(options);
    const Status checked = check(options);
    EXPECT_EQ(checked.has_value(), *each.advice == '\0') << each.name;
    if (!checked) {
      EXPECT_NE(checked.error().message().find(each.advice), std::string::npos) << each.name;
    }
  }
}

TEST(Flow, WithoutAStageItOnlyPorts) {
  const TestFolder tree({{"a.cu", "#include <cuda_runtime.h>\nvoid f() { cudaFree(nullptr); }\n"}});
  FlowOptions options;
  options.port.path = tree.path();
  options.port.mode = port::Mode::kHip;
  const auto flow = run_flow(options);
  ASSERT_TRUE(flow) << flow.error().message();
  EXPECT_FALSE(flow->compiled);
  EXPECT_EQ(flow->proven(), nullptr);
  EXPECT_TRUE(flow->succeeded());
  EXPECT_NE(flow->ported.files.at(0).after().find("hipFree"), std::string::npos);
}

TEST(Flow, ATreeWithoutSourcesIsAnError) {
  const TestFolder empty, notes({{"README.md", "nothing\n"}});
  TestFolder binary;
  binary.add("a.cu", std::string("\0\1\2", 3));
  for (const TestFolder* tree : {&empty, &notes, static_cast<const TestFolder*>(&binary)}) {
    FlowOptions options;
    options.port.path = tree->path();
    const auto flow = run_flow(options);
    ASSERT_FALSE(flow);
    EXPECT_NE(flow.error().message().find("no sources in"), std::string::npos);
    EXPECT_EQ(flow.error().message().find("a.cu: not read: binary") != std::string::npos,
              tree == &binary);
  }
}

}  // namespace
}  // namespace hipwright::verify
