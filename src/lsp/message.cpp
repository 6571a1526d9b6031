// SPDX-License-Identifier: MIT
#include "lsp/message.h"

#include "base/words.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace hipwright::lsp {

namespace {

constexpr std::string_view kLengthField = "content-length";
constexpr std::size_t kLongestHeader = 4096;
constexpr int kDeepest = 128;

char lower(char byte) {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + ('a' - 'A')) : byte;
}

bool is_length_field(std::string_view name) {
  return std::equal(name.begin(), name.end(), kLengthField.begin(), kLengthField.end(),
                    [](char a, char b) { return lower(a) == b; });
}

std::optional<std::size_t> content_length(std::string_view header) {
  std::optional<std::size_t> length;
  while (!header.empty()) {
    const std::size_t end = std::min(header.find("\r\n"), header.size());
    const std::string_view line = header.substr(0, end);
    header.remove_prefix(std::min(end + 2, header.size()));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_length_field(line.substr(0, colon))) continue;
    const std::string_view digits = trimmed(line.substr(colon + 1));
    std::size_t value = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || stop != digits.data() + digits.size()) return std::nullopt;
    length = value;
  }
  return length;
}

// The closing quote of the string that opens at `at`.
std::size_t end_of_string(std::string_view body, std::size_t at) {
  for (++at; at < body.size() && body[at] != '"'; ++at)
    if (body[at] == '\\') ++at;
  return at;
}

// Copies of values recurse: bodies that are all brackets must not get that far.
bool is_too_deep(std::string_view body) {
  int depth = 0;
  for (std::size_t at = 0; at < body.size(); ++at) {
    const char byte = body[at];
    if (byte == '"') at = end_of_string(body, at);
    if (byte == ']' || byte == '}') --depth;
    if ((byte == '[' || byte == '{') && ++depth > kDeepest) return true;
  }
  return false;
}

}  // namespace

void MessageReader::feed(std::string_view bytes) {
  buffer_.append(bytes);
}

std::optional<RpcResult<std::string>> MessageReader::next() {
  while (true) {
    const std::size_t skipped = std::min(skip_, buffer_.size());
    buffer_.erase(0, skipped);
    skip_ -= skipped;
    if (skip_ > 0 || (is_lost_ && !find_again())) return std::nullopt;
    if (!length_) {
      if (auto complaint = read_header()) return complaint;
      if (!length_) return std::nullopt;
    }
    if (buffer_.size() < *length_) return std::nullopt;
    std::string body = buffer_.substr(0, *length_);
    buffer_.erase(0, *length_);
    length_.reset();
    return body;
  }
}

std::optional<RpcResult<std::string>> MessageReader::read_header() {
  const std::size_t end = buffer_.find("\r\n\r\n");
  if (end == std::string::npos && buffer_.size() <= kLongestHeader) return std::nullopt;
  if (end == std::string::npos || end > kLongestHeader)
    return lose("a header must end with an empty line within 4096 bytes");
  const auto length = content_length(std::string_view(buffer_).substr(0, end));
  if (!length) return lose("a header must have a Content-Length in bytes");
  buffer_.erase(0, end + 4);
  if (*length <= kLargestMessage) {
    length_ = length;
    return std::nullopt;
  }
  skip_ = *length;
  return refuse(ErrorCode::kInvalidRequest,
                fmt::format("a message of {} bytes is larger than {}", *length, kLargestMessage));
}

std::optional<RpcResult<std::string>> MessageReader::lose(std::string why) {
  is_lost_ = true;
  buffer_.erase(0, 1);  // or the same place would be found again
  return refuse(ErrorCode::kParseError, std::move(why));
}

// To the next thing that looks like a header.
bool MessageReader::find_again() {
  const auto found = std::search(buffer_.begin(), buffer_.end(), kLengthField.begin(),
                                 kLengthField.end(), [](char a, char b) { return lower(a) == b; });
  is_lost_ = found == buffer_.end();
  const auto kept = static_cast<std::ptrdiff_t>(std::min(buffer_.size(), kLengthField.size()));
  buffer_.erase(buffer_.begin(), is_lost_ ? buffer_.end() - kept : found);
  return !is_lost_;
}

RpcResult<Value> parse_body(std::string_view body) {
  if (is_too_deep(body))
    return refuse(ErrorCode::kParseError,
                  fmt::format("the message is nested deeper than {} levels", kDeepest));
  Value value = Value::parse(body, nullptr, false);
  if (value.is_discarded()) return refuse(ErrorCode::kParseError, "the message is not valid JSON");
  return value;
}

std::string framed(const Value& message) {
  const std::string body = message.dump(-1, ' ', false, Value::error_handler_t::replace);
  return fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body);
}

}  // namespace hipwright::lsp
