// SPDX-License-Identifier: MIT
#include "lint/since.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/git.h"
#include "syntax/text_lines.h"

namespace hipwright::lint {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kAll = UINT32_MAX;

std::unexpected<Error> unreadable(std::string_view line) {
  return fail("cannot read the changes", "git diff", fmt::format("unexpected line: {}", line),
              "Report this with the output of git diff -U0.");
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

// "path", or "\"p\\303\\244th\"" as git quotes names with special bytes.
std::string unquoted(std::string_view name) {
  if (name.ends_with('\t')) name.remove_suffix(1);  // after names with blanks
  if (name.size() < 2 || !name.starts_with('"') || !name.ends_with('"')) return std::string(name);
  name = name.substr(1, name.size() - 2);
  std::string text;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (name[at] != '\\' || at + 1 == name.size()) {
      text += name[at];
      continue;
    }
    const char next = name[++at];
    unsigned byte = 0;
    if (next >= '0' && next <= '3' && at + 2 < name.size() &&
        std::from_chars(name.data() + at, name.data() + at + 3, byte, 8).ptr ==
            name.data() + at + 3) {
      text += static_cast<char>(byte);
      at += 2;
    } else {
      constexpr std::string_view kNames = "abtnvfr", kBytes = "\a\b\t\n\v\f\r";
      const std::size_t known = kNames.find(next);
      text += known == std::string_view::npos ? next : kBytes[known];
    }
  }
  return text;
}

// "@@ -3,2 +5,4 @@": the lines of the new file.
std::optional<LineRange> new_lines(std::string_view header) {
  const std::size_t plus = header.find(" +");
  if (plus == std::string_view::npos) return std::nullopt;
  const char* const end = header.data() + header.size();
  std::uint32_t first = 0, count = 1;
  auto read = std::from_chars(header.data() + plus + 2, end, first);
  if (read.ec != std::errc()) return std::nullopt;
  if (read.ptr != end && *read.ptr == ',') {
    read = std::from_chars(read.ptr + 1, end, count);
    if (read.ec != std::errc()) return std::nullopt;
  }
  constexpr std::uint32_t kMost = UINT32_MAX / 2;
  if (first > kMost || count > kMost) return std::nullopt;
  return LineRange{first, first + count};  // the end is exclusive here
}

struct AddedLine {
  std::string path;
  std::uint32_t number;
  std::string_view text;
};

struct Lines {
  std::vector<AddedLine> added;
  std::map<std::string_view, std::size_t> removed;  // text to count
};

Result<Lines> read_diff(std::string_view diff) {
  Lines lines;
  std::string path;
  std::uint32_t next = 0, left = 0;  // of the hunk's new lines
  std::optional<Error> error;
  bool in_hunk = false;
  syntax::for_each_line(diff, [&](std::string_view line, std::size_t) {
    if (error) return;
    if (line.starts_with("diff --git ")) {
      in_hunk = false;
    } else if (line.starts_with("@@ ")) {
      const auto range = new_lines(line);
      if (!range) {
        error = unreadable(line).error();
        return;
      }
      next = range->first;
      left = range->last - range->first;
      in_hunk = true;
    } else if (!in_hunk && line.starts_with("+++ ")) {
      path = unquoted(line.substr(4));
    } else if (in_hunk && line.starts_with('+') && left > 0) {
      lines.added.push_back({path, next++, trimmed(line.substr(1))});
      --left;
    } else if (in_hunk && line.starts_with('-')) {
      ++lines.removed[trimmed(line.substr(1))];
    }
  });
  if (error) return std::unexpected(*std::move(error));
  return lines;
}

Result<std::string> git(const fs::path& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"-c", "core.quotePath=true"});
  HW_TRY(Finished finished, ask_git(folder, arguments));
  if (finished.ok()) return std::move(finished.out);
  arguments.insert(arguments.begin(), {"git", "-C", folder.string()});
  return fail("cannot find the changes", shell_quoted(arguments),
              finished.timed_out ? "timed out" : std::string(trimmed(finished.err)),
              "--since needs a git repository and a commit, branch or tag that it has.");
}

Status add_new_files(const fs::path& top, ChangedLines& changed) {
  HW_TRY(const std::string names,
         git(top, {"ls-files", "--others", "--exclude-standard", "-z", "--full-name"}));
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find('\0', begin), names.size());
    changed.files[names.substr(begin, end - begin)] = {{1, kAll}};
    begin = end + 1;
  }
  return {};
}

Result<fs::path> top_of(const fs::path& folder) {
  HW_TRY(const std::string top, git(folder, {"rev-parse", "--show-toplevel"}));
  return fs::path(std::string(trimmed(std::string_view(top).substr(0, top.find('\n')))));
}

}  // namespace

bool ChangedLines::touches(std::string_view path, std::uint32_t first, std::uint32_t last) const {
  const auto found = files.find(path);
  return found != files.end() && std::ranges::any_of(found->second, [&](const LineRange& range) {
           return range.first <= last && first <= range.last;
         });
}

Result<ChangedLines> parse_changes(std::string_view diff) {
  HW_TRY(Lines lines, read_diff(diff));
  ChangedLines changed;
  for (const AddedLine& each : lines.added) {
    if (const auto moved = lines.removed.find(each.text);
        moved != lines.removed.end() && moved->second > 0) {
      --moved->second;
      continue;
    }
    std::vector<LineRange>& ranges = changed.files[each.path];
    if (!ranges.empty() && ranges.back().last + 1 == each.number)
      ranges.back().last = each.number;
    else
      ranges.push_back({each.number, each.number});
  }
  return changed;
}

Result<ChangedLines> changed_since(const std::string& reference, const fs::path& folder) {
  if (reference.empty() || reference.starts_with('-'))
    return fail("cannot find the changes", fmt::format("'{}'", reference), "not a commit",
                "Name a commit, branch or tag.");
  HW_TRY(const fs::path top, top_of(folder));
  const auto base = git(top, {"merge-base", reference, "HEAD"});
  if (!base) {
    // git says nothing if both exist and have no common ancestor.
    HW_CHECK(git(top, {"rev-parse", "--verify", reference + "^{commit}"}));
    return fail("cannot find the changes", reference, "it has no common ancestor with HEAD",
                "Fetch more of the history: a shallow clone may lack the ancestor.");
  }
  HW_TRY(
      const std::string diff,
      git(top, {"diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-prefix",
                "--no-renames", "--ignore-submodules", "--text",
                std::string(trimmed(std::string_view(*base).substr(0, base->find('\n')))), "--"}));
  HW_TRY(ChangedLines changed, parse_changes(diff));
  HW_CHECK(add_new_files(top, changed));
  return changed;
}

Status keep_changed(const std::string& reference, const Options& options, Report& report) {
  const fs::path root = fs::weakly_canonical(options.root.empty() ? "." : options.root);
  HW_TRY(const ChangedLines changed, changed_since(reference, root));
  HW_TRY(const fs::path top, top_of(root));
  std::erase_if(report.findings, [&](const Finding& finding) {
    const std::string path =
        (root / finding.path).lexically_normal().lexically_relative(top).generic_string();
    return !changed.touches(path, finding.position.line, finding.end.line);
  });
  return {};
}

}  // namespace hipwright::lint
