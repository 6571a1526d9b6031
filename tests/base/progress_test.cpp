// SPDX-License-Identifier: MIT
#include "base/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hipwright {
namespace {

using testing::HasSubstr;

struct Screen {
  std::string text;
  std::chrono::steady_clock::time_point clock{};

  ProgressOutput output(bool live, bool quiet = false) {
    return {.live = live,
            .quiet = quiet,
            .colour = false,
            .width = 80,
            .write = [this](std::string_view t) { text += t; },
            .now = [this] { return clock; }};
  }
};

TEST(Progress, BarShowsShareRateAndTimeLeft) {
  Screen screen;
  Progress progress("cc", 100, "kernels", screen.output(true));
  screen.clock += std::chrono::seconds(5);
  progress.advance(50, "add.hip");
  EXPECT_THAT(
      screen.text,
      HasSubstr("cc [============            ] 50/100 kernels 50%, 10/s, 5.0 s left  add.hip"));
  EXPECT_THAT(screen.text, testing::StartsWith("\r\x1b[K"));
}

TEST(Progress, LogGetsSparseLines) {
  Screen screen;
  Progress progress("lint", 1000, "files", screen.output(false));
  for (int i = 0; i < 100; ++i) {
    screen.clock += std::chrono::milliseconds(250);
    progress.advance();
  }
  progress.finish();
  EXPECT_EQ(std::count(screen.text.begin(), screen.text.end(), '\n'),
            3);  // at 10 s, at 20 s, the end
  EXPECT_THAT(screen.text, testing::EndsWith("lint: 100 files in 25.0 s\n"));
  EXPECT_THAT(screen.text, testing::Not(HasSubstr("\x1b")));
}

TEST(Progress, QuietWritesNothing) {
  Screen screen;
  Progress progress("x", 2, "y", screen.output(true, true));
  screen.clock += std::chrono::hours(1);
  progress.advance(2);
  progress.finish();
  EXPECT_EQ(screen.text, "");
}

TEST(Progress, LongLinesAreCutAtTheTerminalsWidth) {
  Screen screen;
  Progress progress("x", 0, "files", screen.output(true));
  screen.clock += std::chrono::seconds(1);
  progress.advance(1, std::string(500, 'p'));
  EXPECT_LE(screen.text.size(), 80 + std::string_view("\r\x1b[K").size());
}

TEST(DurationText, PicksAReadableUnit) {
  EXPECT_EQ(duration_text(0.85), "850 ms");
  EXPECT_EQ(duration_text(12.34), "12.3 s");
  EXPECT_EQ(duration_text(245), "4 min 05 s");
  EXPECT_EQ(duration_text(7800), "2 h 10 min");
}

}  // namespace
}  // namespace hipwright
