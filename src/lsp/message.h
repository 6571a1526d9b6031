// SPDX-License-Identifier: MIT
// The protocol's outermost layer: headers, bodies, JSON-RPC errors.
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/value.h"

namespace hipwright::lsp {

enum class ErrorCode {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kServerNotInitialized = -32002,
  kRequestCancelled = -32800,
};
struct RpcError {
  ErrorCode code;
  std::string message;
};
template <class T>
using RpcResult = std::expected<T, RpcError>;

inline std::unexpected<RpcError> refuse(ErrorCode code, std::string message) {
  return std::unexpected(RpcError{code, std::move(message)});
}

// Larger messages are skipped and rejected; no source in an editor comes near this size.
constexpr std::size_t kLargestMessage = std::size_t{64} << 20;

// Splits a byte stream into message bodies. After an invalid header it looks for the next one.
class MessageReader {
 public:
  void feed(std::string_view bytes);
  // A body, or an error; empty: more bytes are needed.
  std::optional<RpcResult<std::string>> next();

 private:
  std::optional<RpcResult<std::string>> read_header();
  std::optional<RpcResult<std::string>> lose(std::string why);
  bool find_again();

  std::string buffer_;
  std::optional<std::size_t> length_;  // of the next body
  std::size_t skip_ = 0;               // remaining bytes of a body that is too large
  bool is_lost_ = false;               // looks for a header
};

// Parses a body as JSON and limits its nesting.
RpcResult<Value> parse_body(std::string_view body);

// Header and body.
std::string framed(const Value& message);

}  // namespace hipwright::lsp
