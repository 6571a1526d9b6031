// SPDX-License-Identifier: MIT
#include "base/diagnostic.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hipwright {
namespace {

using testing::HasSubstr;

std::string rendered(const std::string& text, std::size_t offset, bool has_span) {
  Diagnostic diagnostic;
  diagnostic.path = "a.cu";
  diagnostic.message = "here";
  diagnostic.position = LineIndex(text).position(offset);
  if (has_span) diagnostic.span = {offset, offset + 1};
  return render(diagnostic, text, false);
}

TEST(Render, ShowsTheLineWithACaretBelow) {
  const std::string text = "one\n\ttwo x\nthree";
  EXPECT_THAT(rendered(text, text.find('x'), true), HasSubstr("  \ttwo x\n  \t    ^\n"));
  EXPECT_THAT(rendered(text, 0, true), HasSubstr("  one\n  ^\n"));
}

TEST(Render, EveryPlaceHasTheSameLineWithAndWithoutASpan) {
  const std::string text = "one\r\n\r\n\n\ttwo\nthree \xC3\xBC x\r\nlast";
  for (std::size_t at = 0; at < text.size(); ++at)
    EXPECT_EQ(rendered(text, at, true), rendered(text, at, false)) << at;
}

TEST(Render, OfALongLineShowsWhatIsAroundThePlace) {
  const std::string text = std::string(5000, 'a') + "HERE" + std::string(5000, 'b') + "\n";
  const std::string shown = rendered(text, 5000, true);
  EXPECT_LT(shown.size(), 1000U);
  EXPECT_THAT(shown, HasSubstr("aHEREb"));
  const std::size_t line = shown.find("  a"), caret = shown.find('^');
  const std::size_t below = shown.find("\n  ", line) + 1;
  EXPECT_EQ(shown.find("HERE") - line, caret - below);
}

}  // namespace
}  // namespace hipwright
