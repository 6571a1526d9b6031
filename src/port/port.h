// SPDX-License-Identifier: MIT
// From a tree of CUDA sources to what has to be changed in it: a pure function of the files. What
// is done with the result (shown, written, compiled) is up to others.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/error.h"
#include "base/progress.h"
#include "port/api/api.h"
#include "port/change.h"
#include "port/rules.h"
#include "port/tree.h"

namespace hipwright::port {

// kHip: the files become HIP. kDual: the same files build for both, and what NVIDIA's compiler sees
// of them stays as it was, token for token.
enum class Mode { kHip, kDual };

// What a warp of the program is on a GPU with waves of 64 lanes. kHalf: always half a wave, 32
// lanes, which is right for every program. kNative: the wave, where every use of its size is
// understood, and half a wave elsewhere.
enum class Warp { kNative, kHalf };

// What HIP lacks, as a header of the ported tree (sdk/compat/compat.h).
constexpr std::string_view kCompatName = "hip_compat.h";
// What instructions of PTX compute (sdk/compat/ptx.h); includes the former.
constexpr std::string_view kPtxName = "hip_ptx.h";

struct Options {
  std::filesystem::path path;  // a repository, a folder of it, or one file
  Mode mode = Mode::kDual;
  Warp warp = Warp::kHalf;
  api::HipVersion hip = {6, 4};
  std::vector<std::string> ignore;  // patterns as in .gitignore
  Rules rules;                      // of the project itself; its `ignore` counts, too
  std::optional<ProgressOutput> progress = std::nullopt;
};

struct PortedFile {
  const SourceFile* source = nullptr;
  Changes changes;
  std::vector<Diagnostic> diagnostics;  // codes HPnnn; by place
  std::string renamed;                  // the path that it gets; empty: its own
  // Of --mode dual: the changes before they became branches.
  Changes ungated;
  // What is changed for AMD, and why, whichever way it is written down.
  const Changes& meant() const { return ungated.empty() ? changes : ungated; }
  bool is_changed() const { return !changes.empty() || !renamed.empty(); }
  const std::string& path_after() const { return renamed.empty() ? source->path() : renamed; }
  std::string after() const { return changes.apply(source->text()); }
  void tell(std::string_view code, Severity severity, Span span, std::string message,
            std::string why = {});
};

struct Ported {
  Tree tree;
  std::vector<PortedFile> files;             // by path: every file of the tree
  std::map<std::string, std::string> added;  // files that are new: path to content
};

Result<Ported> port(const Options& options);
// The same for a tree that is read already.
Ported port_tree(Tree tree, const Options& options, ThreadPool& pool);

}  // namespace hipwright::port
