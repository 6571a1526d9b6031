// SPDX-License-Identifier: MIT
// A text document that is open in the editor.
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
  std::filesystem::path path;  // empty: not in a file
  std::string name;            // the file name, or one that fits the language
  std::optional<std::int64_t> version;
  TextLines lines;

  const std::string& text() const { return lines.text(); }
};

// From the params of "textDocument/didOpen".
RpcResult<Document> open_document(const Value& params, PositionEncoding encoding);
// "textDocument/didChange": all changes in order, or none.
RpcResult<void> change_document(Document& document, const Value& params);

RpcResult<Place> place_of(const Value* value);
RpcResult<Range> range_of(const Value* value);
Value value_of(const Range& range);

}  // namespace hipwright::lsp
