// SPDX-License-Identifier: MIT
// What is known about one file besides its text.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "project/build/build_graph.h"

namespace hipwright::project {

struct FileFacts {
  std::string path;  // as reported: relative to the working directory
  // From build lists and includes; File::compiled() evaluates #if lines.
  Truth built_on_amd = Truth::kMaybe;
  Truth built_on_nvidia = Truth::kMaybe;
  // Build lists name what AMD compiles, but not this file, so nothing is certain.
  bool is_unlisted = false;
  // The file, or a header that it includes, has code for AMD: it is meant for AMD even if unlisted.
  bool names_amd = false;
  // Names under which Python can import the project's own files; null if unknown.
  const std::set<std::string, std::less<>>* own_modules = nullptr;
  // What the rest of the project defines; null if unknown.
  const OwnDefinitions* own_definitions = nullptr;
  const syntax::cuda::MacroKnowledge* macros = nullptr;
  // From the path: "rocm", "hip", "amd" in a folder or file name; and NVIDIA's words likewise.
  bool is_rocm_specific = false;
  bool is_nvidia_specific = false;
  bool names_nvidia_target = false;  // "sm90" in the path
  bool is_test = false;              // tests, benchmarks, examples, docs
  bool is_of_amd_project = false;    // other files of the project are for AMD, by their paths
  // gfx names in documents and build files, and where; null: not looked for.
  const std::map<std::string, std::string>* documented_targets = nullptr;
};

// From the path alone, without build lists.
FileFacts facts_of_path(std::string path);

// For a path relative to the project's folder. Points into `graph`, which must outlive it.
FileFacts facts_in(const BuildGraph& graph, std::string_view path);

}  // namespace hipwright::project
