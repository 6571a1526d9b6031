// SPDX-License-Identifier: MIT
// The result of the passes for a file, and for the whole tree.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "port/change.h"
#include "port/project_names.h"

namespace hipwright::port {

struct Pass;

// See gate/shim.h.
struct ShimNeeds {
  bool is_included = false;
  std::set<std::string> settings;                // macros defined before HIP's headers
  std::set<std::string> warnings;                // clang's, by option: "-Wregister"
  std::map<std::string, std::string> functions;  // by name
};

struct PortedFile {
  const SourceFile* source = nullptr;
  Changes changes;
  std::vector<Diagnostic> diagnostics;  // codes HPnnn; by place
  std::string renamed;                  // the new path; empty if it keeps its own
  // The project already supports AMD here, so that the file stays unchanged, name included.
  bool is_left_to_project = false;
  // Of --mode dual: what it needs of the header for AMD's compilers.
  ShimNeeds shim;
  // Of --mode dual: the changes before they became branches.
  Changes ungated;

  // The running pass; nullptr if none runs.
  const Pass* pass = nullptr;
  // The codes that each pass emitted; an empty name means the steps after the passes.
  std::map<std::string_view, std::set<std::string_view>> emitted;

  // The changes for AMD with their reasons, in either form.
  const Changes& meant() const { return ungated.empty() ? changes : ungated; }
  bool is_changed() const { return !changes.empty() || !renamed.empty(); }
  const std::string& path_after() const { return renamed.empty() ? source->path() : renamed; }
  std::string after() const { return changes.apply(source->text()); }

  bool change(Change change);
  void report(CodeId code, Severity severity, Span span, std::string message, std::string why = {});
  // For a change that is recorded later.
  void note(CodeId code);
  // Gives diagnostics their lines, and sorts them by place.
  void place_diagnostics();
};

struct Ported {
  Tree tree;
  std::vector<PortedFile> files;             // by path: every file of the tree
  std::map<std::string, std::string> added;  // files that are new: path to content
};

}  // namespace hipwright::port
