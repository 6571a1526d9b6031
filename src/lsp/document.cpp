// SPDX-License-Identifier: MIT
#include "lsp/document.h"

#include <utility>

#include "lsp/uri.h"

namespace hipwright::lsp {

namespace {

// A text that was never saved has a language but no name.
std::string name_by_language(const std::string* language) {
  if (language == nullptr) return "untitled";
  if (*language == "python") return "untitled.py";
  if (*language == "cmake") return "CMakeLists.txt";
  for (const char* each : {"cuda", "cuda-cpp", "hip", "cpp", "c"})
    if (*language == each) return "untitled.cu";
  return "untitled";
}

Value value_of(const Place& place) {
  return {{"line", place.line}, {"character", place.character}};
}

// A change to make: without a span it is the whole text.
struct Change {
  std::optional<Range> range;
  const std::string* text = nullptr;
};

RpcResult<Change> change_of(const Value& value) {
  Change change{.text = string_at(value, {"text"})};
  if (change.text == nullptr)
    return refuse(ErrorCode::kInvalidParams, "an entry of contentChanges has no text");
  if (const Value* range = member(value, {"range"})) {
    auto parsed = range_of(range);
    if (!parsed) return std::unexpected(std::move(parsed).error());
    change.range = *parsed;
  }
  return change;
}

}  // namespace

RpcResult<Document> open_document(const Value& params, PositionEncoding encoding) {
  const std::string* uri = string_at(params, {"textDocument", "uri"});
  const std::string* text = string_at(params, {"textDocument", "text"});
  if (uri == nullptr || text == nullptr)
    return refuse(ErrorCode::kInvalidParams, "textDocument needs uri and text");
  Document document{.uri = *uri,
                    .path = path_of(*uri).value_or(std::filesystem::path()),
                    .version = integer_at(params, {"textDocument", "version"}),
                    .lines = TextLines(*text, encoding)};
  document.name = document.path.has_filename()
                      ? document.path.filename().string()
                      : name_by_language(string_at(params, {"textDocument", "languageId"}));
  return document;
}

RpcResult<void> change_document(Document& document, const Value& params) {
  const Value* changes = member(params, {"contentChanges"});
  if (changes == nullptr || !changes->is_array())
    return refuse(ErrorCode::kInvalidParams, "contentChanges is not an array");
  std::vector<Change> wanted;
  for (const Value& each : *changes) {
    auto change = change_of(each);
    if (!change) return std::unexpected(std::move(change).error());
    wanted.push_back(*std::move(change));
  }
  for (const Change& each : wanted) {
    const Span all{0, document.text().size()};
    document.lines.replace(each.range ? document.lines.span(*each.range) : all, *each.text);
  }
  document.version = integer_at(params, {"textDocument", "version"});
  return {};
}

RpcResult<Place> place_of(const Value* value) {
  const auto line = value == nullptr ? std::nullopt : integer_at(*value, {"line"});
  const auto character = value == nullptr ? std::nullopt : integer_at(*value, {"character"});
  if (!line || !character || *line < 0 || *character < 0)
    return refuse(ErrorCode::kInvalidParams,
                  "a position needs a line and a character, counted from 0");
  return Place{static_cast<std::uint64_t>(*line), static_cast<std::uint64_t>(*character)};
}

RpcResult<Range> range_of(const Value* value) {
  const Value nothing;
  if (value == nullptr) value = &nothing;
  const auto start = place_of(member(*value, {"start"}));
  if (!start) return std::unexpected(start.error());
  const auto end = place_of(member(*value, {"end"}));
  if (!end) return std::unexpected(end.error());
  if (std::pair(end->line, end->character) < std::pair(start->line, start->character))
    return refuse(ErrorCode::kInvalidParams, "a range ends before it starts");
  return Range{*start, *end};
}

Value value_of(const Range& range) {
  return {{"start", value_of(range.start)}, {"end", value_of(range.end)}};
}

}  // namespace hipwright::lsp
