// SPDX-License-Identifier: MIT
#include "base/markdown.h"

#include <md4c.h>

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/html.h"

namespace hipwright {

namespace {

struct Output {
  std::string html;
  bool has_paragraphs = true;
};

constexpr std::pair<MD_BLOCKTYPE, std::string_view> kBlocks[] = {
    {MD_BLOCK_QUOTE, "blockquote"},
    {MD_BLOCK_UL, "ul"},
    {MD_BLOCK_OL, "ol"},
    {MD_BLOCK_LI, "li"},
    {MD_BLOCK_HR, "hr"},
    {MD_BLOCK_CODE, "pre"},
    {MD_BLOCK_P, "p"},
    {MD_BLOCK_TABLE, "table"},
    {MD_BLOCK_THEAD, "thead"},
    {MD_BLOCK_TBODY, "tbody"},
    {MD_BLOCK_TR, "tr"},
    {MD_BLOCK_TH, "th"},
    {MD_BLOCK_TD, "td"},
};

// What a block is in HTML; empty: nothing.
std::string tag_of(MD_BLOCKTYPE type, void* detail, const Output& output) {
  if (type == MD_BLOCK_P && !output.has_paragraphs) return "";
  if (type == MD_BLOCK_H)
    return fmt::format("h{}", std::min(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level + 2, 6U));
  for (const auto& [block, tag] : kBlocks)
    if (block == type) return std::string(tag);
  return "";
}

std::string_view tag_of(MD_SPANTYPE type) {
  switch (type) {
    case MD_SPAN_EM:
      return "em";
    case MD_SPAN_STRONG:
      return "strong";
    case MD_SPAN_CODE:
      return "code";
    default:
      return "";
  }
}

int enter_block(MD_BLOCKTYPE type, void* detail, void* data) {
  auto& output = *static_cast<Output*>(data);
  const std::string tag = tag_of(type, detail, output);
  if (type == MD_BLOCK_TABLE)
    output.html += "<table class=\"rows\">";
  else if (type == MD_BLOCK_TH)
    output.html += "<th scope=\"col\">";
  else if (!tag.empty())
    output.html += "<" + tag + ">";
  return 0;
}

int leave_block(MD_BLOCKTYPE type, void* detail, void* data) {
  auto& output = *static_cast<Output*>(data);
  const std::string tag = tag_of(type, detail, output);
  if (!tag.empty()) output.html += type == MD_BLOCK_HR ? "\n" : "</" + tag + ">\n";
  return 0;
}

int enter_span(MD_SPANTYPE type, void* /*detail*/, void* data) {
  const std::string_view tag = tag_of(type);
  if (!tag.empty()) static_cast<Output*>(data)->html += fmt::format("<{}>", tag);
  return 0;
}

int leave_span(MD_SPANTYPE type, void* /*detail*/, void* data) {
  const std::string_view tag = tag_of(type);
  if (!tag.empty()) static_cast<Output*>(data)->html += fmt::format("</{}>", tag);
  return 0;
}

int text(MD_TEXTTYPE type, const MD_CHAR* begin, MD_SIZE size, void* data) {
  std::string& html = static_cast<Output*>(data)->html;
  if (type == MD_TEXT_BR)
    html += "<br>\n";
  else if (type == MD_TEXT_SOFTBR)
    html += "\n";
  else if (type == MD_TEXT_NULLCHAR)
    html += "\xEF\xBF\xBD";
  else if (type == MD_TEXT_ENTITY)
    html.append(begin, size);  // "&amp;", as the parser found it
  else
    html += html_text({begin, size});
  return 0;
}

std::string converted(std::string_view markdown, bool has_paragraphs) {
  Output output{.has_paragraphs = has_paragraphs};
  MD_PARSER parser{};
  parser.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML;
  parser.enter_block = enter_block;
  parser.leave_block = leave_block;
  parser.enter_span = enter_span;
  parser.leave_span = leave_span;
  parser.text = text;
  // It fails only without memory: callbacks do not stop it.
  const int status =
      md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &output);
  HW_ASSERT(status == 0);
  return std::move(output.html);
}

}  // namespace

std::string html_of_markdown(std::string_view markdown) {
  return converted(markdown, true);
}

std::string html_of_markdown_line(std::string_view markdown) {
  std::string html = converted(markdown, false);
  while (html.ends_with('\n')) html.pop_back();
  return html;
}

}  // namespace hipwright
