// SPDX-License-Identifier: MIT
// What can be built and run in a tree: from its hipwright.toml, or from the sources themselves.
//
//   [[verify.programs]]
//   name = "histogram"
//   sources = ["histogram.cu", "io.cu"]
//   flags = ["-Iinclude", "-DSIZE=100"]
//   runs = [["1000"], ["1", "--odd"]]          # arguments; default: one run without
//   golden = "golden/histogram.safetensors"    # captures of the original (hipwright/golden.h);
//                                              # of several runs: a list, one for each ("": none)
//
//   [verify]
//   torch = "check.py"                         # goes forward and backward; 0: it is content
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace hipwright::verify {

struct ProgramSpec {
  std::string name;
  std::vector<std::string> units;  // of the tree; linked together
  bool is_guess = false;           // nobody said that these are its units
  std::vector<std::string> flags;
  std::vector<std::vector<std::string>> runs;
  std::string folder;                          // of the tree, where it runs
  std::vector<std::filesystem::path> goldens;  // none, one for all runs, or one for each

  std::filesystem::path golden_of(std::size_t run) const {
    if (goldens.empty()) return {};
    return goldens.size() == 1 ? goldens[0] : goldens[run];
  }
};

struct ProjectUnit {
  std::string path;
  std::vector<std::string> flags;
};

struct Project {
  std::filesystem::path root;
  std::vector<ProjectUnit> units;  // everything that is compiled, by path
  std::vector<ProgramSpec> programs;
  // Sources for the host that belong to none, and have no main function: a program may need them.
  std::vector<ProjectUnit> spare;
  std::vector<std::filesystem::path> kernel_specs;  // NAME.kernel.toml
  bool uses_torch = false;                          // some Python file imports it
  std::string torch_check;                          // a script that goes forward and backward
};

// Without a table in hipwright.toml: every source with a main function is a program, together with
// the sources that the Makefile names, or those of its folder that have none, or, when it is the
// only one, all of the tree. One that does not link so is given what it asks for of all sources.
// Its arguments are those that the Makefile of its folder, or of the nearest one above, gives it.
// Macros, folders and the standard are those of the build files.
Result<Project> find_project(const std::filesystem::path& root);

}  // namespace hipwright::verify
