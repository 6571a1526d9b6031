// SPDX-License-Identifier: MIT
// Which line a finding names when the compiler has inlined the function that did it.
#include "soft/check/source_lines.h"

#include <gmock/gmock.h>

#include "base/json.h"
#include "soft/check/checks.h"
#include "soft/machine.h"

namespace hipwright::soft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(SourceLines, SystemHeadersAreKnownByTheirPath) {
  for (const char* path :
       {"/usr/include/c++/12/cmath", "/usr/lib/llvm-22/lib/clang/22/include/__clang_hip_math.h",
        "/opt/rocm-6.4.0/include/rocprim/rocprim.hpp",
        "/home/me/.cache/hipwright/sdk/0123456789abcdef/include/hip/amd_detail/sync_functions.h",
        "/tools/rocm/include/hip/amd_detail/amd_warp_functions.h",
        "/tools/rocm/include/hip/hip_fp8.h", "/tools/llvm/lib/clang/22/include/stddef.h"})
    EXPECT_TRUE(is_system_header(path)) << path;
  for (const char* path : {"/home/me/app.hip", "/home/me/hipwright/app.hip", "app.hip",
                           "/home/me/project/include/hip/kernels.h", "/usr/local/src/app.hip"})
    EXPECT_FALSE(is_system_header(path)) << path;
}

TEST(SourceLines, TheInnermostFrameOfTheUserIsShown) {
  const SourceFrame header{.function = "f()", .file = "/usr/include/f.h", .line = 1};
  const SourceFrame inner{.function = "g()", .file = "/home/me/g.h", .line = 2};
  const SourceFrame outer{.function = "h()", .file = "/home/me/h.hip", .line = 3};
  const auto shown = [](std::vector<SourceFrame> frames) {
    const SourceFrame* own = own_frame(frames);
    return own ? own->place() : "nothing";
  };
  EXPECT_EQ(shown({header, inner, outer}), "/home/me/g.h:2");
  EXPECT_EQ(shown({header, outer}), "/home/me/h.hip:3");
  EXPECT_EQ(shown({outer}), "/home/me/h.hip:3");
  EXPECT_EQ(shown({header}), "/usr/include/f.h:1");
  EXPECT_EQ(shown({}), "nothing");
}

// A store past the end, in a function of a header, called by a function of the user's.
constexpr std::string_view kChain = R"(
#line 10 "/opt/rocm/include/hip/amd_detail/stores.h"
static __device__ inline void put(int* to, int value) {
  *to = value;
}
#line 20 "/home/me/user.hip"
namespace user {
static __device__ inline void each(int* values, int i) {
  put(values + i, i);
}
}
extern "C" __global__ void overrun(int* values) {
  user::each(values, tid_x);
}
)";

class InlineChain : public testing::TestWithParam<std::string> {};

TEST_P(InlineChain, IsInTextAndJson) {
  Machine machine(GetParam(), kChain, {"-O3", "-g"});
  Checks checks(CheckOptions{});
  machine.engine.watch = checks.watch_factory();
  ASSERT_TRUE(machine.launch("overrun", over(1, 64), machine.zeros<int>(60)));
  const std::vector<CheckFinding> all = checks.findings().all();
  ASSERT_EQ(all.size(), 1U) << checks.findings().text();
  EXPECT_EQ(all[0].kind, FindingKind::kOutOfBounds);
  EXPECT_EQ(all[0].place.source, "/home/me/user.hip:22");
  EXPECT_THAT(
      text_of(all[0]),
      HasSubstr("  /home/me/user.hip:22\n"
                "      #0 put(int*, int) at /opt/rocm/include/hip/amd_detail/stores.h:11, inlined "
                "into\n"
                "      #1 user::each(int*, int) at /home/me/user.hip:22, inlined into\n"
                "      #2 overrun at /home/me/user.hip:26\n"));
  const Json place = checks.findings().json()[0]["place"];
  EXPECT_EQ(place["source"], "/home/me/user.hip:22");
  std::vector<std::string> frames;
  for (const Json& frame : place["frames"])
    frames.push_back(frame["function"].get<std::string>() + " " + frame["file"].get<std::string>() +
                     " " + std::to_string(frame["line"].get<unsigned>()));
  EXPECT_THAT(frames, ElementsAre("put(int*, int) /opt/rocm/include/hip/amd_detail/stores.h 11",
                                  "user::each(int*, int) /home/me/user.hip 22",
                                  "overrun /home/me/user.hip 26"));
}

TEST(SourceLines, NothingWithoutDebugInformation) {
  Machine machine("gfx942", kChain, {"-O3"});
  EXPECT_TRUE(source_frames(*machine.image, machine.image->kernel("overrun")->entry).empty());
}

INSTANTIATE_TEST_SUITE_P(Targets, InlineChain, testing::ValuesIn(all_targets()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace hipwright::soft
