// SPDX-License-Identifier: MIT
#include "lint/fix.h"

#include <algorithm>
#include <map>

#include "base/file.h"
#include "syntax/text.h"

namespace hipwright::lint {

namespace {

// A rule whose fix creates a new fixable finding could loop forever.
constexpr int kMostPasses = 10;

const Fix* best_fix(const Finding& finding, FixKind kind) {
  for (const Fix& fix : finding.fixes)
    if (fix.safe || kind == FixKind::kUnsafe) return &fix;
  return nullptr;
}

// Edits that can be applied together.
class Accepted {
 public:
  bool takes(const Fix& fix) {
    if (std::any_of(fix.edits.begin(), fix.edits.end(),
                    [&](const TextEdit& edit) { return clashes(edit); }))
      return false;
    for (const TextEdit& edit : fix.edits)
      if (!has(edit)) by_begin_.emplace(edit.span.begin, edit);
    return true;
  }

  std::vector<TextEdit> list() const {
    std::vector<TextEdit> edits;
    for (const auto& [begin, edit] : by_begin_) edits.push_back(edit);
    return edits;
  }

 private:
  bool has(const TextEdit& edit) const {
    const auto [begin, end] = by_begin_.equal_range(edit.span.begin);
    return std::any_of(begin, end, [&](const auto& each) { return each.second == edit; });
  }

  // Accepted edits do not overlap, so among the earlier ones the nearest reaches furthest.
  bool clashes(const TextEdit& edit) const {
    auto at = by_begin_.lower_bound(edit.span.begin);
    if (at != by_begin_.begin()) at = by_begin_.lower_bound(std::prev(at)->first);
    for (; at != by_begin_.end() && at->first <= edit.span.end; ++at)
      if (!(edit == at->second) && overlap(edit, at->second)) return true;
    return false;
  }

  std::multimap<std::size_t, TextEdit> by_begin_;
};

// Replacing a file needs no write permission, but a read-only file is read-only on purpose.
Status may_write(const std::filesystem::path& path) {
  using std::filesystem::perms;
  std::error_code error;
  const perms mode = std::filesystem::status(path, error).permissions();
  if (!error &&
      (mode & (perms::owner_write | perms::group_write | perms::others_write)) == perms::none)
    return fail("cannot write the fixes", path.string(), "the file is read-only",
                "Nothing was changed; make the file writable or exclude it");
  return {};
}

}  // namespace

FixedText apply_fixes(std::string_view text, std::span<const Finding> findings, FixKind kind) {
  FixedText fixed;
  Accepted accepted;
  for (const Finding& finding : findings) {
    const Fix* chosen = best_fix(finding, kind);
    if (chosen == nullptr) continue;
    ++(accepted.takes(*chosen) ? fixed.applied : fixed.postponed);
  }
  auto result = apply_edits(text, accepted.list());
  // Clashing edits were dropped above; a span outside the text is a bug in a rule.
  if (!result) bug(result.error().message(), __FILE__, __LINE__);
  fixed.text = *std::move(result);
  return fixed;
}

Result<FixResult> fix(Options options, FixKind kind) {
  FixResult result;
  std::map<std::string, std::string> originals;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    HW_TRY(result.left, lint(options));
    std::size_t applied = 0;
    const auto& findings = result.left.findings;
    for (std::size_t begin = 0, end = 0; begin < findings.size(); begin = end) {
      const std::string& path = findings[begin].path;
      while (end < findings.size() && findings[end].path == path) ++end;
      const std::span of_file(findings.data() + begin, end - begin);
      if (std::none_of(of_file.begin(), of_file.end(),
                       [&](const Finding& f) { return best_fix(f, kind) != nullptr; }))
        continue;
      auto [text, is_new] = options.overlay.try_emplace(path);
      if (is_new) {
        HW_TRY(std::string bytes, read_file(options.root / path));
        text->second = syntax::decode(std::move(bytes)).bytes;
      }
      originals.try_emplace(path, text->second);
      FixedText fixed = apply_fixes(text->second, of_file, kind);
      applied += fixed.applied;
      text->second = std::move(fixed.text);
    }
    result.applied += applied;
    if (applied == 0) break;
  }
  for (auto& [path, before] : originals)
    if (std::string& after = options.overlay[path]; after != before)
      result.files.push_back({path, std::move(before), std::move(after)});
  return result;
}

Status write_fixes(const Options& options, const FixResult& result) {
  std::vector<std::pair<std::filesystem::path, std::string>> files;
  for (const FixedFile& file : result.files) {
    std::filesystem::path path = options.root / file.path;
    HW_CHECK(may_write(path));
    HW_TRY(std::string bytes, read_file(path));
    const syntax::Text now = syntax::decode(std::move(bytes));
    if (now.bytes != file.before)
      return fail("cannot write the fixes", path.string(),
                  "the file changed while it was being fixed", "Run hipwright again");
    files.emplace_back(std::move(path), syntax::encode(file.after, now.encoding));
  }
  for (const auto& [path, bytes] : files) HW_CHECK(write_file_atomic(path, bytes));
  return {};
}

}  // namespace hipwright::lint
