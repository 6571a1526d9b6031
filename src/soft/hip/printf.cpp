// SPDX-License-Identifier: MIT
#include <cstdio>
#include <cstring>
#include <string_view>

#include "soft/hip/hostcall.h"

namespace hipwright::soft::hip {

namespace {

using Words = std::span<const std::uint64_t>;

// The zero-terminated string at the front; `words` goes on behind its padding.
std::string take_string(Words& words) {
  const auto* text = reinterpret_cast<const char*>(words.data());
  const std::size_t length = strnlen(text, words.size_bytes());
  std::string string(text, length);
  words = words.subspan(std::min(words.size(), length / 8 + 1));
  return string;
}

std::uint64_t take_word(Words& words) {
  if (words.empty()) return 0;
  const std::uint64_t word = words.front();
  words = words.subspan(1);
  return word;
}

template <class... Values>
void append(std::string& out, const std::string& spec, Values... values) {
  char small[256];
  const int length = std::snprintf(small, sizeof small, spec.c_str(), values...);
  if (length < 0) return;
  if (static_cast<std::size_t>(length) < sizeof small) {
    out.append(small, static_cast<std::size_t>(length));
    return;
  }
  const std::size_t old = out.size();
  out.resize(old + static_cast<std::size_t>(length) + 1);
  std::snprintf(out.data() + old, static_cast<std::size_t>(length) + 1, spec.c_str(), values...);
  out.resize(old + static_cast<std::size_t>(length));
}

// What a kernel of C++ has: no conversion that takes an argument of its own choice ("%2$s") or
// another kind of string ("%S").
bool is_conversion(std::string_view spec) {
  static constexpr std::string_view kBefore = "-+ #'.0123456789hljztL";
  return spec.find_first_not_of(kBefore, 1) == spec.size() - 1;
}

// Widths and precisions from a kernel may be anything: the C library would write gigabytes.
bool has_absurd_number(std::string_view spec) {
  constexpr unsigned kLargest = 1 << 16;
  unsigned number = 0;
  for (const char c : spec) {
    number = c >= '0' && c <= '9' ? number * 10 + static_cast<unsigned>(c - '0') : 0;
    if (number > kLargest) return true;
  }
  return false;
}

// One conversion. The length modifiers pick the low bits of the 64-bit word themselves: integers
// arrive zero-extended, floats as doubles.
void convert(std::string& out, std::string spec, Words& words) {
  for (std::size_t star = spec.find('*'); star != std::string::npos; star = spec.find('*'))
    spec.replace(star, 1, std::to_string(static_cast<int>(take_word(words))));
  if (!is_conversion(spec)) {
    out += spec;
    return;
  }
  if (has_absurd_number(spec)) return;
  switch (spec.back()) {
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      append(out, spec, take_word(words));
      break;
    case 'c':
      append(out, "%" + spec.substr(1, spec.find_first_not_of("-+ #0123456789", 1) - 1) + "c",
             static_cast<int>(take_word(words)));
      break;
    case 'p':
      append(out, spec, reinterpret_cast<void*>(take_word(words)));
      break;
    case 's': {
      std::erase(spec, 'l');  // wide strings are not a thing on the device
      append(out, spec, take_string(words).c_str());
      break;
    }
    case 'n':
      take_word(words);
      break;
    default: {  // a, e, f, g
      std::erase(spec, 'L');
      const std::uint64_t word = take_word(words);
      double value = 0;
      std::memcpy(&value, &word, sizeof value);
      append(out, spec, value);
    }
  }
}

}  // namespace

std::string format_arguments(std::string_view format, Words arguments) {
  std::string out;
  while (!format.empty()) {
    const std::size_t percent = format.find('%');
    out += format.substr(0, percent);
    if (percent == std::string_view::npos) break;
    format.remove_prefix(percent);
    if (format.starts_with("%%")) {
      out += '%';
      format.remove_prefix(2);
      continue;
    }
    const std::size_t end = format.find_first_of("diouxXfFeEgGaAcspn", 1);
    if (end == std::string_view::npos || arguments.empty()) break;
    convert(out, std::string(format.substr(0, end + 1)), arguments);
    format.remove_prefix(end + 1);
  }
  return out;
}

std::string format_message(Words words) {
  const std::string format = take_string(words);
  return format_arguments(format, words);
}

}  // namespace hipwright::soft::hip
