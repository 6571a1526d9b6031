// SPDX-License-Identifier: MIT
#include "project/build/setup_py.h"

#include <algorithm>
#include <array>

#include "base/words.h"
#include "project/build/cmake.h"
#include "project/build/python_path.h"
#include "project/path.h"
#include "syntax/python/file.h"

namespace hipwright::project {

namespace python = syntax::python;

namespace {

using syntax::python::File;
using syntax::python::kNoStatement;
using syntax::python::kNoToken;
using syntax::python::TokenIndex;

// The platform of setup_rocm.py.
BuiltFor by_file_name(std::string_view path) {
  const std::string name = lowered(name_of(path));
  if (has_any(name, {"rocm", "hip", "amd"})) return {Truth::kYes, Truth::kNo};
  if (has_any(name, {"cuda", "nvidia"})) return {Truth::kNo, Truth::kYes};
  if (has_any(name, {"musa", "metal", "cpu", "xpu", "npu"})) return {Truth::kNo, Truth::kNo};
  return {};
}

bool is_setup_file(std::string_view path) {
  const std::string_view name = name_of(path);
  return name == "setup.py" || (name.starts_with("setup_") && name.ends_with(".py"));
}

class Reader {
 public:
  Reader(const FileSet& tree, const std::string& path, std::string_view text, SetupFacts& into)
      : tree_(tree),
        path_(path),
        file_(text),
        into_(into),
        by_name_(by_file_name(path)),
        paths_(file_, name_of(path)) {}

  void run() {
    const bool has_extension = file_.text().find("Extension") != std::string_view::npos;
    for (TokenIndex at = 0; at < file_.tokens().size(); ++at) {
      if (file_.tokens()[at].kind != python::Kind::kString) continue;
      const std::string value = file_.string_value(at);
      if (has_extension) source(at, value);
      option(at, value);
    }
  }

 private:
  void source(TokenIndex at, const std::string& value) {
    if (!is_compiled_source(value)) return;
    const PathExpression found = paths_.around(at);
    if (!names_source(at) && !found.is_glob && !found.is_composed) return;
    if (add_all(found.text, at, Truth::kYes) || found.is_known) return;
    // An unknown beginning may be any folder of the tree.
    add_all("**/" + found.text, at, Truth::kMaybe);
  }

  bool add_all(const std::string& pattern, TokenIndex at, Truth is_named) {
    const auto whole = join_path(folder_of(path_), pattern);
    if (!whole) return false;
    const std::vector<std::string> named = tree_.glob(*whole, false);
    for (const std::string& path : named) add(path, at, is_named);
    return !named.empty();
  }

  // "-DNAME", "-std=c++20"; only a build knows f"-I{here}".
  void option(TokenIndex at, const std::string& value) {
    if (value.find('{') != std::string::npos || (for_amd(at) & by_name_.amd) == Truth::kNo) return;
    const std::string_view folder = folder_of(path_);
    BuildFlags& flags = into_.flags[std::string(folder)];
    OptionReader(folder, flags).option(value);
    if (!is_for_device_compiler(at)) return;
    if (flags.rules.empty()) flags.rules.emplace_back();
    flags.rules[0].options.push_back(value);
  }

  // {"nvcc": [here]}
  bool is_for_device_compiler(TokenIndex at) const {
    const TokenIndex open = file_.enclosing(at);
    return open != kNoToken && open >= 2 && file_.is(open, "[") && file_.is(open - 1, ":") &&
           file_.tokens()[open - 2].kind == python::Kind::kString &&
           file_.string_value(open - 2) == "nvcc";
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
    const std::string name = lowered(file_.text(file_.statements()[statement].tokens.begin));
    return has_any(name, {"source", "src", "kernel", "files"});
  }

  void add(const std::string& path, TokenIndex at, Truth is_named) {
    const Truth runs = for_amd(at) & is_named;
    BuiltFor& built =
        into_.sources.try_emplace(path, BuiltFor{Truth::kNo, Truth::kNo}).first->second;
    // The file's platform decides what its conditions leave open.
    const Truth amd = by_name_.amd == Truth::kMaybe || runs == Truth::kNo
                          ? runs & (by_name_.amd | Truth::kMaybe)
                          : by_name_.amd;
    built.amd = built.amd | amd;
    built.nvidia = built.nvidia | by_name_.nvidia;
  }

  Truth for_amd(TokenIndex at) const {
    const python::StatementIndex statement = file_.statement_at(at);
    return statement == kNoStatement ? Truth::kMaybe : file_.runs_on_rocm(statement);
  }

  const FileSet& tree_;
  const std::string& path_;
  File file_;
  SetupFacts& into_;
  BuiltFor by_name_;
  PathReader paths_;
};

}  // namespace

SetupFacts read_setup_py(const FileSet& tree) {
  SetupFacts found;
  for (const std::string& path : tree.paths) {
    if (!is_setup_file(path)) continue;
    if (const auto text = tree.read(path)) Reader(tree, path, *text, found).run();
  }
  return found;
}

}  // namespace hipwright::project
