// SPDX-License-Identifier: MIT
#include "port/python/layout.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/python/inductor_config.h"
#include "port/python/rocm_facts.h"
#include "project/path.h"

namespace hipwright::port {

using namespace syntax::python;

namespace {

// "a/b/" to "a/"; "a/" to "".
std::string_view parent_of(std::string_view folder) {
  folder.remove_suffix(1);
  return project::folder_prefix(folder);
}

std::string dotted(std::string_view path) {
  std::string out(path);
  if (out.ends_with('/')) out.pop_back();
  std::replace(out.begin(), out.end(), '/', '.');
  return out;
}

// The name of a package's folder: "pkg" for "src/pkg/".
std::string name_of(std::string_view folder) {
  return dotted(folder.substr(parent_of(folder).size()));
}

// Auxiliary code that is not installed.
bool is_aside(std::string_view package) {
  static constexpr std::array<std::string_view, 9> kNames = {"tests",      "test",      "testing",
                                                             "benchmarks", "benchmark", "examples",
                                                             "docs",       "scripts",   "tools"};
  return std::find(kNames.begin(), kNames.end(), package) != kNames.end();
}

struct Imports {
  std::vector<std::string> modules;
  bool is_relative = false;  // one of them is
  bool compiles = false, sets_inductor = false;
};

Imports imports_of(const File& file) {
  Imports found;
  found.compiles = calls_compile(file);
  found.sets_inductor = sets_inductor(file);
  for (const Statement& statement : file.statements()) {
    const TokenRange tokens = statement.tokens;
    if (statement.kind == StatementKind::kImport) {
      for (TokenIndex at = tokens.begin + 1; at < tokens.end; ++at)
        if (file.tokens()[at].kind == Kind::kName &&
            (at == tokens.begin + 1 || file.is(at - 1, ",")))
          found.modules.push_back(file.compact(file.dotted(at)));
    } else if (statement.kind == StatementKind::kFromImport && tokens.size() > 3) {
      if (file.text(tokens.begin + 1).starts_with(".")) {
        found.is_relative = true;
        continue;
      }
      const TokenRange module = file.dotted(tokens.begin + 1);
      found.modules.push_back(file.compact(module));
      for (TokenIndex at = module.end + 1; at < tokens.end; ++at)
        if (file.tokens()[at].kind == Kind::kName && !file.is(at - 1, "as"))
          found.modules.push_back(file.compact(module) + "." + std::string(file.text(at)));
    }
  }
  return found;
}

}  // namespace

PythonLayout::PythonLayout(const Tree& tree, ThreadPool& pool) {
  std::set<std::string, std::less<>> own;
  for (const auto& source : tree.files) {
    const std::string& path = source->path();
    if (source->python() == nullptr) continue;
    const std::string folder(project::folder_prefix(path));
    std::string_view name = std::string_view(path).substr(folder.size());
    if (name == "__init__.py") packages_.insert(folder);
    own.emplace(name.substr(0, name.rfind('.')));
    for (std::string_view at = folder; !at.empty(); at = parent_of(at))
      own.emplace(at.substr(parent_of(at).size(), at.size() - parent_of(at).size() - 1));
  }
  for (const std::string& package : packages_)
    if (!package.empty() && top_package(package) == package) tops_.insert(package);
  for (const std::string& top : tops_) own_tops_.insert(name_of(top));
  for (const auto& source : tree.files) {
    const std::string folder(project::folder_prefix(source->path()));
    if (source->python() != nullptr && !packages_.contains(folder))
      own_tops_.insert(
          source->path().substr(folder.size(), source->path().rfind('.') - folder.size()));
  }
  std::vector<Imports> imports(tree.files.size());
  pool.parallel_for(imports.size(), [&](std::size_t i) {
    const SourceFile& source = *tree.files[i];
    if (source.python() != nullptr && !is_made_by_port(source.text()))
      imports[i] = imports_of(*source.python());
  });
  for (std::size_t i = 0; i < imports.size(); ++i) {
    compiles_ |= imports[i].compiles;
    sets_inductor_ |= imports[i].sets_inductor;
    if (imports[i].is_relative) relative_.insert(tree.files[i]->path());
    for (std::string& module : imports[i].modules) {
      const std::string first = module.substr(0, module.find('.'));
      if (!own.contains(first)) foreign_.insert(first);
      imported_.insert(first);
      imported_.insert(std::move(module));
    }
  }
}

// The outermost of the packages around a folder; empty if there is none.
std::string PythonLayout::top_package(std::string_view folder) const {
  std::string top;
  for (; !folder.empty() && packages_.contains(folder); folder = parent_of(folder)) top = folder;
  return top;
}

// The project's only package besides tests and similar code; nullptr if there are several.
const std::string* PythonLayout::main_package() const {
  const std::string* only = nullptr;
  for (const std::string& top : tops_) {
    if (is_aside(name_of(top))) continue;
    if (only != nullptr) return nullptr;
    only = &top;
  }
  return only;
}

// The project's package that this file imports, tests and similar code last; nullptr if none.
const std::string* PythonLayout::imported_package(const SourceFile& source) const {
  const Imports found = imports_of(*source.python());
  const std::string* last = nullptr;
  for (const std::string& top : tops_) {
    const std::string name = name_of(top);
    if (std::ranges::none_of(found.modules, [&](const std::string& each) {
          return each == name || each.starts_with(name + ".");
        }))
      continue;
    if (!is_aside(name)) return &top;
    last = &top;
  }
  return last;
}

PythonLayout::Place PythonLayout::place_for(const SourceFile& source) const {
  const std::string folder(project::folder_prefix(source.path()));
  if (const std::string top = top_package(folder); !top.empty()) {
    const std::string* main = nullptr;
    if (is_aside(name_of(top))) main = main_package();
    if (main == nullptr && is_aside(name_of(top))) main = imported_package(source);
    const std::string& chosen = main != nullptr ? *main : top;
    return {chosen, name_of(chosen)};
  }
  // A script or a folder without __init__.py. Where do others import it from?
  const std::string_view module =
      std::string_view(source.path()).substr(0, source.path().rfind('.'));
  std::vector<std::string> around = {folder};
  while (!around.back().empty()) around.emplace_back(parent_of(around.back()));
  for (auto at = around.rbegin(); at != around.rend(); ++at)
    if (imported_.contains(dotted(module.substr(at->size())))) return {*at, {}};
  // A script that uses the project's package finds the module there.
  if (const std::string* package = imported_package(source)) return {*package, name_of(*package)};
  return {folder, {}};
}

bool PythonLayout::is_in_package(const SourceFile& source) const {
  return packages_.contains(project::folder_prefix(source.path())) &&
         !source.path().ends_with("__main__.py");
}

std::string PythonLayout::folder_for(const SourceFile& source) const {
  return place_for(source).folder;
}

std::string PythonLayout::module_path(const SourceFile& source, std::string_view module) const {
  const Place place = place_for(source);
  // The tree itself may be a package, whose name is unknown here.
  const bool is_in_root = place.folder.empty() && packages_.contains("");
  if (place.package.empty() && !(is_in_root && relative_.contains(source.path())))
    return std::string(module);
  if (!source.path().starts_with(place.folder) || !relative_.contains(source.path()))
    return fmt::format("{}.{}", place.package, module);
  const std::string_view below = std::string_view(source.path()).substr(place.folder.size());
  const auto levels = static_cast<std::size_t>(std::count(below.begin(), below.end(), '/'));
  return std::string(levels + 1, '.') + std::string(module);
}

std::string PythonLayout::package_loaded_by(const SourceFile& source) const {
  const Place place = place_for(source);
  return source.path().starts_with(place.folder) ? std::string() : place.package;
}

std::string PythonLayout::import_as(const SourceFile& source, std::string_view module,
                                    std::string_view name) const {
  const std::string path = module_path(source, module);
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos) return fmt::format("import {} as {}", module, name);
  const std::string from = path.starts_with('.') ? path.substr(0, dot + 1) : path.substr(0, dot);
  return fmt::format("from {} import {} as {}", from, module, name);
}

bool is_made_by_port(std::string_view text) {
  return text.starts_with(kMadeByPort);
}

bool is_build_script(std::string_view path) {
  return path == "setup.py" || path.ends_with("/setup.py");
}

}  // namespace hipwright::port
