// SPDX-License-Identifier: MIT
// What device printf prints, against the host's own printf.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "soft/hip/hostcall.h"

namespace hipwright::soft::hip {
namespace {

using Words = std::vector<std::uint64_t>;

void add_string(Words& words, std::string_view text) {
  const std::size_t at = words.size();
  words.resize(at + text.size() / 8 + 1);
  std::memcpy(words.data() + at, text.data(), text.size());
}
std::uint64_t word(double value) {
  return std::bit_cast<std::uint64_t>(value);
}
// Integers arrive zero-extended.
std::uint64_t word(int value) {
  return static_cast<std::uint32_t>(value);
}

TEST(HipPrintf, NumbersAsTheHostPrintsThem) {
  const struct {
    const char* format;
    Words arguments;
    const char* expected;
  } cases[] = {
      {"plain", {}, "plain"},
      {"%d", {word(-5)}, "-5"},
      {"%5d|%-5d|%+d|% d|%05d",
       {word(42), word(42), word(42), word(42), word(42)},
       "   42|42   |+42| 42|00042"},
      {"%u %x %X %#x %o", {word(-1), 255, 255, 255, 8}, "4294967295 ff FF 0xff 10"},
      {"%ld %lld %zu", {~0ULL, ~0ULL, ~0ULL}, "-1 -1 18446744073709551615"},
      {"%hd %hhd", {0x1ffff, 0x1ff}, "-1 -1"},
      {"%c%c", {'o', 'k'}, "ok"},
      {"%f %.2f %8.3e %g %G %a",
       {word(1.5), word(2.25), word(1234.5), word(1e-10), word(1e20), word(1.0)},
       "1.500000 2.25 1.234e+03 1e-10 1E+20 0x1p+0"},
      {"%f %f", {word(std::numeric_limits<double>::infinity()), word(-0.0)}, "inf -0.000000"},
      {"%p", {0x1234}, "0x1234"},
      {"100%%", {}, "100%"},
      {"%*d|%-*d|%.*f",
       {word(6), word(7), word(-4), word(7), word(1), word(2.55)},
       "     7|7   |2.5"},
      {"%n%d", {1, word(2)}, "2"},
      {"%d and %d", {word(1)}, "1 and "},  // arguments end too early
      {"%d %", {word(1)}, "1 "},           // a conversion without an end
  };
  for (const auto& one : cases)
    EXPECT_EQ(format_arguments(one.format, one.arguments), one.expected) << one.format;
}

TEST(HipPrintf, StringsAreStoredInline) {
  Words words;
  add_string(words, "%s|%5s|%.2s|%-4s|%d");
  add_string(words, "12345678");  // fills its words: the zero is in one more
  add_string(words, "abc");
  add_string(words, "abcdef");
  add_string(words, "");
  words.push_back(9);
  EXPECT_EQ(format_message(words), "12345678|  abc|ab|    |9");
}

TEST(HipPrintf, DamageEndsTheMessage) {
  EXPECT_EQ(format_message({}), "");
  const Words unterminated(3, 0x6161616161616161);
  EXPECT_EQ(format_message(unterminated), std::string(24, 'a'));
  Words words;
  add_string(words, "%s");
  words.push_back(0x6262626262626262);  // a string without an end
  EXPECT_EQ(format_message(words), "bbbbbbbb");
  EXPECT_EQ(format_arguments("%*d", Words{0x7fffffff, 1}), "");  // no gigabytes of blanks
  // The host's printf would take words of its own stack, or addresses, for strings.
  for (const char* format : {"%9$s", "%S %d", "%y%s", "%I s"})
    EXPECT_EQ(format_arguments(format, Words{1, 1}), format);
}

}  // namespace
}  // namespace hipwright::soft::hip
