// SPDX-License-Identifier: MIT
#include "trace/read/json_piece.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/counted.h"

namespace hipwright::trace {

namespace {

// Of the longest piece, more than the splitter delivers.
constexpr std::size_t kCapacity = 256U << 20;

// Every byte that is not part of a valid UTF-8 sequence becomes a question mark.
bool repair_utf8(std::string& text) {
  bool repaired = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(at);
    std::size_t size = first < 0x80   ? 1
                       : first < 0xC2 ? 0
                       : first < 0xE0 ? 2
                       : first < 0xF0 ? 3
                       : first < 0xF5 ? 4
                                      : 0;
    if (at + size > text.size()) size = 0;
    for (std::size_t i = 1; i < size; ++i)
      if ((byte(at + i) & 0xC0U) != 0x80) {
        size = 0;
        break;
      }
    if (size == 3 &&
        ((first == 0xE0 && byte(at + 1) < 0xA0) || (first == 0xED && byte(at + 1) > 0x9F)))
      size = 0;
    if (size == 4 &&
        ((first == 0xF0 && byte(at + 1) < 0x90) || (first == 0xF4 && byte(at + 1) > 0x8F)))
      size = 0;
    if (size == 0) {
      text[at] = '?';
      repaired = true;
      size = 1;
    }
    at += size;
  }
  return repaired;
}

}  // namespace

std::optional<element> PieceParser::parse(std::string_view text) {
  padded_.assign(text);
  padded_.resize(text.size() + simdjson::SIMDJSON_PADDING, ' ');
  element value;
  const auto attempt = [&] {
    return parser_.parse(reinterpret_cast<const std::uint8_t*>(padded_.data()), text.size(), false)
        .get(value);
  };
  if (text.size() > kCapacity) return std::nullopt;
  simdjson::error_code error = attempt();
  if (error == simdjson::UTF8_ERROR && repair_utf8(padded_)) {
    ++repaired_;
    error = attempt();
  }
  if (error == simdjson::SUCCESS) return value;
  why_ = simdjson::error_message(error);
  return std::nullopt;
}

std::optional<element> PieceParser::whole(const JsonPiece& piece) {
  const auto value = parse(piece.text);
  if (!value) count_invalid(piece.line);
  return value;
}

void PieceParser::count_invalid(std::size_t line) {
  if (invalid_++ > 0) return;
  first_line_ = line;
  first_why_ = why_;
}

void PieceParser::each_alone(const JsonPiece& piece,
                             const std::function<void(std::string_view, std::size_t)>& visit) {
  int depth = 0;
  bool in_text = false;
  std::size_t begin = 0, line = piece.line;
  for (std::size_t i = 1; i < piece.text.size(); ++i) {
    const char c = piece.text[i];
    if (c == '\n') ++line;
    if (in_text) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (c == '{' || c == '[') {
      if (depth++ == 0) begin = i;
    } else if (c == '}' || c == ']') {
      if (--depth == 0) visit(piece.text.substr(begin, i - begin + 1), line);
    }
  }
}

void PieceParser::note(Trace& trace) const {
  if (invalid_ > 0) {
    trace.notes.push_back(
        fmt::format("{} not valid JSON, omitted (the first ends at line {}: {})",
                    invalid_ == 1 ? "1 value is" : fmt::format("{} values are", invalid_),
                    first_line_, first_why_));
    trace.is_complete = false;
  }
  if (repaired_ > 0)
    trace.notes.push_back("some names are not UTF-8: their invalid bytes are shown as `?`");
}

std::optional<double> number_of(element value) {
  double number = 0;
  if (value.get(number) == simdjson::SUCCESS) return number;
  const std::string_view text = text_of(value);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::int64_t> integer_of(element value) {
  std::int64_t number = 0;
  if (value.get(number) == simdjson::SUCCESS) return number;
  if (const auto real = number_of(value); real && std::abs(*real) < 9e18)
    return static_cast<std::int64_t>(*real);
  return std::nullopt;
}

std::string_view text_of(element value) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return {};
  return text;
}

std::optional<Nanoseconds> nanoseconds(double microseconds) {
  if (!(std::abs(microseconds) < 2.5e15)) return std::nullopt;
  return std::llround(microseconds * 1000);
}

}  // namespace hipwright::trace
