// SPDX-License-Identifier: MIT
// Runs of bytes of one class, sixteen at a time: most bytes of a source are names and blanks, and a
// loop over single bytes mispredicts where each of them ends.
#pragma once

#include <bit>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace hipwright::syntax {

constexpr bool is_word_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= 'a' && byte <= 'z') || byte == '_' || byte == '$' || byte >= 0x80;
}

#ifdef __SSE2__

namespace scan_detail {

// Bit i: byte i of sixteen belongs to a word.
inline unsigned word_bits(const char* at) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  const auto below = [](__m128i value, char limit) {
    return _mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(limit)), value);
  };
  const __m128i lower = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
  const __m128i letters = below(_mm_sub_epi8(lower, _mm_set1_epi8('a')), 25);
  const __m128i digits = below(_mm_sub_epi8(bytes, _mm_set1_epi8('0')), 9);
  const __m128i others = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('_')),
                                      _mm_cmpeq_epi8(bytes, _mm_set1_epi8('$')));
  // movemask reads the top bits: those of bytes beyond ASCII count by themselves.
  return static_cast<unsigned>(
      _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(letters, digits), _mm_or_si128(others, bytes))));
}

inline unsigned space_bits(const char* at) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' '))));
}

// Bit i: the needle's first and last byte match if it begins at byte i of sixteen.
inline unsigned ends_bits(const char* at, char first, char last, std::size_t distance) {
  const __m128i begins = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  const __m128i ends = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + distance));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_and_si128(
      _mm_cmpeq_epi8(begins, _mm_set1_epi8(first)), _mm_cmpeq_epi8(ends, _mm_set1_epi8(last)))));
}

}  // namespace scan_detail

#endif

// Where the letters, digits, '_', '$' and bytes beyond ASCII that begin at `at` end.
inline const char* word_end(const char* at, const char* end) {
#ifdef __SSE2__
  while (end - at >= 16) {
    const unsigned bits = scan_detail::word_bits(at);
    if (bits != 0xFFFF) return at + std::countr_one(bits);
    at += 16;
  }
#endif
  while (at < end && is_word_byte(*at)) ++at;
  return at;
}

// Where the spaces that begin at `at` end.
inline const char* spaces_end(const char* at, const char* end) {
#ifdef __SSE2__
  while (end - at >= 16) {
    const unsigned bits = scan_detail::space_bits(at);
    if (bits != 0xFFFF) return at + std::countr_one(bits);
    at += 16;
  }
#endif
  while (at < end && *at == ' ') ++at;
  return at;
}

// Is `needle` (not empty) anywhere in the text?
inline bool has_bytes(std::string_view text, std::string_view needle) {
  std::size_t at = 0;
#ifdef __SSE2__
  const std::size_t distance = needle.size() - 1;
  for (; at + distance + 16 <= text.size(); at += 16) {
    unsigned bits =
        scan_detail::ends_bits(text.data() + at, needle.front(), needle.back(), distance);
    for (; bits != 0; bits &= bits - 1) {
      const auto begin = at + static_cast<std::size_t>(std::countr_zero(bits));
      if (text.substr(begin, needle.size()) == needle) return true;
    }
  }
#endif
  return text.substr(at).find(needle) != std::string_view::npos;
}

}  // namespace hipwright::syntax
