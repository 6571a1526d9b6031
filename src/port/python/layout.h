// SPDX-License-Identifier: MIT
// The modules of a Python project, and where added modules are found by the files that need them.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "port/project_names.h"

namespace hipwright::port {

class PythonLayout {
 public:
  PythonLayout(const Tree& tree, ThreadPool& pool);

  // The folder ("", "src/pkg/") of the modules added for a file: its package's, the one that others
  // import it from, or its own.
  std::string folder_for(const SourceFile& source) const;
  // How the file names such a module: ".hip_support", "..hip_support", "pkg.hip_support".
  std::string module_path(const SourceFile& source, std::string_view module) const;
  // The package that such an import loads and that the file is not part of; empty if there is none.
  std::string package_loaded_by(const SourceFile& source) const;
  // "from . import nvml_fallback as pynvml"
  std::string import_as(const SourceFile& source, std::string_view module,
                        std::string_view name) const;

  // A module that programs import, their own or others': not a script.
  bool is_in_package(const SourceFile& source) const;

  // `import flash_attn` means the tree's own package or script of that name.
  bool owns(std::string_view module) const { return own_tops_.contains(module); }
  bool imports(std::string_view module) const { return imported_.contains(module); }
  // A file calls torch.compile; one changes a setting of Inductor about graphs, memory or GEMMs.
  bool compiles() const { return compiles_; }
  bool sets_inductor() const { return sets_inductor_; }
  // The first parts of all modules that are imported and that the tree does not have.
  const std::set<std::string, std::less<>>& foreign() const { return foreign_; }

 private:
  struct Place {
    std::string folder;
    std::string package;  // dotted; empty: the folder is where Python looks
  };
  Place place_for(const SourceFile& source) const;
  std::string top_package(std::string_view folder) const;
  const std::string* main_package() const;
  const std::string* imported_package(const SourceFile& source) const;

  std::set<std::string, std::less<>> packages_;  // folders with an __init__.py: "a/b/", ""
  std::set<std::string, std::less<>> imported_;  // "a.b", and "a.b.c" of `from a.b import c`
  std::set<std::string, std::less<>> foreign_;
  std::set<std::string, std::less<>> tops_;      // packages that are in no other
  std::set<std::string, std::less<>> own_tops_;  // their names, and those of scripts
  std::set<std::string, std::less<>> relative_;  // paths of files that import relatively
  bool compiles_ = false, sets_inductor_ = false;
};

// The file was written by the porter.
bool is_made_by_port(std::string_view text);
// setup.py
bool is_build_script(std::string_view path);

}  // namespace hipwright::port
