// SPDX-License-Identifier: MIT
// Any text as a patch, and as two sources that are compared: it must return, and what it finds must
// lie in the text. The first line is the file's name, so that the fuzzer chooses the language; a
// line of "====" divides the sources.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "lint/like/align.h"
#include "lint/like/change.h"
#include "project/language.h"

namespace {

using namespace hipwright::lint;
using namespace hipwright;
using namespace hipwright::lint::like;

// Every token has a number of its own spelling's hash: no index is needed to compare two texts.
std::uint32_t number_of(std::string_view key) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>()(key) % 4093) + 1;
}

Numbered numbered(std::string_view text, project::Language language) {
  Numbered file;
  file.stream = read_stream(text, language);
  for (std::uint32_t i = 0; i < file.stream.tokens.size(); ++i) {
    const Token& token = file.stream.tokens[i];
    HW_ASSERT(token.begin <= token.end && token.end <= text.size());
    HW_ASSERT(token.partner == kNone || file.stream.tokens[token.partner].partner == i);
    const bool is_name = token.kind == Kind::kName;
    file.words.push_back(
        token.kind == Kind::kBreak ? 0 : number_of(key_of(file.stream.of(i), token.kind)));
    file.spellings.push_back(i);
    file.parts.push_back(is_name ? name_parts(file.stream.of(i)) : std::vector<std::uint32_t>());
  }
  return file;
}

void compare(std::vector<Shape> shapes, std::string_view text, project::Language language) {
  const Numbered file = numbered(text, language);
  if (file.words.size() > 500) return;
  const Frequencies frequencies{.files = 100,
                                .of = [](std::string_view key) { return key.size(); }};
  weigh(shapes, frequencies, number_of);
  const Range all{0, static_cast<std::uint32_t>(file.words.size())};
  for (const Shape& shape : shapes) {
    pattern_text(shape);
    for (const Alignment& each : align(shape.before, shape.total, file, all, 0.3F)) {
      HW_ASSERT(!each.range.empty() && each.range.end <= all.end);
      HW_ASSERT(each.partners.size() == shape.before.size());
      HW_ASSERT(each.likeness <= 1.001F);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (size > 20000) return 0;
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos) return 0;
  const project::Language named = project::language_of(input.substr(0, end));
  const project::Language language = !project::is_code(named) ? project::Language::kCuda : named;
  const std::string_view text = input.substr(end + 1);
  const std::size_t middle = std::min(text.find("====\n"), text.size());
  const std::string_view first = text.substr(0, middle);
  const std::string_view second = text.substr(std::min(middle + 5, text.size()));

  const auto patch = read_patch(first, "patch");
  if (!patch) HW_ASSERT(!patch.error().why.empty());
  if (patch)
    for (const ChangedText& change :
         changed_texts(*patch, [&](const std::string&) { return std::string(second); }))
      compare(shapes_of_change(change, language), second, language);

  const Stream stream = read_stream(first, language);
  compare(shapes_of_lines(stream, language, {1, 4}), second, language);
  // The two texts as one fix.
  ChangedText change{.path = "a", .before = std::string(first), .after = std::string(second)};
  const auto lines = [](std::string_view of) {
    return static_cast<std::uint32_t>(std::count(of.begin(), of.end(), '\n')) + 2;
  };
  change.runs.push_back({{1, lines(first)}, {1, lines(second)}});
  compare(shapes_of_change(change, language), second, language);
  return 0;
}
