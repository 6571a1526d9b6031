// SPDX-License-Identifier: MIT
#include "port/isolation/isolation.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/file.h"
#include "base/source.h"
#include "base/text_edit.h"
#include "base/thread_pool.h"
#include "port/isolation/added.h"
#include "port/isolation/import_order.h"
#include "port/isolation/python_view.h"
#include "port/isolation/view.h"
#include "port/project_names.h"
#include "port/python/module_texts.h"
#include "port/python/rocm_facts.h"

namespace hipwright::port {

namespace fs = std::filesystem;

namespace {

struct SeenFile {
  std::vector<SeenToken> tokens;
  LineIndex lines;
};

std::optional<SeenFile> view(const std::string& path, std::string_view text) {
  switch (language_of(path)) {
    case Language::kCuda:
      return SeenFile{nvidia_view_of_cuda(text), LineIndex(text)};
    case Language::kPython:
      return SeenFile{nvidia_view_of_python(text), LineIndex(text)};
    case Language::kCMake:
      return SeenFile{nvidia_view_of_cmake(text), LineIndex(text)};
    case Language::kMake:
      return SeenFile{nvidia_view_of_make(text), LineIndex(text)};
    default:
      return std::nullopt;
  }
}

// Of CUDA sources, which may be large and mostly are the same. The texts of the old view are kept
// in one string, each behind its length.
bool is_same_cuda_view(std::string_view before, std::string_view after) {
  std::string old_view;
  old_view.reserve(2 * before.size());
  const auto item = [](const std::string& text) {
    const auto size = static_cast<std::uint32_t>(text.size());
    std::array<char, sizeof size> length;
    std::memcpy(length.data(), &size, sizeof size);
    return std::string(length.begin(), length.end()) + text;
  };
  visit_nvidia_view_of_cuda(before, [&](const SeenToken& token) { old_view += item(token.text); });
  std::string_view left = old_view;
  bool same = true;
  visit_nvidia_view_of_cuda(after, [&](const SeenToken& token) {
    const std::string next = item(token.text);
    same = same && left.starts_with(next);
    if (same) left.remove_prefix(next.size());
  });
  return same && left.empty();
}

// One line of text per line of source, so that a diff resembles the source.
std::string lines_of(const SeenFile& seen) {
  std::string out;
  std::uint32_t line = 0;
  for (const SeenToken& token : seen.tokens) {
    const std::uint32_t at = seen.lines.position(token.offset).line;
    if (line != 0) out += at != line ? '\n' : ' ';
    line = at;
    out += token.text;
  }
  return out + "\n";
}

std::size_t line_at(const SeenFile& seen, std::size_t index) {
  return index < seen.tokens.size() ? seen.lines.position(seen.tokens[index].offset).line : 0;
}

Result<std::set<std::string>> files_of(const fs::path& root) {
  std::error_code error;
  if (!fs::is_directory(root, error))
    return fail("cannot compare", root.string(), "not a directory");
  std::set<std::string> files;
  for (auto at = fs::recursive_directory_iterator(root, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().filename() == ".git" || at->path().filename() == ".hipwright")
      at.disable_recursion_pending();
    else if (at->is_symlink() || !at->is_directory())
      files.insert(at->path().lexically_relative(root).generic_string());
  }
  if (error) return fail("cannot compare", root.string(), error.message());
  return files;
}

// Every gate in a ported Python tree depends on one definition: a new file with it must be false
// for NVIDIA's PyTorch.
std::vector<IsolationLeak> check_definition(const std::string& path, std::string_view text) {
  const syntax::python::File file(text);
  const PythonFacts facts(file, {});
  const std::string own = module_text(kSupportModule, {});
  for (const auto& each : bindings(file, {"is_rocm", syntax::python::kNoStatement, false}))
    if (each.kind != syntax::python::BindingKind::kImport && !facts.is_definition(each.statement) &&
        !(text.starts_with(own) && file.span(each.name).end < own.size()))
      return {{.path = path,
               .line_after = LineIndex(text).position(file.span(each.name).begin).line,
               .what = "is_rocm is not provably false on NVIDIA"}};
  return {};
}

// For a link, its target.
Result<std::string> content_of(const fs::path& path) {
  std::error_code error;
  if (fs::is_symlink(path, error)) return "link to " + fs::read_symlink(path, error).string();
  return read_file(path);
}

void add(std::vector<IsolationLeak>& to, std::vector<IsolationLeak> more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

// New files: what they define, and which files they shadow.
Status check_new_files(const IsolationOptions& options, const std::set<std::string>& before,
                       Isolation& result) {
  if (result.added.empty()) return {};
  std::map<std::string, std::string> added;
  for (const std::string& path : result.added) {
    auto text = content_of(options.after / path);
    if (!text) {
      result.not_read.push_back(text.error().message());
      continue;
    }
    if (language_of(path) == Language::kPython) add(result.leaks, check_definition(path, *text));
    added.emplace(path, *std::move(text));
  }
  ThreadPool pool;
  HW_TRY(const Tree tree, project::read_tree(options.before, {}, pool));
  add(result.leaks, check_added({before, lookups_of(tree, pool), added}));
  return {};
}

}  // namespace

std::vector<IsolationLeak> compare_for_nvidia(const std::string& path, std::string_view before,
                                              std::string_view after) {
  if (before == after) return {};
  // Definitions that only gates use may change; the gates themselves may not.
  if (before.starts_with(kMadeByPort) && after.starts_with(kMadeByPort))
    return check_definition(path, after);
  if (language_of(path) == Language::kCuda && is_same_cuda_view(before, after)) return {};
  const auto old_view = view(path, before);
  const auto new_view = view(path, after);
  if (!old_view || !new_view) {
    const auto [old_end, new_end] =
        std::mismatch(before.begin(), before.end(), after.begin(), after.end());
    IsolationLeak leak{.path = path,
                       .what = "the bytes differ, and this kind of file has no conditionals"};
    leak.line_before =
        LineIndex(before).position(static_cast<std::size_t>(old_end - before.begin())).line;
    leak.line_after =
        LineIndex(after).position(static_cast<std::size_t>(new_end - after.begin())).line;
    leak.diff = unified_diff(path, before, after);
    return {leak};
  }
  const auto [old_at, new_at] =
      std::mismatch(old_view->tokens.begin(), old_view->tokens.end(), new_view->tokens.begin(),
                    new_view->tokens.end(),
                    [](const SeenToken& a, const SeenToken& b) { return a.text == b.text; });
  if (old_at == old_view->tokens.end() && new_at == new_view->tokens.end()) return {};
  IsolationLeak leak{.path = path, .what = "NVIDIA's tools see different tokens"};
  leak.line_before =
      line_at(*old_view, static_cast<std::size_t>(old_at - old_view->tokens.begin()));
  leak.line_after = line_at(*new_view, static_cast<std::size_t>(new_at - new_view->tokens.begin()));
  leak.diff = unified_diff(path, lines_of(*old_view), lines_of(*new_view));
  return {leak};
}

Result<Isolation> check_isolation(const IsolationOptions& options) {
  HW_TRY(const std::set<std::string> before, files_of(options.before));
  HW_TRY(const std::set<std::string> after, files_of(options.after));
  Isolation result;
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                      std::back_inserter(result.added));
  struct Compared {
    bool same_bytes = false;
    std::string why_not;
    std::vector<IsolationLeak> leaks;
  };
  const std::vector<std::string> paths(before.begin(), before.end());
  std::vector<Compared> compared(paths.size());
  const ImportOrder order(after, [&](const std::string& path) -> std::optional<std::string> {
    auto text = content_of(options.after / path);
    return text ? std::optional(*std::move(text)) : std::nullopt;
  });
  ThreadPool().parallel_for(paths.size(), [&](std::size_t i) {
    Compared& each = compared[i];
    if (!after.contains(paths[i])) {
      each.leaks = {{.path = paths[i], .what = "the file is missing"}};
      return;
    }
    const auto old_text = content_of(options.before / paths[i]);
    const auto new_text = content_of(options.after / paths[i]);
    if (!old_text || !new_text) {
      each.why_not = (old_text ? new_text : old_text).error().message();
      return;
    }
    each.same_bytes = *old_text == *new_text;
    each.leaks = compare_for_nvidia(paths[i], *old_text, *new_text);
    if (!each.same_bytes && each.leaks.empty() && language_of(paths[i]) == Language::kPython)
      each.leaks = order.check(paths[i], *old_text, *new_text);
  });
  for (Compared& each : compared) {
    if (!each.why_not.empty()) {
      result.not_read.push_back(std::move(each.why_not));
      continue;
    }
    if (each.leaks.empty()) ++(each.same_bytes ? result.same_bytes : result.same_view);
    add(result.leaks, std::move(each.leaks));
  }
  HW_CHECK(check_new_files(options, before, result));
  return result;
}

}  // namespace hipwright::port
