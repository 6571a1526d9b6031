// SPDX-License-Identifier: MIT
#include "port/isolation/import_order.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/source.h"
#include "port/python/rocm_facts.h"
#include "project/path.h"

namespace hipwright::port {

using namespace syntax::python;

namespace {

constexpr int kDeepest = 6;

bool is_import(const Statement& statement) {
  return statement.kind == StatementKind::kImport || statement.kind == StatementKind::kFromImport;
}

// Run when the module is imported.
bool runs_on_import(const File& file, StatementIndex statement) {
  for (StatementIndex at = file.statements()[statement].parent; at != kNoStatement;
       at = file.statements()[at].parent) {
    const Statement& around = file.statements()[at];
    if (around.kind == StatementKind::kDef) return false;
    // if TYPE_CHECKING:
    if (around.kind == StatementKind::kIf &&
        file.compact({around.tokens.begin + 1, around.tokens.end}).ends_with("TYPE_CHECKING"))
      return false;
  }
  return true;
}

// ".a.b" of `from .a.b import c`, "a.b" of `import a.b`; of `from . import c` ".c".
std::string module_of(const File& file, StatementIndex statement) {
  const TokenRange tokens = file.statements()[statement].tokens;
  std::string module;
  TokenIndex at = tokens.begin + 1;
  for (; at < tokens.end && !file.is(at, "import") && !file.is(at, "as") && !file.is(at, ","); ++at)
    module += file.text(at);
  if (module.find_first_not_of('.') == std::string::npos && at + 1 < tokens.end)
    module += file.text(at + 1);
  return module;
}

bool is_torch(std::string_view module) {
  return module == "torch" || module.starts_with("torch.");
}

}  // namespace

std::vector<IsolationLeak> ImportOrder::check(const std::string& path, std::string_view before,
                                              std::string_view after) const {
  const File file(after);
  const PythonFacts facts(file, {});
  const auto statements = file.statements();
  for (StatementIndex at = 0; at < statements.size(); ++at) {
    if (!is_import(statements[at]) || !runs_on_import(file, at)) continue;
    const std::string module = module_of(file, at);
    const bool is_new = before.find(file.text(statements[at].tokens)) == std::string_view::npos;
    if (!is_new && statements[at].parent == kNoStatement && loads_torch(path, module, 0)) return {};
    if (!is_new || !facts.is_definition(at) || !loads_torch(path, module, 0)) continue;
    return {
        {.path = path,
         .line_after = LineIndex(after).position(file.span(statements[at].tokens).begin).line,
         .what = fmt::format(
             "importing {} loads torch earlier than the program does, before its setup", module)}};
  }
  return {};
}

// `module`, as the file at `path` names it. Modules outside the tree, other than torch, are
// unknown.
bool ImportOrder::loads_torch(const std::string& path, const std::string& module, int depth) const {
  if (is_torch(module)) return true;
  if (depth > kDeepest) return false;
  const std::size_t dots = std::min(module.find_first_not_of('.'), module.size());
  std::string name = module.substr(dots);
  std::replace(name.begin(), name.end(), '.', '/');
  std::vector<std::string> folders;
  std::string_view folder = project::folder_of(path);
  for (std::size_t up = 1; up < dots && !folder.empty(); ++up) folder = project::folder_of(folder);
  folders.emplace_back(folder);
  // A script's own folder and its parents.
  while (dots == 0 && !folders.back().empty())
    folders.emplace_back(project::folder_of(folders.back()));
  for (const std::string& in : folders) {
    const auto whole = project::join_path(in, name);
    if (!whole) continue;
    bool is_found = false;
    for (const std::string& file : {*whole + ".py", *whole + "/__init__.py"})
      if (paths_.contains(file)) {
        is_found = true;
        if (file_loads_torch(file, depth)) return true;
      }
    if (!is_found) continue;
    // Packages on the way that the file is not part of.
    for (std::string_view at = project::folder_of(*whole); !at.empty();
         at = project::folder_of(at)) {
      const std::string init = std::string(at) + "/__init__.py";
      if (path.starts_with(std::string(at) + "/") || !paths_.contains(init)) continue;
      if (file_loads_torch(init, depth)) return true;
    }
    return false;
  }
  return false;
}

bool ImportOrder::file_loads_torch(const std::string& path, int depth) const {
  const auto text = read_(path);
  if (!text || text->find("import") == std::string::npos) return false;
  const File file(*text);
  const auto statements = file.statements();
  for (StatementIndex at = 0; at < statements.size(); ++at)
    if (is_import(statements[at]) && runs_on_import(file, at) &&
        loads_torch(path, module_of(file, at), depth + 1))
      return true;
  return false;
}

}  // namespace hipwright::port
