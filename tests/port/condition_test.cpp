// SPDX-License-Identifier: MIT
// Conditions as NVIDIA's compiler sees them: with AMD's macros undefined.
#include "port/isolation/condition.h"

#include <gtest/gtest.h>

namespace hipwright::port {
namespace {

using Kind = Condition::Kind;

// With U and V undefined; all other names are open.
Condition condition(std::string_view text) {
  const auto lexed = syntax::cuda::lex(text);
  const std::span<const syntax::cuda::Token> tokens(lexed.list);
  return simplified(text, tokens.first(tokens.size() - 1),
                    [](std::string_view name) { return name == "U" || name == "V"; });
}

TEST(Condition, HasTheTruthValueThatThePreprocessorGivesIt) {
  const char* is_true[] = {"1",         "!U",        "2 > 1",          "U || 1",
                           "!(U && X)", "U ? 0 : 1", "900 >= 900",     "900 <= 900",
                           "1 || X",    "X || !V",   "100000 > 99999", "!defined(U)",
                           "1 ? 1 : 0", "not U",     "U == V"};
  const char* is_false[] = {"0",         "U",         "U || V", "U && X",    "X && U",
                            "900 < 900", "900 > 900", "0 && X", "F(1) && U", "F(G(1), 2) && U",
                            "!1",        "U ? 1 : 0", "0 * X",  "defined U", "1 < 1"};
  for (const char* text : is_true)
    EXPECT_EQ(condition(text).kind, Kind::kTrue) << text << ": " << condition(text).text;
  for (const char* text : is_false)
    EXPECT_EQ(condition(text).kind, Kind::kFalse) << text << ": " << condition(text).text;
}

TEST(Condition, OfOpenNamesIsOpen) {
  for (const char* text :
       {"X", "U || X", "X && 1", "X > 1", "F(1)", "U X", "0 1", "U(1)", "X ? 1 : 0", "( U"})
    EXPECT_EQ(condition(text).kind, Kind::kOpen) << text;
}

TEST(Condition, IsTheSameIfItMeansTheSame) {
  const std::pair<const char*, const char*> same[] = {{"U || X", "X"},
                                                      {"X && !U", "X"},
                                                      {"!!X", "X"},
                                                      {"(X)", "X"},
                                                      {"X && Y", "(X) && (Y)"},
                                                      {"X + 0 > 1", "X > 1"},
                                                      {"X || Y && Z", "X || (Y && Z)"},
                                                      {"X - Y - Z > 1", "(X - Y) - Z > 1"}};
  for (const auto& [a, b] : same) EXPECT_EQ(condition(a).text, condition(b).text) << a;
}

TEST(Condition, DiffersIfItMeansSomethingElse) {
  const std::pair<const char*, const char*> others[] = {{"(1 && X) == 2", "X == 2"},
                                                        {"!!X == 2", "X == 2"},
                                                        {"(U || X) == 2", "X == 2"},
                                                        {"X - Y - Z > 1", "X - (Y - Z) > 1"},
                                                        {"X || Y && Z", "(X || Y) && Z"},
                                                        {"X", "!X"},
                                                        {"X ? Y : Z", "X ? Z : Y"},
                                                        {"X * U", "X + U"},
                                                        {"F(1)", "F(2)"}};
  for (const auto& [a, b] : others) EXPECT_NE(condition(a).text, condition(b).text) << a;
}

}  // namespace
}  // namespace hipwright::port
