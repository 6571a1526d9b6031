// SPDX-License-Identifier: MIT
#include "syntax/text.h"

#include <gtest/gtest.h>

namespace hipwright::syntax {

namespace {

using namespace std::string_literals;

struct Case {
  std::string bytes;
  std::string text;
  Encoding encoding;
  bool is_binary = false;
};

TEST(Text, IsReadAndWrittenBackInItsEncoding) {
  const Case cases[] = {
      {"", "", Encoding::kUtf8},
      {"int größe; // plain, longer than eight bytes",
       "int größe; // plain, longer than eight bytes", Encoding::kUtf8},
      {"\xEF\xBB\xBFint", "int", Encoding::kUtf8Bom},
      {"\xEF\xBB\xBF\xFF", "\xFF", Encoding::kUtf8Bom},
      {"\xFF\xFEi\0\n\0"s, "i\n", Encoding::kUtf16Le},
      {"\xFE\xFF\0i\0\n"s, "i\n", Encoding::kUtf16Be},
      {"\xFF\xFE\x3D\xD8\x00\xDE"s, "😀", Encoding::kUtf16Le},
      {"\xFE\xFF\xD8\x3D\xDE\x00"s, "😀", Encoding::kUtf16Be},
      {"\xFF\xFE\x3D\xD8x\0"s, "\xED\xA0\xBDx", Encoding::kUtf16Le},  // half a pair
      {"\xFF\xFE\0\0"s, "\0"s, Encoding::kUtf16Le, true},
      {"\xFF\xFEi"s, "\xFF\xFEi", Encoding::kBytes},
      {"gr\xF6\xDF"
       "e",
       "gr\xF6\xDF"
       "e",
       Encoding::kBytes},
      {"cut off \xE2\x82", "cut off \xE2\x82", Encoding::kBytes},
      {"\x7F"
       "ELF\2\1\1\0"s,
       "\x7F"
       "ELF\2\1\1\0"s,
       Encoding::kUtf8, true},
      {"\xC0\x80", "\xC0\x80", Encoding::kBytes},          // longer than needed
      {"\xED\xA0\x80", "\xED\xA0\x80", Encoding::kBytes},  // a surrogate
      {"\xF4\x90\x80\x80", "\xF4\x90\x80\x80", Encoding::kBytes},
  };
  for (const Case& each : cases) {
    const Text text = decode(each.bytes);
    EXPECT_EQ(text.bytes, each.text);
    EXPECT_EQ(text.encoding, each.encoding) << each.text;
    EXPECT_EQ(text.is_binary, each.is_binary) << each.text;
    EXPECT_EQ(encode(text.bytes, text.encoding), each.bytes) << each.text;
  }
}

TEST(Text, KeepsEveryPairOfBytesOfUtf16) {
  std::string bytes = "\xFE\xFF";
  for (unsigned unit = 0; unit < 0x10000; ++unit) {
    bytes.push_back(static_cast<char>(unit >> 8));
    bytes.push_back(static_cast<char>(unit & 0xFF));
  }
  const Text text = decode(bytes);
  EXPECT_EQ(encode(text.bytes, text.encoding), bytes);
}

TEST(Text, WritesInvalidUtf8AsReplacementCharacters) {
  EXPECT_EQ(encode("a\xFF", Encoding::kUtf16Le), "\xFF\xFE\x61\0\xFD\xFF"s);
}

}  // namespace

}  // namespace hipwright::syntax
