// SPDX-License-Identifier: MIT
// A text that the editor holds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "lsp/message.h"
#include "lsp/text_lines.h"
#include "lsp/value.h"

namespace hipwright::lsp {

struct Document {
  std::string uri;
  std::filesystem::path path;  // empty: it is in no file
  std::string name;            // what the file is called, or would be by its language
  std::optional<std::int64_t> version;
  TextLines lines;

  const std::string& text() const { return lines.text(); }
};

// Of the params of "textDocument/didOpen".
RpcResult<Document> open_document(const Value& params, PositionEncoding encoding);
// "textDocument/didChange": all changes in order, or none.
RpcResult<void> change_document(Document& document, const Value& params);

RpcResult<Place> place_of(const Value* value);
RpcResult<Range> range_of(const Value* value);
Value value_of(const Range& range);

}  // namespace hipwright::lsp
