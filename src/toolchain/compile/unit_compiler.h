// SPDX-License-Identifier: MIT
// Translation units of a tree to object files, each compiled once: a unit whose flags, source and
// headers are those of an earlier call gets the object of that call. Objects that clang and the SDK
// made are kept in the user's cache, for later processes too.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/process.h"
#include "base/progress.h"
#include "toolchain/compile/compile.h"
#include "toolchain/compile/object_cache.h"
#include "toolchain/driver.h"

namespace hipwright::toolchain {

struct TranslationUnit {
  std::string path;                // of the source, from the root of the tree
  std::vector<std::string> flags;  // -I, -D, -std: what its build adds
};

struct CompiledUnit {
  std::filesystem::path object;
  bool ok = false;
  bool is_reused = false;            // made by an earlier call
  double seconds = 0;                // of the call that made it
  std::string log;                   // the compiler's words
  std::vector<LogMessage> messages;  // of the log; files of the tree are named from its root
};

// ROCm's compiler where it is installed, otherwise clang with the SDK: found once, called often.
class UnitCompiler {
 public:
  // `archs`: as `hipwright cc --arch` takes them; empty: its own choice. Objects go to `folder`.
  // What is missing is an error of each unit, not of the construction.
  UnitCompiler(std::vector<std::string> archs, std::filesystem::path folder);
  ~UnitCompiler();

  // For all targets, optimised: instructions are checked as well as types. Paths in the objects are
  // relative to the root, so that an object serves any copy of the tree. An error of a unit means
  // that the compiler could not be started for it.
  std::vector<Result<CompiledUnit>> compile(const std::filesystem::path& root,
                                            std::span<const TranslationUnit> units,
                                            Progress& progress);

  // Objects and archives to a program.
  Result<Finished> link(const std::vector<std::filesystem::path>& inputs,
                        const std::vector<std::string>& flags,
                        const std::filesystem::path& program) const;

 private:
  struct Objects;

  Status find();
  Result<DriverPlan> plan(std::vector<std::string> words) const;
  Result<Finished> call(DriverPlan plan) const;
  Result<Finished> make_object(const DriverPlan& plan, const std::optional<Hash128>& digest,
                               const std::filesystem::path& object) const;
  Result<CompiledUnit> compile(const std::filesystem::path& root, const TranslationUnit& unit);

  const std::vector<std::string> archs_;
  const std::filesystem::path folder_;
  Status found_;
  std::optional<Rocm> rocm_;
  std::optional<DriverEnvironment> own_;
  std::unique_ptr<ObjectCache> kept_;  // none for ROCm's compiler
  const std::unique_ptr<Objects> objects_;
};

}  // namespace hipwright::toolchain
