// SPDX-License-Identifier: MIT
#include "project/path.h"

#include <gtest/gtest.h>

#include "project/file_facts.h"

namespace hipwright::project {
namespace {

TEST(Path, NamesAndFolders) {
  EXPECT_EQ(name_of("src/a.cu"), "a.cu");
  EXPECT_EQ(name_of("a.cu"), "a.cu");
  EXPECT_EQ(folder_of("src/x/a.cu"), "src/x");
  EXPECT_EQ(folder_of("a.cu"), "");
  EXPECT_EQ(folder_prefix("src/x/a.cu"), "src/x/");
  EXPECT_EQ(folder_prefix("a.cu"), "");
}

TEST(Path, JoinedStaysInTheTree) {
  EXPECT_EQ(join_path("a/b", "../c//./d.cu"), "a/c/d.cu");
  EXPECT_EQ(join_path("a", ".."), "");
  EXPECT_EQ(join_path("a", "/b"), "b");
  EXPECT_EQ(join_path("a", "../../b"), std::nullopt);
}

TEST(Path, EndsWithWholeParts) {
  EXPECT_TRUE(ends_with_path("a/b/c.h", "b/c.h"));
  EXPECT_TRUE(ends_with_path("c.h", "c.h"));
  EXPECT_FALSE(ends_with_path("a/xc.h", "c.h"));
}

TEST(FileFacts, TargetsInPaths) {
  EXPECT_TRUE(facts_of_path("kernels/sm90/a.cu").names_nvidia_target);
  EXPECT_TRUE(facts_of_path("kernels/SM100a.cu").names_nvidia_target);
  EXPECT_FALSE(facts_of_path("kernels/small/a.cu").names_nvidia_target);
  EXPECT_TRUE(facts_of_path("kernels/gfx90a/a.cu").is_rocm_specific);
}

}  // namespace
}  // namespace hipwright::project
