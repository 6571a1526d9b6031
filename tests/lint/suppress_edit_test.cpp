// SPDX-License-Identifier: MIT
#include "lint/suppress_edit.h"

#include <gtest/gtest.h>

namespace hipwright::lint {
namespace {

// The text after the first finding of this rule was suppressed, or "" where no comment can stand.
std::string suppressed(const std::string& path, const std::string& text, const std::string& code) {
  const auto report = lint_text({}, path, text);
  for (const Finding& finding : report->findings) {
    if (finding.code != code) continue;
    const auto edit = suppressing_edit(Source(path, text), finding, "so it is");
    if (!edit) return "";
    const auto edited = apply_edits(text, {&*edit, 1});
    const auto again = lint_text({}, path, *edited);
    EXPECT_EQ(again->findings.size(), report->findings.size() - 1) << *edited;
    return *edited;
  }
  ADD_FAILURE() << code << " is not found";
  return "";
}

constexpr const char* kUse = "__device__ bool f(int n) { return __any(n < WARP_SIZE); }\n";

TEST(SuppressingEdit, IsAppendedToTheLine) {
  const std::string use = kUse;
  EXPECT_EQ(suppressed("a.cu", "#define WARP_SIZE 32\n" + use, "HW101"),
            "#define WARP_SIZE 32  // hipwright: ignore[HW101] so it is\n" + use);
  EXPECT_EQ(suppressed("a.cu", "#define WARP_SIZE 32\r\n" + use, "HW101"),
            "#define WARP_SIZE 32  // hipwright: ignore[HW101] so it is\r\n" + use);
  EXPECT_EQ(suppressed("a.cu", "#define WARP_SIZE 32  // lanes\n" + use, "HW101"),
            "#define WARP_SIZE 32  // lanes  // hipwright: ignore[HW101] so it is\n" + use);
  EXPECT_EQ(suppressed("a.py", "import pynvml\n", "HW711"),
            "import pynvml  # hipwright: ignore[HW711] so it is\n");
  EXPECT_EQ(suppressed("requirements.txt", "torch==2.4\n", "HW805"),
            "torch==2.4  # hipwright: ignore[HW805] so it is\n");
}

TEST(SuppressingEdit, BeforeTheBackslashOfAMacro) {
  const std::string use = kUse;
  EXPECT_EQ(suppressed("a.cu", "#define WARP_SIZE \\\n  32\n" + use, "HW101"),
            "#define WARP_SIZE /* hipwright: ignore[HW101] so it is */ \\\n  32\n" + use);
}

TEST(SuppressingEdit, ExtendsAnExistingSuppression) {
  const std::string text =
      std::string("#define WARP_SIZE 32  // hipwright: ignore[HW102] RDNA\n") + kUse;
  const auto report = lint_text({}, "a.cu", text);
  const auto found = std::find_if(report->findings.begin(), report->findings.end(),
                                  [](const Finding& each) { return each.code == "HW101"; });
  ASSERT_NE(found, report->findings.end());
  const auto edit = suppressing_edit(Source("a.cu", text), *found);
  ASSERT_TRUE(edit);
  EXPECT_EQ(edit->replacement, ", HW101");
}

TEST(SuppressingEdit, TheTodoReasonIsReported) {
  const std::string text = std::string("#define WARP_SIZE 32\n") + kUse;
  const auto report = lint_text({}, "a.cu", text);
  const auto edit = suppressing_edit(Source("a.cu", text), report->findings.front());
  ASSERT_TRUE(edit);
  const auto again = lint_text({}, "a.cu", *apply_edits(text, {&*edit, 1}));
  ASSERT_EQ(again->findings.size(), 1U);
  EXPECT_EQ(again->findings[0].code, "HW001");
}

}  // namespace
}  // namespace hipwright::lint
