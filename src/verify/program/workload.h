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
//   torch = "check.py"                         # runs forward and backward; exit 0: success
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace hipwright::verify {

struct ProgramSpec {
  std::string name;
  std::vector<std::string> units;  // of the tree; linked together
  bool is_guess = false;           // its units were guessed
  std::vector<std::string> flags;
  std::vector<std::vector<std::string>> runs;
  std::string folder;                          // in the tree, where it runs
  std::vector<std::filesystem::path> goldens;  // none, one for all runs, or one for each

  std::filesystem::path golden_of(std::size_t run) const {
    if (goldens.empty()) return {};
    return goldens.size() == 1 ? goldens[0] : goldens[run];
  }
};

struct WorkUnit {
  std::string path;
  std::vector<std::string> flags;
};

struct Workload {
  std::filesystem::path root;
  std::vector<WorkUnit> units;  // everything that is compiled, by path
  std::vector<ProgramSpec> programs;
  // Host sources without a main function that belong to no program; one may need them.
  std::vector<WorkUnit> spare;
  std::vector<std::filesystem::path> kernel_specs;  // NAME.kernel.toml
  bool uses_torch = false;                          // some Python file imports it
  std::string torch_check;  // a script that runs a forward and a backward pass
};

struct WorkloadOptions {
  std::vector<std::string> ignore;  // patterns of files to leave alone, as in .gitignore
  // The tree that this one is a port of: provides compile_commands.json if the tree has none.
  std::filesystem::path original;
};

// Without a table in hipwright.toml, every source with a main function is a program, together with
// the sources that the Makefile names, or the other sources of its folder without a main function,
// or, if it is the only program, all sources of the tree. One that does not link this way also gets
// an archive of all other sources. Arguments come from the Makefile of the folder or the nearest
// one above; macros, include folders and language standard come from the build.
Result<Workload> find_workload(const std::filesystem::path& root,
                               const WorkloadOptions& options = {});

}  // namespace hipwright::verify
