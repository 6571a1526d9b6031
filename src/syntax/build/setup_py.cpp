// SPDX-License-Identifier: MIT
#include "syntax/build/setup_py.h"

#include <algorithm>
#include <array>

#include "base/words.h"
#include "syntax/build/cmake.h"
#include "syntax/python/file.h"

namespace hipwright::syntax::build {

namespace {

using python::File;
using python::kNoStatement;
using python::kNoToken;
using python::TokenIndex;

std::string lower(std::string_view text) {
  std::string made(text);
  std::transform(made.begin(), made.end(), made.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return made;
}

// For whom is setup_rocm.py?
Built by_file_name(std::string_view path) {
  const std::string name = lower(path.substr(path.rfind('/') + 1));
  if (has_any(name, {"rocm", "hip", "amd"})) return {Truth::kYes, Truth::kNo};
  if (has_any(name, {"cuda", "nvidia"})) return {Truth::kNo, Truth::kYes};
  if (has_any(name, {"musa", "metal", "cpu", "xpu", "npu"})) return {Truth::kNo, Truth::kNo};
  return {};
}

bool is_setup_file(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name == "setup.py" || (name.starts_with("setup_") && name.ends_with(".py"));
}

class Reader {
 public:
  Reader(const Tree& tree, const std::string& path, std::string_view text, BuiltFiles& into)
      : tree_(tree), path_(path), file_(text), into_(into), by_name_(by_file_name(path)) {}

  void run() {
    if (file_.text().find("Extension") == std::string_view::npos) return;
    for (TokenIndex at = 0; at < file_.tokens().size(); ++at) {
      if (file_.tokens()[at].kind == python::Kind::kString) string(at);
    }
  }

 private:
  void string(TokenIndex at) {
    const std::string value = file_.string_value(at);
    if (!is_compiled_source(value) || !names_source(at)) return;
    const auto pattern = join_path(folder_of(path_), before(at) + value);
    if (!pattern) return;
    for (const std::string& path : tree_.glob(*pattern, false)) add(path, at);
  }

  // os.path.join("csrc", "x.cu"): the texts before it; a folder in a variable is taken for the
  // file's own.
  std::string before(TokenIndex at) const {
    const TokenIndex open = file_.enclosing(at);
    if (open == kNoToken || open == 0 || file_.text(open - 1) != "join") return {};
    std::string folders;
    for (TokenIndex other = open + 1; other < at; ++other) {
      if (file_.tokens()[other].kind == python::Kind::kString)
        folders += file_.string_value(other) + "/";
    }
    return folders;
  }

  bool names_source(TokenIndex at) const {
    constexpr int kDeepest = 64;
    TokenIndex open = file_.enclosing(at);
    for (int depth = 0; open != kNoToken && depth < kDeepest; ++depth) {
      if (open > 0 && file_.text(open - 1).ends_with("Extension")) return true;
      open = file_.enclosing(open);
    }
    const python::StatementIndex statement = file_.statement_at(at);
    if (statement == kNoStatement) return false;
    const std::string name = lower(file_.text(file_.statements()[statement].tokens.begin));
    return has_any(name, {"source", "src", "kernel", "files"});
  }

  void add(const std::string& path, TokenIndex at) {
    const python::StatementIndex statement = file_.statement_at(at);
    const Truth runs = statement == kNoStatement ? Truth::kMaybe : file_.runs_on_rocm(statement);
    Built& built = into_.try_emplace(path, Built{Truth::kNo, Truth::kNo}).first->second;
    // What this file is for wins over what its conditions leave open.
    const Truth amd = by_name_.amd == Truth::kMaybe || runs == Truth::kNo
                          ? runs & (by_name_.amd | Truth::kMaybe)
                          : by_name_.amd;
    built.amd = built.amd | amd;
    built.nvidia = built.nvidia | by_name_.nvidia;
  }

  const Tree& tree_;
  const std::string& path_;
  File file_;
  BuiltFiles& into_;
  Built by_name_;
};

}  // namespace

BuiltFiles read_setup_sources(const Tree& tree) {
  BuiltFiles found;
  for (const std::string& path : tree.paths) {
    if (!is_setup_file(path)) continue;
    if (const auto text = tree.read(path)) Reader(tree, path, *text, found).run();
  }
  return found;
}

}  // namespace hipwright::syntax::build
