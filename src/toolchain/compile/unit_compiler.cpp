// SPDX-License-Identifier: MIT
#include "toolchain/compile/unit_compiler.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/thread_pool.h"
#include "toolchain/compile/precompiled_wrapper.h"

namespace hipwright::toolchain {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::minutes kTimeout{10};

fs::path from(const fs::path& root, const fs::path& file) {
  return is_in_directory(file, root) ? file.lexically_relative(root) : file;
}

// A digest of a unit's flags, source and headers, the same in any copy of the tree. Every header
// that any target may include counts: the compiler names only the host's. None if an
// #include is computed, because its file is unknown.
std::optional<Hash128> digest_of(const fs::path& root, const TranslationUnit& unit) {
  Hasher hasher;
  for (std::string flag : unit.flags) {
    if (const std::size_t at = flag.find(root.string()); at != std::string::npos)
      flag.replace(at, root.string().size(), "<root>");
    hasher.field(flag);
  }
  IncludeFlags includes = include_flags(unit.flags);
  includes.files.push_back(root / unit.path);
  const IncludeScan scan = scan_includes("", includes.folders, includes.files);
  if (scan.has_computed) return std::nullopt;
  hasher.field(unit.path);
  for (const fs::path& file : scan.files) {
    const auto content = read_file(file);
    if (!content) return std::nullopt;
    hasher.field(from(root, file).generic_string()).field(*content);
  }
  return hasher.finish();
}

}  // namespace

struct UnitCompiler::Objects {
  std::mutex mutex;
  std::map<Hash128, CompiledUnit> known;
  std::size_t count = 0;
};

UnitCompiler::UnitCompiler(std::vector<std::string> archs, fs::path folder)
    : archs_(std::move(archs)), folder_(std::move(folder)), objects_(std::make_unique<Objects>()) {
  found_ = find();
}

UnitCompiler::~UnitCompiler() = default;

Status UnitCompiler::find() {
  HW_CHECK(make_directories(folder_));
  rocm_ = find_rocm();
  if (rocm_) return {};
  HW_TRY(Clang clang, find_hip_compiler());
  HW_TRY(const auto device_libs, find_device_libs());
  HW_TRY(Sdk sdk, prepare_sdk(clang, device_libs));
  HW_TRY(auto machine, default_archs());
  own_ = DriverEnvironment{std::move(clang), std::move(sdk), std::move(machine)};
  return {};
}

Result<Finished> UnitCompiler::call(std::vector<std::string> words) const {
  HW_CHECK(found_);
  if (!archs_.empty()) {
    words.emplace_back("--arch");
    words.push_back(fmt::format("{}", fmt::join(archs_, ",")));
  }
  words.emplace_back("-fopenmp=libgomp");
  HW_TRY(const DriverRequest request, parse_driver_words(words));
  DriverPlan plan;
  if (rocm_) {
    plan = plan_rocm(request, *rocm_);
  } else {
    HW_TRY(plan, plan_own(request, *own_));
    use_precompiled_wrapper(plan, own_->sdk, Precompile::kNow);
  }
  return run({.argv = std::move(plan.argv), .timeout = kTimeout});
}

Result<CompiledUnit> UnitCompiler::compile(const fs::path& root, const TranslationUnit& unit) {
  const std::optional<Hash128> digest = digest_of(root, unit);
  fs::path object;
  {
    const std::lock_guard lock(objects_->mutex);
    if (const auto found = digest ? objects_->known.find(*digest) : objects_->known.end();
        found != objects_->known.end()) {
      CompiledUnit compiled = found->second;
      compiled.is_reused = true;
      return compiled;
    }
    object = folder_ / fmt::format("unit{}.o", objects_->count++);
  }
  // All errors, one message a line.
  std::vector<std::string> words = {"-O2",
                                    "-gline-tables-only",
                                    "-w",
                                    "-ferror-limit=0",
                                    "-fno-color-diagnostics",
                                    "-fno-caret-diagnostics",
                                    fmt::format("-ffile-prefix-map={}/=", root.string()),
                                    "-ffile-compilation-dir=.",
                                    "-c"};
  words.insert(words.end(), unit.flags.begin(), unit.flags.end());
  words.push_back((root / unit.path).string());
  words.insert(words.end(), {"-o", object.string()});
  HW_TRY(Finished finished, call(std::move(words)));
  CompiledUnit compiled{.object = object, .ok = finished.ok(), .seconds = finished.seconds};
  compiled.log = finished.timed_out ? fmt::format("the compiler did not finish within {} minutes",
                                                  kTimeout.count())
                                    : std::move(finished.err);
  compiled.messages = parse_compiler_log(compiled.log);
  for (LogMessage& message : compiled.messages)
    message.file = from(root, fs::path(message.file).lexically_normal()).generic_string();
  if (compiled.ok && digest) {
    const std::lock_guard lock(objects_->mutex);
    objects_->known.emplace(*digest, compiled);
  }
  return compiled;
}

std::vector<Result<CompiledUnit>> UnitCompiler::compile(const fs::path& root,
                                                        std::span<const TranslationUnit> units,
                                                        Progress& progress) {
  std::error_code ignored;
  const fs::path tree = fs::canonical(root, ignored);
  std::vector<Result<CompiledUnit>> compiled(units.size());
  ThreadPool pool;
  pool.parallel_for(units.size(), [&](std::size_t i) {
    compiled[i] = compile(tree, units[i]);
    progress.advance(1, units[i].path);
  });
  return compiled;
}

Result<Finished> UnitCompiler::link(const std::vector<fs::path>& inputs,
                                    const std::vector<std::string>& flags,
                                    const fs::path& program) const {
  std::vector<std::string> words;
  for (const fs::path& each : inputs) words.push_back(each.string());
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), {"-o", program.string()});
  return call(std::move(words));
}

}  // namespace hipwright::toolchain
