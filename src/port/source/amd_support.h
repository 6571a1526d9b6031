// SPDX-License-Identifier: MIT
// What a project already says for AMD, computed once for its tree. It takes precedence over
// everything that a port would write:
// - A file whose path names AMD stays unchanged, whatever the build says.
// - A file that AMD's build compiles today stays unchanged. A file counts as one if a build that
//   chooses AMD lists it, if its own conditions or includes are AMD's, or if such a file includes
//   it. Code that AMD's compilers cannot read yet, because nothing translates its CUDA
//   names, does not count; where PyTorch's build translates them, neither does a file whose only
//   evidence is a condition and that has PTX or 32-bit lane masks for both platforms.
// - In a project that builds for AMD, a file whose path names an NVIDIA GPU (sm90) stays unchanged.
// - So does a header that the project's own conditions exclude for AMD, or that only such files
//   include.
// - Code compiled together with lanes that the project counts for AMD keeps its own count.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/thread_pool.h"
#include "port/project_names.h"
#include "port/source/amd_builds.h"
#include "port/source/own_names.h"

namespace hipwright::port {

class AmdSupport {
 public:
  AmdSupport(const Tree& tree, const OwnNames& own, ThreadPool& pool);

  const AmdBuilds& builds() const { return builds_; }

  // Why this file stays unchanged, for messages: "AMD builds already compile it: …". Empty: it does
  // not.
  const std::string& why_unchanged(const SourceFile& file) const;
  // Does it use CUDA at all?
  bool uses_cuda(const SourceFile& file) const;

  // A place where the project counts or uses the lanes of an AMD wave.
  struct Lanes {
    const SourceFile* file = nullptr;
    Span span;
  };
  // In functions and constants that are compiled together with this file; nullptr if there are
  // none.
  const Lanes* lanes_beside(const SourceFile& file) const;
  const Lanes* lanes_anywhere() const;

  // Does the project define this CUDA name for AMD: a macro, or a namespace's second name?
  bool defines(std::string_view name) const { return defined_.contains(name); }

 private:
  struct Facts;
  Facts facts_of(const SourceFile& source) const;
  void find_compiled(const std::vector<Facts>& facts, const OwnNames& own);
  void find_excluded();
  bool exclude_headers(std::vector<bool>& is_excluded);
  void find_lanes();
  void find_definitions(const SourceFile& source);

  const Tree& tree_;
  const AmdBuilds builds_;
  const IncludeGraph& graph_;
  // For every file of the tree, in its order.
  std::vector<std::string> why_;
  std::vector<bool> is_compiled_, uses_cuda_;
  std::vector<Lanes> beside_;
  Lanes anywhere_;
  std::unordered_set<std::string_view> defined_;
};

// Do these conditions of #if lines ask for AMD? A port's own count for kAnyone only.
enum class AskedBy { kProject, kAnyone };
bool ask_for_amd(const std::vector<std::string>& conditions, AskedBy by);

}  // namespace hipwright::port
