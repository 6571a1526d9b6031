// SPDX-License-Identifier: MIT
#include "lint/like/change.h"

#include <string_view>

namespace hipwright::lint::like {

namespace {

using Kind = PatchLine::Kind;
using Texts = std::vector<std::string_view>;

Texts lines_of(std::string_view text) {
  Texts lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Texts side_of(const Hunk& hunk, TreeSide side) {
  const Kind other = side == TreeSide::kBefore ? Kind::kAdded : Kind::kRemoved;
  Texts lines;
  for (const PatchLine& line : hunk.lines)
    if (line.kind != other) lines.push_back(line.text);
  return lines;
}

// The position of the lines in the file, closest to the expected one and not before `from`.
std::optional<std::size_t> locate(const Texts& file, const Texts& lines, std::size_t from,
                                  std::size_t expected) {
  if (lines.size() > file.size()) return std::nullopt;
  const std::size_t last = file.size() - lines.size();
  const auto fits = [&](std::size_t at) {
    return std::equal(lines.begin(), lines.end(), file.begin() + static_cast<std::ptrdiff_t>(at));
  };
  expected = std::min(std::max(expected, from), last);
  for (std::size_t distance = 0; distance <= file.size(); ++distance) {
    const bool is_below = expected + distance <= last,
               is_above = distance <= expected - std::min(from, expected);
    if (!is_below && !is_above) break;
    if (is_below && expected + distance >= from && fits(expected + distance))
      return expected + distance;
    if (is_above && fits(expected - distance)) return expected - distance;
  }
  return std::nullopt;
}

// Writes both texts and records the differences.
class Writer {
 public:
  explicit Writer(ChangedText& text) : text_(text) {}

  void context(std::string_view line) {
    close();
    add(text_.before, before_, line);
    add(text_.after, after_, line);
  }
  void hunk(const Hunk& hunk) {
    for (const PatchLine& line : hunk.lines) {
      if (line.kind == Kind::kContext) {
        context(line.text);
        continue;
      }
      if (!is_open_) run_ = {{before_, before_}, {after_, after_}};
      is_open_ = true;
      if (line.kind == Kind::kRemoved)
        add(text_.before, before_, line.text);
      else
        add(text_.after, after_, line.text);
    }
    close();
  }

 private:
  static void add(std::string& text, std::uint32_t& number, std::string_view line) {
    text.append(line) += '\n';
    ++number;
  }
  void close() {
    if (!is_open_) return;
    run_.before.end = before_;
    run_.after.end = after_;
    text_.runs.push_back(run_);
    is_open_ = false;
  }

  ChangedText& text_;
  std::uint32_t before_ = 1, after_ = 1;  // the line that is written next
  bool is_open_ = false;
  Run run_;
};

std::optional<ChangedText> whole(const PatchedFile& file, const Texts& tree, TreeSide side) {
  ChangedText text;
  text.in_tree = side;
  Writer writer(text);
  std::size_t done = 0, drift = 0;
  for (const Hunk& hunk : file.hunks) {
    const Texts lines = side_of(hunk, side);
    const std::size_t number = side == TreeSide::kBefore ? hunk.old_line : hunk.new_line;
    // A side without lines gives the number of the line before it.
    const std::size_t expected = lines.empty() ? number : number - std::min<std::size_t>(number, 1);
    const auto at = locate(tree, lines, done, expected + drift);
    if (!at || *at < done) return std::nullopt;
    drift = *at > expected ? *at - expected : 0;
    for (; done < *at; ++done) writer.context(tree[done]);
    writer.hunk(hunk);
    done += lines.size();
  }
  for (; done < tree.size(); ++done) writer.context(tree[done]);
  return text;
}

ChangedText part(const Hunk& hunk) {
  ChangedText text;
  text.first_line = std::max<std::uint32_t>(hunk.old_line, 1);
  Writer(text).hunk(hunk);
  return text;
}

}  // namespace

std::vector<ChangedText> changed_texts(
    const Patch& patch,
    const std::function<std::optional<std::string>(const std::string& path)>& read) {
  std::vector<ChangedText> found;
  for (const PatchedFile& file : patch.files) {
    if (file.old_path.empty() || file.new_path.empty() || file.hunks.empty()) continue;
    std::optional<std::string> content = read(file.new_path);
    if (!content && file.old_path != file.new_path) content = read(file.old_path);
    std::optional<ChangedText> text;
    if (content) {
      const Texts tree = lines_of(*content);
      text = whole(file, tree, TreeSide::kAfter);
      // A pure insertion is found on neither or both sides; the longer match is the right one.
      if (!text) text = whole(file, tree, TreeSide::kBefore);
    }
    if (text) {
      text->path = file.new_path;
      found.push_back(*std::move(text));
      continue;
    }
    for (const Hunk& hunk : file.hunks) {
      found.push_back(part(hunk));
      found.back().path = file.new_path;
    }
  }
  return found;
}

}  // namespace hipwright::lint::like
