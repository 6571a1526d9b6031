// SPDX-License-Identifier: MIT
#include "lint/like/patch.h"

#include <charconv>
#include <optional>

namespace hipwright::lint::like {

namespace {

// A number, or one past the largest supported line.
constexpr std::uint32_t kMostLines = 1U << 30U;

class Reader {
 public:
  Reader(std::string_view text, const std::string& origin) : text_(text), origin_(origin) {}

  Result<Patch> read() {
    while (next()) {
      if (line_.starts_with("diff --git ")) {
        start_git();
      } else if (line_.starts_with("--- ") && follows("+++ ")) {
        HW_CHECK(start_paths());
      } else if (line_.starts_with("@@ ")) {
        HW_CHECK(read_hunk());
      } else if (line_.starts_with("@@@ ")) {
        return wrong("combined diff of a merge", "Use the output of git diff PARENT COMMIT");
      } else if (is_open_) {
        read_extended();
      }
    }
    if (patch_.files.empty())
      return fail("cannot read the patch", origin_, "no diff found",
                  "Use the output of git diff, git show or git format-patch");
    return std::move(patch_);
  }

 private:
  bool next() {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line_ = text_.substr(at_, end - at_);
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    at_ = end + 1;
    ++number_;
    return true;
  }

  bool follows(std::string_view begin) const {
    return at_ < text_.size() && text_.substr(at_).starts_with(begin);
  }

  std::unexpected<Error> wrong(std::string why, std::string fix = {}) const {
    return fail("cannot read the patch", origin_ + ":" + std::to_string(number_), std::move(why),
                std::move(fix));
  }

  PatchedFile& file() { return patch_.files.back(); }

  // Paths without blanks are read from this line: a rename without changes has no others.
  void start_git() {
    patch_.files.emplace_back();
    is_open_ = true;
    const std::string_view names = line_.substr(11);
    const std::size_t half = names.find(" b/");
    if (names.starts_with("a/") && half != std::string_view::npos) {
      file().old_path = names.substr(2, half - 2);
      file().new_path = names.substr(half + 3);
    }
  }

  void read_extended() {
    const auto value = [&](std::string_view key) -> std::optional<std::string> {
      if (!line_.starts_with(key)) return std::nullopt;
      return unquoted(line_.substr(key.size()));
    };
    if (const auto from = value("rename from ")) file().old_path = *from;
    if (const auto to = value("rename to ")) file().new_path = *to;
    if (line_.starts_with("new file mode ")) file().old_path.clear();
    if (line_.starts_with("deleted file mode ")) file().new_path.clear();
    if (line_.starts_with("Binary files ") || line_ == "GIT binary patch") {
      file().is_binary = true;
      is_open_ = false;
    }
  }

  Status start_paths() {
    if (!is_open_ || !file().hunks.empty()) patch_.files.emplace_back();
    file().old_path = path(line_.substr(4), "a/");
    next();
    file().new_path = path(line_.substr(4), "b/");
    is_open_ = true;
    if (file().old_path.empty() && file().new_path.empty())
      return wrong("both sides are /dev/null");
    return {};
  }

  static std::string path(std::string_view text, std::string_view side) {
    std::string name = unquoted(text.substr(0, text.find('\t')));
    if (name == "/dev/null") return {};
    return name.starts_with(side) ? name.substr(2) : name;
  }

  // git quotes names with special bytes and writes them as octal escapes.
  static std::string unquoted(std::string_view text) {
    if (text.size() < 2 || !text.starts_with('"') || !text.ends_with('"')) return std::string(text);
    std::string plain;
    text = text.substr(1, text.size() - 2);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\\' || i + 1 == text.size()) {
        plain += text[i];
        continue;
      }
      const char next = text[++i];
      unsigned value = 0;
      const auto is_octal = [&](std::size_t at) {
        return at < text.size() && text[at] >= '0' && text[at] <= '7';
      };
      if (is_octal(i) && is_octal(i + 1) && is_octal(i + 2)) {
        for (int digit = 0; digit < 3; ++digit)
          value =
              value * 8 + static_cast<unsigned>(text[i + static_cast<std::size_t>(digit)] - '0');
        plain += static_cast<char>(value & 0xFFU);
        i += 2;
      } else {
        plain += next == 't' ? '\t' : next == 'n' ? '\n' : next == 'r' ? '\r' : next;
      }
    }
    return plain;
  }

  // "-12,3": the line and the number of lines, which defaults to one.
  struct Range {
    std::uint32_t line = 0, count = 1;
  };
  static std::optional<Range> range(std::string_view& text, char sign) {
    if (!text.starts_with(sign)) return std::nullopt;
    text.remove_prefix(1);
    Range read;
    const auto number = [&](std::uint32_t& into) {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
      if (error != std::errc() || into > kMostLines) return false;
      text.remove_prefix(static_cast<std::size_t>(end - text.data()));
      return true;
    };
    if (!number(read.line)) return std::nullopt;
    if (text.starts_with(',')) {
      text.remove_prefix(1);
      if (!number(read.count)) return std::nullopt;
    }
    return read;
  }

  Status read_hunk() {
    if (!is_open_) return wrong("hunk before the file names (--- and +++)");
    std::string_view rest = line_.substr(3);
    const auto before = range(rest, '-');
    if (rest.starts_with(' ')) rest.remove_prefix(1);
    const auto after = before ? range(rest, '+') : std::nullopt;
    if (!after || !rest.starts_with(" @@"))
      return wrong("hunk header is not of the form @@ -LINE,COUNT +LINE,COUNT @@");
    Hunk hunk{.old_line = before->line, .new_line = after->line, .lines = {}};
    std::uint32_t removed = before->count, added = after->count;
    const std::size_t head = number_;
    while (removed > 0 || added > 0) {
      if (!next())
        return wrong("the patch ends inside the hunk of line " + std::to_string(head),
                     "The patch may be truncated");
      HW_CHECK(read_line(hunk, removed, added));
    }
    file().hunks.push_back(std::move(hunk));
    return {};
  }

  Status read_line(Hunk& hunk, std::uint32_t& removed, std::uint32_t& added) {
    // Mailers strip the blank of an empty line.
    const char sign = line_.empty() ? ' ' : line_[0];
    if (sign == '\\') return {};  // "\ No newline at end of file"
    const std::string_view text = line_.empty() ? line_ : line_.substr(1);
    const bool is_old = sign == ' ' || sign == '-', is_new = sign == ' ' || sign == '+';
    if (!is_old && !is_new) return wrong("hunk line does not start with ' ', '-' or '+'");
    if ((is_old && removed == 0) || (is_new && added == 0))
      return wrong("number of lines does not match the hunk header");
    removed -= is_old;
    added -= is_new;
    using enum PatchLine::Kind;
    hunk.lines.push_back({sign == ' '   ? kContext
                          : sign == '-' ? kRemoved
                                        : kAdded,
                          std::string(text)});
    return {};
  }

  std::string_view text_;
  const std::string& origin_;
  std::size_t at_ = 0, number_ = 0;
  std::string_view line_;
  bool is_open_ = false;  // a file was named; its hunks may follow
  Patch patch_;
};

}  // namespace

Result<Patch> read_patch(std::string_view text, const std::string& origin) {
  return Reader(text, origin).read();
}

}  // namespace hipwright::lint::like
