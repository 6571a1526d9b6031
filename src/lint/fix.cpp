// SPDX-License-Identifier: MIT
#include "lint/fix.h"

#include <algorithm>
#include <map>

#include "base/file.h"
#include "syntax/text.h"

namespace hipwright::lint {

namespace {

// A rule whose fix makes a new finding with a fix could go on for ever.
constexpr int kMostPasses = 10;

const Fix* best_fix(const Finding& finding, FixKind kind) {
  for (const Fix& fix : finding.fixes)
    if (fix.safe || kind == FixKind::kUnsafe) return &fix;
  return nullptr;
}

bool clashes(const Fix& fix, const std::vector<TextEdit>& edits) {
  return std::any_of(fix.edits.begin(), fix.edits.end(), [&](const TextEdit& edit) {
    return std::any_of(edits.begin(), edits.end(), [&](const TextEdit& other) {
      return !(edit == other) && overlap(edit, other);
    });
  });
}

}  // namespace

FixedText apply_fixes(std::string_view text, std::span<const Finding> findings, FixKind kind) {
  FixedText fixed;
  std::vector<TextEdit> edits;
  for (const Finding& finding : findings) {
    const Fix* chosen = best_fix(finding, kind);
    if (chosen == nullptr) continue;
    if (clashes(*chosen, edits)) {
      ++fixed.postponed;
      continue;
    }
    edits.insert(edits.end(), chosen->edits.begin(), chosen->edits.end());
    ++fixed.applied;
  }
  auto result = apply_edits(text, edits);
  // Clashing edits were left out above; a span outside the text is a mistake of a rule.
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
  for (const FixedFile& file : result.files) {
    const std::filesystem::path path = options.root / file.path;
    HW_TRY(std::string bytes, read_file(path));
    const syntax::Text now = syntax::decode(std::move(bytes));
    if (now.bytes != file.before)
      return fail("cannot write the fixes", path.string(), "the file changed meanwhile",
                  "Run it again");
    HW_CHECK(write_file_atomic(path, syntax::encode(file.after, now.encoding)));
  }
  return {};
}

}  // namespace hipwright::lint
