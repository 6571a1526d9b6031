// SPDX-License-Identifier: MIT
#include "base/words.h"

#include <gtest/gtest.h>

namespace hipwright {
namespace {

TEST(Words, AreFoundIgnoringCase) {
  EXPECT_TRUE(contains_word("FULL_WARP_MASK", "warp"));
  EXPECT_TRUE(contains_word("import pil", "PIL"));
  EXPECT_TRUE(contains_word("kWarpSize", "WarpSize"));
  EXPECT_FALSE(contains_word("kWarpSize", "warp_size"));
  EXPECT_FALSE(contains_word("wave", "waves"));
}

}  // namespace
}  // namespace hipwright
